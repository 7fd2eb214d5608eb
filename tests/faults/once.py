"""Does one operation to the store of a checkout, for strace: `python -m tests.faults.once OPERATION ROOT`."""

import os
import sys

from claudedo_findings.errors import FindingsError
from tests.faults import ground


def main() -> int:
    """Do it and return 0, or 2 when it was refused."""
    try:
        ground.OPERATIONS[sys.argv[1]].run(sys.argv[2])
    except FindingsError as error:
        os.write(2, f"{error}\n".encode())
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
