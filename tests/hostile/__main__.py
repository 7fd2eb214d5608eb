"""`python -m tests.hostile`: ten thousand hostile inputs of each kind. Linux alone (/proc, renameat2)."""

import argparse
import os
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import pytest

from tests.conftest import seal
from tests.hostile.kinds import KINDS
from tests.hostile.world import furnish

_MEMORY = "/dev/shm"  # where durable writes cost nothing: what they do on a disk is not the question here


def main() -> int:
    """Try every kind, print how many inputs there were and how long they took; return 0 when all went well, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--examples", type=int, default=10_000, help="inputs of each kind; those as processes a share")
    parser.add_argument("--seed", type=int, default=20261130, help="another one makes other inputs")
    parser.add_argument("--shrink", action="store_true", help="look for the smallest input that goes wrong")
    parser.add_argument("--kind", choices=sorted(KINDS), action="append", help="only these kinds")
    args = parser.parse_args()
    os.nice(5)
    os.environ["HOSTILE_SEED"] = str(args.seed)
    if args.shrink:
        os.environ["HOSTILE_SHRINK"] = "1"
    warnings.simplefilter("ignore")  # hypothesis wonders about the size of the corpus
    failed = 0
    for name in args.kind or KINDS:
        with (
            tempfile.TemporaryDirectory(
                prefix="findings-hostile-", dir=_MEMORY if os.path.isdir(_MEMORY) else None
            ) as folder,
            pytest.MonkeyPatch.context() as patch,
        ):
            base = Path(folder)
            for part in ("home", "bin", "world"):
                (base / part).mkdir()
            started = seal(base / "home", base / "bin", patch)
            begun = time.monotonic()
            try:
                told = f"{KINDS[name](furnish(base / 'world', base / 'home', patch), args.examples)} inputs"
                assert not started.exists(), "claude was started"
            except Exception as error:  # noqa: BLE001  # every kind is tried
                notes = "\n".join(getattr(error, "__notes__", []))
                told, failed = f"FAILED: {''.join(traceback.format_exception(error)[-60:])}\n{notes}", 1
            print(f"{name}: {told}, {time.monotonic() - begun:.0f} s", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
