"""`python -m tests.soak`: everybody at one store for ten minutes. Linux alone (renameat2, /proc)."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import pytest

from tests.conftest import seal
from tests.soak.run import soak


def main() -> int:
    """Run, print the figures, and return 0 when nothing is wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long everybody works")
    args = parser.parse_args()
    os.nice(5)
    with tempfile.TemporaryDirectory(prefix="findings-soak-") as folder, pytest.MonkeyPatch.context() as patch:
        base = Path(folder)
        (base / "home").mkdir()
        (base / "bin").mkdir()
        started = seal(base / "home", base / "bin", patch)
        report = soak(base, args.seconds)
        if started.exists():
            report.complaints.append("claude was started")
    print(report.text())
    return 1 if report.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
