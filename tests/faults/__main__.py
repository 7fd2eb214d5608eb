"""`python -m tests.faults`: every operation, every call, every fault; a table, and exit 1 when something broke."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.faults import ground, play


def main() -> int:
    """Play everything in a sealed home and return 1 when a fault broke something."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=[*ground.OPERATIONS], metavar="OPERATION", help="play these alone")
    wanted = parser.parse_args().only or ground.OPERATIONS
    broken = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as base:
        home = Path(base)
        (home / "gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        for name in [name for name in os.environ if name.startswith(("GIT_", "CLAUDE"))]:
            del os.environ[name]
        os.environ |= {"HOME": base, "CLAUDEDO_FINDINGS_HOME": f"{base}/findings"}
        os.environ |= {"GIT_CONFIG_GLOBAL": f"{base}/gitconfig", "GIT_CONFIG_NOSYSTEM": "1"}
        shim = play.build(home)
        print("operation                  calls  points  broken")
        for operation in wanted:
            answer = play.play(shim, operation)
            broken += len(answer["broken"])
            print(
                f"{operation:25}  {len(answer['calls']):5}  {answer['points']:6}  {len(answer['broken']):6}", flush=True
            )
            for fault in answer["broken"]:
                print(f"  {fault}")
    return min(broken, 1)


if __name__ == "__main__":
    sys.exit(main())
