"""A candidate becomes a finding, by a person's word alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import files, finding, retire
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.save import advice
from claudedo_findings.store import Store

_NOTHING: Mapping[str, bytes] = {}


@dataclass(frozen=True, kw_only=True)
class Approved:
    """A candidate that is a finding now: where it lies, its stamp, and what to tell the person."""

    slug: str
    path: str
    verified_against: str
    warnings: tuple[str, ...]


def approve(store: Store, slugs: Sequence[str], *, seen: Mapping[str, bytes] = _NOTHING) -> tuple[Approved, ...]:
    """Make candidates findings, stamped with HEAD; their keys come along, the source's among them.

    `seen` holds the bytes of candidates as the person saw them: what has changed since is not approved.

    Each is saved like any finding, and its candidate is removed once that is safe. Raises FindingsError; for a
    candidate that cannot be saved, or whose slug a finding has, nothing was changed.
    """
    wanted = tuple(dict.fromkeys(slugs))
    retire.require(store, "candidates", wanted)
    with store.writing():
        retire.require(store, "candidates", wanted)
        drafted = [(slug, *_checked(store, slug, seen.get(slug))) for slug in wanted]
        return tuple(_put(store, slug, data, text, new) for slug, data, text, new in drafted)


def problem(store: Store, slug: str) -> str:
    """Return why a candidate cannot be approved as it stands, "" when it can."""
    try:
        _checked(store, slug)
    except FindingsError as error:
        return str(error)
    return ""


def _checked(store: Store, slug: str, seen: bytes | None = None) -> tuple[bytes, str, Finding]:
    path = store.finding_path(slug, "candidates")
    store.guard(path)
    data = files.read(path) or b""
    if seen not in (None, data):
        raise FindingsError(f"the candidate {path} has changed since it was shown: look at it again")
    try:
        text = finding.rekey(data, {}, ("retired",)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FindingsError(f"the candidate {path} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    stored = finding.parse(text)
    if stored.complaint:
        raise FindingsError(f"the candidate {path} cannot be read in full ({stored.complaint}): mend it first")
    try:
        new = Finding(
            slug=slug,
            title=stored.title,
            body=stored.body,
            scope=stored.scope,
            source_task=stored.keys.get("source-task", ""),
            verified_against=store.places.head,
            notes={name: stored.keys[name] for name in finding.OPTIONAL_KEYS if name in stored.keys},
        )
    except FindingsError as error:
        raise FindingsError(f"the candidate {path} cannot become a finding: {error}") from error
    there = store.read(slug)
    # Word for word the same is this very approval, which was killed before the candidate went.
    if there and (there.title, there.body, there.scope) != (new.title, new.body, new.scope):
        raise FindingsError(
            f"there is a finding {slug!r} already: rename the candidate's file {path},"
            f" or carry what is new over to the finding and reject the candidate"
        )
    return data, text, new


def _put(store: Store, slug: str, data: bytes, text: str, new: Finding) -> Approved:
    outcome = store.put(new, keep_scope=False, candidate=text)
    files.remove(store.finding_path(slug, "candidates"), files.Seen(data))
    return Approved(
        slug=slug,
        path=store.finding_path(slug),
        verified_against=outcome.verified_against,
        warnings=(*outcome.warnings, *advice(store.places, new, outcome)),
    )
