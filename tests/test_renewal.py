"""A renewed finding has HEAD as its stamp, and nothing else of it changes."""

from datetime import date
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import history, renewal, scalar
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import git

TODAY = date(2026, 6, 1)
HAND = """\ufeff---
# mine\r
scope: 'src/app.py'   # where it is\r
slug: trap\r
owner: me\r
verified-against: "1234567"\r
---\r
\r
# A trap\r
\r
Text\twith a tab,  and bytes.   \r
\r
\r
"""


@pytest.fixture
def store(repo: Path) -> Store:
    """A store with the finding `trap`, stamped with the first commit; HEAD is the second."""
    store = Store(door.places(str(repo)))
    for slug in ("trap", "other"):
        store.save(
            Finding(slug=slug, title="A trap", body="Text.", scope="src/app.py", verified_against=store.places.head),
            keep_scope=False,
        )
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    return Store(door.places(str(repo)))


def text(store: Store, slug: str = "trap") -> str:
    """Return the finding's file."""
    return Path(store.finding_path(slug)).read_bytes().decode("utf-8")


def index(store: Store) -> str:
    """Return the index."""
    return Path(store.index_path).read_text(encoding="utf-8")


def kept(store: Store) -> list[tuple[bool, str]]:
    """Return the texts in the history with whether a hand wrote them."""
    versions = history.versions(store.history_folder("trap"))
    return [(version.by_hand, Path(version.path).read_bytes().decode("utf-8")) for version in versions]


def test_only_the_stamp_changes(store: Store) -> None:
    before, index_before = text(store), index(store)
    (done,) = renewal.renew(store, ["trap"], today=TODAY)
    old = before.partition("verified-against: ")[2].partition("\n")[0]
    assert done.status == "renewed"
    new = scalar.quote(store.places.head)  # one of digits alone is quoted
    assert old != new
    assert text(store) == before.replace(old, new)
    assert (index(store), kept(store)) == (index_before, [])


def test_renewed_again_nothing_changes(store: Store) -> None:
    renewal.renew(store, ["trap"], today=TODAY)
    before = text(store)
    (done,) = renewal.renew(store, ["trap"], today=TODAY)
    assert (done.status, text(store)) == ("unchanged", before)


def test_what_a_hand_wrote_stays_byte_for_byte_and_stays_a_hands(store: Store) -> None:
    hand = HAND.replace("1234567", "abcdef1")
    Path(store.finding_path("trap")).write_bytes(hand.replace("---\n#", "---\r\n#").encode("utf-8"))
    renewal.renew(store, ["trap"], today=TODAY)
    front, _, rest = text(store).partition("\r\n---\r\n")
    assert f'verified-against: "{store.places.head}"' in front or f"verified-against: {store.places.head}" in front
    for line in ("# mine", "scope: 'src/app.py'   # where it is", "owner: me"):
        assert line in front.split("\r\n")
    assert rest == hand.split("---\r\n", 1)[1]
    assert history.by_hand(store.history_folder("trap"), text(store).encode("utf-8"))


def test_new_scope_and_date_are_written_and_the_old_text_is_kept(store: Store) -> None:
    before = text(store)
    (done,) = renewal.renew(store, ["trap"], scope="./lib\\new.py", expires="2027-01-31", today=TODAY)
    assert done.status == "updated"
    assert (done.stored.scope, done.stored.keys["expires"]) == ("lib/new.py", "2027-01-31")
    assert kept(store) == [(False, before)]
    assert done.warnings == ("its scope 'lib/new.py' does not exist: say with --scope where that is now",)


def test_never_takes_the_date_away_and_the_finding_returns_to_the_index(store: Store) -> None:
    renewal.renew(store, ["trap"], expires="2001-01-01", today=TODAY)
    assert "traps/trap.md" not in index(store)
    (done,) = renewal.renew(store, ["trap"], today=TODAY)
    assert done.warnings[0].startswith("its expires date 2001-01-01 has passed")
    renewal.renew(store, ["trap"], expires="never", today=TODAY)
    assert "expires" not in text(store)
    assert "traps/trap.md" in index(store)


def test_one_unknown_slug_renews_none(store: Store) -> None:
    before = text(store)
    with pytest.raises(FindingsError, match="there is no finding nowhere in "):
        renewal.renew(store, ["trap", "nowhere"], today=TODAY)
    assert text(store) == before


@pytest.mark.parametrize(
    ("slugs", "scope", "expires", "complaint"),
    [
        (["trap", "other"], "src", "", "one scope cannot be that of several findings"),
        (["trap"], "../out", "", "scope '../out' is refused"),
        (["trap"], "", "soon", "'soon' is no date: give it as YYYY-MM-DD, or 'never'"),
        (["No slug!"], "", "", "slug 'No slug!' is refused"),
    ],
)
def test_what_makes_no_sense_is_refused(
    store: Store, slugs: list[str], scope: str, expires: str, complaint: str
) -> None:
    before = text(store)
    with pytest.raises(FindingsError, match=complaint):
        renewal.renew(store, slugs, scope=scope, expires=expires, today=TODAY)
    assert text(store) == before


def test_without_a_commit_there_is_nothing_to_stamp_with(tmp_path: Path) -> None:
    store = Store(door.places(str(tmp_path)))
    store.save(Finding(slug="trap", title="A trap", body="Text."), keep_scope=False)
    with pytest.raises(FindingsError, match=r"there is no commit in .*: commit first"):
        renewal.renew(store, ["trap"], today=TODAY)
