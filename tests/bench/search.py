"""`python -m tests.bench.search`: recall and false hits on the labelled corpus, ours and epitaph's, in one run.

Both are asked by their command line, in a repository that holds the same findings. Needs the package registry.
"""

import argparse
import json
import re
import subprocess  # noqa: TID251  # benchmarks drive real programs
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from claudedo_findings import finding, index
from claudedo_findings.finding import Finding
from tests import corpus
from tests.bench import ground, programs


def main() -> int:
    """Measure, print the table, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.search", description=__doc__)
    parser.add_argument("--ours", type=Path, help="folder of our installed programs; installed anew without it")
    parser.add_argument("--epitaph", type=Path, help="the same of epitaph")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="findings-bench-") as base:
        ours = args.ours or programs.ours(Path(base) / "ours")
        epitaph = args.epitaph or programs.epitaph()
        ground.seal(Path(base) / "home")
        repo = ground.repository(Path(base) / "repo")
        _fill(repo)
        _fill_epitaph(epitaph, repo)
        searches = {
            "ours": lambda question: _ours(ours, repo, question),
            "epitaph 0.3.0": lambda question: _epitaph(epitaph, repo, question),
        }
        for held_out in (False, True):
            asked = [question for question in corpus.questions() if question.held_out == held_out]
            print("held out" if held_out else "tuned on")
            for name, search in searches.items():
                print(f"  {name}: {corpus.measure(search, asked)}")
                for language in ("en", "de", "zh", "ja", "ru"):
                    figures = corpus.measure(search, [each for each in asked if each.language == language])
                    print(f"    {language}: {figures}")
    return 0


def _fill(repo: Path) -> None:
    traps = repo / ".claudedo" / "traps"
    traps.mkdir(parents=True)
    lines = ["# Findings", ""]
    for each in corpus.documents():
        found = Finding(slug=each.slug, title=each.title, scope=each.scope, body=each.text)
        (traps / f"{each.slug}.md").write_text(finding.render(found), encoding="utf-8")
        lines.append(index.line(each.slug, each.hook))
    (repo / ".claudedo" / "INDEX.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fill_epitaph(epitaph: Path, repo: Path) -> None:
    """Give epitaph the same: the title as the attempt, the body as the reason; the slug stands as evidence."""
    _output([epitaph / "epitaph", "init"], repo)
    _output([epitaph / "epitaph", "add", "--attempt", "a", "--reason", "r", "--scope", "a.py"], repo)
    path = next((repo / ".tombstones").glob("*.json"))
    record = json.loads(path.read_text())
    path.unlink()
    for number, each in enumerate(corpus.documents()):
        name = f"{record['id'][:-4]}{number:04x}"
        fields = {"id": name, "attempt": each.title, "reason": each.text, "scope": [each.scope]}
        text = json.dumps({**record, **fields}, ensure_ascii=False)
        (repo / ".tombstones" / f"{name}.json").write_text(text, encoding="utf-8")


def _ours(binaries: Path, repo: Path, question: str) -> Sequence[tuple[str, bool]]:
    out = _output([binaries / "claudedo-findings", "check", "--here", "--json", "--", question], repo)
    return [(row["slug"], row["fit"] == "strong") for row in json.loads(out)["findings"]]


def _epitaph(binaries: Path, repo: Path, question: str) -> Sequence[tuple[str, bool]]:
    """Return epitaph's hits in its order; it knows one strength alone."""
    out = _output([binaries / "epitaph", "check", "--", question], repo)
    slugs = [each.slug for each in corpus.documents()]
    return [
        (slugs[int(number, 16)], True) for number in re.findall(r"^\[\S+\] ts-\d{8}-([0-9a-f]{4})", out, re.MULTILINE)
    ]


def _output(command: Sequence[object], repo: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=repo, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
