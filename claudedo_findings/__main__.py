"""Where the command starts. What must start fast is told apart before argparse: `hook`, plain `serve`, `pointer`."""

import os
import sys


def main() -> int:
    """Run the command line's arguments and return the exit status."""
    argv = sys.argv[1:]
    verb, plain = argv[:1], _plain(argv[1:])
    if verb == ["serve"] and plain:
        from claudedo_findings.server import stdio

        stdio.serve(bound=plain[0], here=plain[1])
    if verb == ["hook"] and not {"-h", "--help"} & set(argv):
        from claudedo_findings.hook import front

        # All is written; to take an interpreter down that held a store lasts a tenth as long as the answer itself.
        os._exit(front.main(argv[1:]))
    from claudedo_findings import cli

    if verb == ["pointer"] and plain:
        return cli.pointer(plain[0], here=plain[1])
    return cli.main(argv)


def _plain(options: list[str]) -> tuple[str | None, bool] | None:
    """Return list and `--here` of a verb's options, None for everything that argparse should judge."""
    match options:
        case []:
            return None, False
        case ["--here"]:
            return None, True
        case ["--list", name] if name.strip() and not name.startswith("-"):
            return name, False
        case [option] if option.startswith("--list=") and option.removeprefix("--list=").strip():
            return option.removeprefix("--list="), False
    return None


if __name__ == "__main__":
    sys.exit(main())
