"""What is wrong with one finding's file, judged by its text alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from claudedo_findings import advice, finding, frontmatter, lint_text, rules, titles
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Stored
from claudedo_findings.problem import Problem


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of the store that holds a finding, a candidate or a retired one."""

    path: str
    slug: str
    data: bytes

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return lint_text.lines_of(self.data)

    @cached_property
    def stored(self) -> Stored:
        return finding.parse("\n".join(self.lines))

    @cached_property
    def front_start(self) -> int:
        """The number of the line that opens the front matter, counted from 1."""
        return next((number for number, line in enumerate(self.lines, 1) if line.strip()), 1)

    def key_line(self, key: str) -> int:
        """Return the line of a front matter key, that of the opening `---` when it is not there."""
        places = dict(frontmatter.places(list(self.stored.front)))
        return self.front_start + 1 + places[key] if key in places else self.front_start

    @cached_property
    def title_line(self) -> int:
        """The line of the title, else the first one after the front matter."""
        after = len(self.lines) - self.stored.rest.count("\n")
        for number, line in enumerate(self.stored.rest.split("\n"), after):
            if line.startswith("# "):
                return number
        return min(after, len(self.lines))

    def at(self, line: int, rule: str, what: str, hint: str) -> Problem:
        """Return a problem at a line of this file."""
        return Problem(rule=rule, path=self.path, line=line, what=what, hint=hint, slug=self.slug)


def broken(file: File) -> Iterator[Problem]:
    """Yield what makes a file hard to read or dangerous; holds for candidates and retired findings too."""
    yield from lint_text.problems(file.at, file.data, file.lines)
    yield from _front(file)
    if not file.stored.title:
        yield file.at(file.title_line, "no-title", "no line '# title'", "say in one line what looks like X and is Y")


def wording(file: File) -> Iterator[Problem]:
    """Yield what makes a finding of little use to the agent that reads it."""
    stored, line = file.stored, file.title_line
    if stored.title and not titles.routes(stored.title):
        hint = "name what looks like X and is Y: agents choose by this line alone"
        yield file.at(line, "weak-title", f"the title {shown(stored.title)} says too little to choose by", hint)
    if len(stored.title) > rules.TITLE_LIMIT:
        what = f"the title has {len(stored.title)} characters, the limit is {rules.TITLE_LIMIT}"
        yield file.at(line, "long-text", what, "shorten it")
    if len(stored.body) > rules.LONG_BODY:
        what = f"the body has {len(stored.body)} characters (about {len(stored.body) // 4} tokens)"
        hint = f"a finding should stay under {rules.LONG_BODY}: keep what happens, why, and what to do instead"
        yield file.at(line, "long-text", what, hint)
    text = f"{stored.title}\n{stored.body}"
    if not stored.body:
        yield file.at(line, "no-advice", "nothing stands below the title", "say why, and what to do instead")
    elif advice.judged(text) and not advice.given(text):
        hint = "add a sentence on what to do instead, or that it was tried and why it failed"
        yield file.at(line, "no-advice", "no word says what to do instead", hint)


def _front(file: File) -> Iterator[Problem]:
    front = list(file.stored.front)
    if file.stored.front_complaint:
        odd = frontmatter.odd_line(front)
        line = file.front_start + odd
        yield file.at(line, "front-matter", file.stored.front_complaint, "correct it: tools pass over such a line")
    if not front:
        if not file.stored.front_complaint:
            hint = f"if it still holds, 'claudedo-findings renew {file.slug}' adds one, with HEAD as its stamp"
            yield file.at(1, "front-matter", "no front matter", hint)
        return
    places = frontmatter.places(front)
    names = [name for name, _ in places]
    missing = [name for name in finding.KEYS if name not in names]
    if missing:
        what = f"no key {', '.join(missing)} in the front matter"
        hint = f"if it still holds, 'claudedo-findings renew {file.slug}' adds them; values may be empty"
        yield file.at(file.front_start, "front-matter", what, hint)
    for name, number in places:
        if names.count(name) > 1 and dict(places)[name] != number:
            what = f"the key {name} stands twice; the last one counts"
            yield file.at(file.front_start + 1 + number, "front-matter", what, "delete one")
    yield from _values(file)


def _values(file: File) -> Iterator[Problem]:
    keys = file.stored.keys
    slug = keys.get("slug", "")
    if slug and slug != file.slug:
        what = f"the slug {shown(slug)} is not the file's name"
        yield file.at(file.key_line("slug"), "slug", what, f"the name counts: write 'slug: {file.slug}', or rename it")
    try:
        rules.scope(keys.get("scope", ""))
    except FindingsError:
        what = f"the scope {shown(keys['scope'])} is no path inside the project"
        yield file.at(file.key_line("scope"), "scope", what, "give a path relative to the project's folder")
    expires = keys.get("expires", "")
    try:
        date.fromisoformat(expires or "2000-01-01")
    except ValueError:
        what = f"expires is {shown(expires)}, which is no date, so it never expires"
        yield file.at(file.key_line("expires"), "expires", what, "write it as YYYY-MM-DD")
