"""What was met on the way through transcripts, and how that is said."""

from dataclasses import dataclass, field

from claudedo_findings import plural


@dataclass(kw_only=True)
class Tally:
    """What was met on the way through the transcripts."""

    files: int = 0
    lines: int = 0
    broken: int = 0
    unknown: int = 0
    unfinished: int = 0
    copies: int = 0
    """Calls that stood in another transcript already."""
    complaints: list[str] = field(default_factory=list)


def passed_over(*, broken: int, unknown: int, unfinished: int, copies: int) -> list[str]:
    """Return in words what the figures leave out; what there is none of is not named."""
    said = (
        (broken, "broken line", "skipped"),
        (unknown, "line", "of unknown type skipped"),
        (unfinished, "transcript", "still being written"),
        (copies, "copied call", "counted once"),
    )
    return [f"{plural.count(number, noun)} {what}" for number, noun, what in said if number]
