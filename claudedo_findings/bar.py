"""The bar: which finding deserves saving. One text, quoted by the tool's description and README."""

BAR = (
    "it will still be true next month, a careful reader of the code would not expect it, "
    "and knowing it changes what the next agent does. A rejected approach with its reason counts; "
    "what the code already shows does not, nor does a bug that was just fixed (git has it)"
)
