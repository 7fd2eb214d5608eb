"""Findings that tell the same trap twice: by their titles, or by their whole text where their scopes overlap."""

from collections.abc import Collection, Iterator, Mapping

from claudedo_findings import match
from claudedo_findings.errors import shown
from claudedo_findings.lint_finding import File
from claudedo_findings.problem import Problem

# Every finding is compared with every other, so the time grows with the square of their number.
MOST = 500
_OPENING = 400  # characters of the body that are compared: what a finding is about stands first


def problems(files: Mapping[str, File], focus: Collection[str]) -> Iterator[Problem]:
    """Yield each pair of findings that say much the same, once, at the member that is in `focus`."""
    titles = {slug: file.stored.title for slug, file in files.items() if file.stored.title}
    scopes = {slug: file.stored.scope.strip("/").split("/") for slug, file in files.items()}
    seen: set[frozenset[str]] = set()
    for slug in sorted(focus & titles.keys(), reverse=True):  # the later name is told of the earlier one
        others = {name: title for name, title in titles.items() if name != slug}
        for other in match.similar(titles[slug], others):
            if frozenset((slug, other)) not in seen:
                seen.add(frozenset((slug, other)))
                yield _problem("near-duplicate", files[slug], files[other], "the title says much the same as that of")
        near = {name: _opening(files[name]) for name in others if _overlap(scopes[slug], scopes[name])}
        for other in match.similar(_opening(files[slug]), near) if near else ():
            if frozenset((slug, other)) not in seen:
                seen.add(frozenset((slug, other)))
                what = "its scope overlaps, and its text says much the same as that of"
                yield _problem("overlap", files[slug], files[other], what)


def _problem(rule: str, file: File, other: File, what: str) -> Problem:
    hint = f"if they are one trap, see 'claudedo-findings merge {file.slug} {other.slug}'"
    return file.at(file.title_line, rule, f"{what} {other.slug!r} ({shown(other.stored.title)})", hint)


def _overlap(parts: list[str], others: list[str]) -> bool:
    if parts[0] != others[0] or parts[0] in ("", "."):
        return False
    shorter = min(len(parts), len(others))
    return parts[:shorter] == others[:shorter]


def _opening(file: File) -> str:
    return f"{file.stored.title}\n{file.stored.body[:_OPENING]}"
