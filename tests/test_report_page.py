"""The page of report in a real Chromium: sorted and filtered by hand, at both widths, in both colour schemes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from claudedo_findings import lists, report
from claudedo_findings.finding import Finding
from claudedo_findings.report import page
from claudedo_findings.store import Store
from tests import browser
from tests import report_corpus as corpus
from tests.browser import Browser
from tests.conftest import HostMaker, make_repo
from tests.lookalikes import Session

HOSTILE = "</script><script>document.title='stolen'</script><img src=x onerror=\"document.title='stolen'\"> & 'more'"
SLUGS = (
    "[...document.querySelectorAll('#findings tbody tr')].filter(row => !row.hidden)"
    ".map(row => row.querySelector('.slug').textContent)"
)
CHOOSE = """(name => {
  const which = document.querySelector('#which');
  which.value = name;
  which.dispatchEvent(new Event('change'));
})"""
OUTSIDE = """
[...document.querySelectorAll('body *')].filter(one => !one.closest('svg'))
  .filter(one => one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().right > innerWidth + 1)
  .map(one => one.outerHTML.slice(0, 80))
"""

pytestmark = pytest.mark.skipif(not browser.PROGRAM, reason="no chromium on PATH: tests/setup --dev installs it")


@pytest.fixture
def window(tmp_path: Path, sealed: Path, host_database: HostMaker) -> Iterator[Browser]:
    """A browser with the page of the corpus, of a store with hostile words and many findings."""
    root = make_repo(tmp_path / "repo")
    corpus.findings(root)
    store = Store(lists.root(lists.TodoList(name="app", working_dir=str(root))))
    for number in range(12):
        title = (
            f"The {number}th {'very ' * 12}long thing in a_function_with_a_name_that_has_no_place_to_break_{'x' * 30}"
        )
        store.save(
            Finding(slug=f"thing-{number:02d}", title=title[:160], body="Use it.", scope="src/app.py"), keep_scope=True
        )
    path = Path(store.finding_path("thing-00"))
    path.write_text(path.read_text().replace("# The 0th", f"# {HOSTILE} \x1b[31m\u202e"))
    corpus.write(sealed, root)
    ids = dict.fromkeys(ident for ident, *_ in corpus.tasks())
    corpus.record(host_database([(HOSTILE, corpus.LIST, str(root))], [(ident, corpus.LIST) for ident in ids]))
    made = Session(seed="aaaa", cwd=str(root), model="<b>model</b>", session="5e55104e-0000-4000-8000-0000000000aa")
    made.call("mcp__findings__save_finding", "{}", slug="thing-03", title="t", body="b")
    made.call("Read", "x", file_path=f"{root}/.claudedo/traps/thing-03.md")
    made.write(sealed / ".claude" / "projects" / "x" / "one.jsonl")
    done = report.make(store, lists.find(HOSTILE))
    (tmp_path / "page.html").write_text(page.html(done))
    with Browser(tmp_path / "profile") as opened:
        opened.look(1600, dark=False)
        opened.open((tmp_path / "page.html").as_uri())
        yield opened


def test_a_page_without_data_says_so(tmp_path: Path) -> None:
    root = make_repo(tmp_path / "bare")
    corpus.findings(root)
    item = lists.TodoList(name="bare", working_dir=str(root))
    (tmp_path / "page.html").write_text(page.html(report.make(Store(lists.root(item)), item)))
    with Browser(tmp_path / "empty") as opened:
        opened.open((tmp_path / "page.html").as_uri())
        tiles = opened.run("[...document.querySelectorAll('.tiles b')].map(one => one.textContent)")
        assert tiles == ["0", *["–"] * 6]  # no runs; of everything else nothing is known
        assert "0 %" not in opened.run("document.body.innerText")
        assert opened.run("document.querySelectorAll('#findings tbody tr').length") == 2
        assert opened.run("document.querySelectorAll('.lanes').length") == 0


def visible(window: Browser) -> list[str]:
    return list(window.run(SLUGS))


def test_the_table_sorts_by_keyboard(window: Browser) -> None:
    order = visible(window)
    assert order[0] == corpus.SLUG
    window.run("document.querySelector('#findings th button').focus()")
    window.press("Enter")
    assert visible(window) == sorted(order)
    assert window.run("document.querySelector('#findings th').getAttribute('aria-sort')") == "ascending"
    window.press(" ")
    assert visible(window) == sorted(order, reverse=True)
    window.press("Tab")
    window.press("Tab")
    assert window.run("document.activeElement.textContent") == "Opened"
    window.press("Enter")
    assert visible(window)[:2] == [corpus.SLUG, "thing-03"]
    states = "[...document.querySelectorAll('#findings th')].map(head => head.getAttribute('aria-sort'))"
    assert window.run(states)[:4] == ["none", "none", "descending", "none"]


def test_what_is_not_known_comes_last_whichever_way(window: Browser) -> None:
    last = "[...document.querySelectorAll('#findings tbody tr')].map(row => row.cells[8].dataset.value)"
    window.run("document.querySelectorAll('#findings th button')[8].click()")
    assert [bool(value) for value in window.run(last)][:3] == [True, True, False]
    window.run("document.querySelectorAll('#findings th button')[8].click()")
    assert [bool(value) for value in window.run(last)][:3] == [True, True, False]


def test_the_table_filters_by_words_and_lists(window: Browser) -> None:
    every = visible(window)
    window.run("document.querySelector('#search').focus()")
    window.type("THING 11th")
    assert visible(window) == ["thing-11"]
    assert window.run("document.querySelector('#shown').textContent") == f"1 of {len(every)} findings"
    window.run("document.querySelector('#search').select()")
    window.type("src/app.py")
    assert len(visible(window)) == 12
    window.press("Enter")  # does not leave the page
    window.run("document.querySelector('#search').select()")
    window.type("   ")
    window.run(f"{CHOOSE}('failed')")
    assert visible(window) == [corpus.SLUG]
    window.run(f"{CHOOSE}('never-opened')")
    assert set(visible(window)) == set(every) - {corpus.SLUG, "thing-03"}
    window.run(f"{CHOOSE}('never-offered')")
    assert visible(window) == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1600])
def test_it_fits_both_widths_in_both_schemes(window: Browser, width: int, *, dark: bool) -> None:
    window.look(width, dark=dark)
    window.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert window.run("document.documentElement.scrollWidth") <= width
    assert window.run(OUTSIDE) == []
    colours = window.run("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    back, ink = (sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in colours)
    assert (back < 60 and ink > 200) if dark else (back > 200 and ink < 60)


def test_every_text_can_be_read_in_both_schemes(window: Browser) -> None:
    for dark in (False, True):
        window.look(1600, dark=dark)
        assert window.run(CONTRAST) == []


def test_the_focus_can_be_seen(window: Browser) -> None:
    window.press("Tab")
    width = window.run("getComputedStyle(document.activeElement).outlineWidth")
    assert (window.run("document.activeElement.tagName"), width) == ("INPUT", "3px")


def test_hostile_words_stay_words(window: Browser) -> None:
    assert window.run("document.title") == f"Findings of {HOSTILE}"
    assert window.run("document.querySelector('h1').textContent") == HOSTILE
    assert window.run("document.querySelectorAll('script').length") == 1
    assert window.run("document.querySelectorAll('img, iframe, link, b b').length") == 0
    title = window.run(
        "[...document.querySelectorAll('.title')].map(one => one.textContent).find(one => one.includes('stolen'))"
    )
    assert title.startswith("</script><script>")
    assert not {"\x1b", "\u202e"} & set(title)


def test_the_page_asks_for_nothing_and_complains_of_nothing(window: Browser) -> None:
    asked = [
        event["params"]["request"]["url"]
        for event in window.events
        if event.get("method") == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if not url.startswith("file:")] == []
    assert len(asked) == 1
    faults = [event for event in window.events if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    assert faults == []


def test_its_policy_stops_a_script_that_slipped_in(window: Browser) -> None:
    window.run(
        "const one = document.createElement('script');one.textContent = 'document.title = 7'; document.body.append(one)"
    )
    window.run("document.body.insertAdjacentHTML('beforeend', '<p id=x onclick=\"document.title=7\">x</p>')")
    window.run("document.querySelector('#x').click()")
    assert window.run("document.title") != "7"


def test_the_withheld_figure_and_the_timeline_are_there(window: Browser) -> None:
    told = window.run("document.querySelector('.withheld').textContent")
    assert "models disagree in direction" in told
    assert window.run("document.querySelectorAll('.lanes li').length") == 3
    assert window.run("document.querySelectorAll('.lanes .mark.saved, .lanes .mark.failed').length") >= 2
    labels = window.run("[...document.querySelectorAll('svg[role=img]')].map(one => one.getAttribute('aria-label'))")
    assert len(labels) > 20
    assert all(labels)
    assert any(re.fullmatch(r"20 %, 95 % interval 10 to 35 %", label) for label in labels), json.dumps(labels)


CONTRAST = """
(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((part) => {
      part /= 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const rgb = parse(getComputedStyle(one).backgroundColor);
      if (rgb.length === 3 || rgb[3] > 0.9) return rgb;
    }
    return [255, 255, 255];
  };
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.tagName !== "SCRIPT" && !one.closest("svg, option") && own(one))
    .filter((one) => {
      const [a, b] = [light(parse(getComputedStyle(one).color)), light(behind(one))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
    })
    .map((one) => one.outerHTML.slice(0, 80));
})()
"""
