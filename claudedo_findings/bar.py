"""The bar: which finding deserves saving. One text, quoted by the tool's description and README."""

BAR = (
    "it will still be true next month, a careful reader of the code would not expect it, "
    "and knowing it changes what the next agent does"
)
