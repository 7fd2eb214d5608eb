"""What is wrong with any file of a store: its bytes, its line ends, what git left behind, what must not be there."""

from collections.abc import Callable, Iterator, Sequence

from claudedo_findings import hidden, markdown, screen
from claudedo_findings.problem import Problem

Maker = Callable[..., Problem]


def lines_of(data: bytes) -> tuple[str, ...]:
    """Return the lines of a file as readers see them: without BOM and line ends, bad bytes as U+FFFD."""
    return tuple(data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n"))


def problems(at: Maker, data: bytes, lines: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with a file whatever it holds. `at` makes a problem at a line, counted from 1."""
    yield from _encoding(at, data)
    for number in _conflicts(tuple(lines)):
        yield at(number, "conflict", "a conflict that git left", "choose a side and delete the markers")
    yield from secrets(at, lines)
    if all(line.isascii() and line.isprintable() for line in lines):
        return
    for number, line in enumerate(lines, 1):
        kind = "" if line.isascii() and line.isprintable() else hidden.kind(line, "\t\ufffd")
        if kind:
            yield at(number, "hidden-text", f"a hidden character ({kind})", "delete it: agents read it, people do not")


def secrets(at: Maker, lines: Sequence[str]) -> Iterator[Problem]:
    """Yield each line that holds what looks like a secret; the value is never quoted."""
    if not screen.secret("\n".join(lines)):
        return
    found = [(number, kind) for number, line in enumerate(lines, 1) if (kind := screen.secret(line))]
    for number, kind in found or [(1, screen.secret("\n".join(lines)))]:  # a value may stand on the line after its name
        hint = "revoke it, write the text without its value, and look into the history; 'forget' deletes it all"
        yield at(number, "secret", f"what looks like a secret ({kind})", hint)


def line_ends(at: Maker, data: bytes, *, checked_in: bool) -> Iterator[Problem]:
    """Yield where the line ends of a file change, and CRLF in a store that is checked in, where git makes them LF."""
    ends = [line.endswith(b"\r") for line in data.split(b"\n")[:-1]]
    wanted = bool(ends) and ends[0] and not checked_in
    odd = next((number for number, carriage in enumerate(ends, 1) if carriage != wanted), 0)
    if odd:
        mixed = len(set(ends)) > 1
        what = "line ends of two kinds" if mixed else "CRLF line ends in a store that is checked in with LF"
        yield at(odd, "line-ends", what, "run 'claudedo-findings lint --fix'")


def with_ends(data: bytes, *, checked_in: bool) -> bytes:
    """Return the bytes with line ends of one kind: that of the first line, LF in a store that is checked in."""
    unix = data.replace(b"\r\n", b"\n")
    first_has_carriage = data.partition(b"\n")[0].endswith(b"\r")
    return unix.replace(b"\n", b"\r\n") if first_has_carriage and not checked_in else unix


def _encoding(at: Maker, data: bytes) -> Iterator[Problem]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield at(line, "encoding", f"not UTF-8 ({error.reason})", "save the file as UTF-8")


def _conflicts(lines: tuple[str, ...]) -> list[int]:
    """Return where conflicts begin or, when the beginning is lost, end."""
    if not any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in lines):
        return []
    whole = markdown.conflict_lines(lines)
    starts = {number for number in whole if lines[number].startswith("<<<<<<<")}
    for number, line, shut in markdown.outside_blocks(lines):
        if not shut and number not in whole and line[:7] in ("<<<<<<<", ">>>>>>>") and line[7:8] in ("", " "):
            starts.add(number)
    return [number + 1 for number in sorted(starts)]
