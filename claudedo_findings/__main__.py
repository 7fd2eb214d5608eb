"""Where the command starts. A plain `serve` and `hook` are told apart before argparse, which they cannot afford."""

import sys


def main() -> int:
    """Run the command line's arguments and return the exit status."""
    argv = sys.argv[1:]
    options = _plain_serve(argv)
    if options is not None:
        from claudedo_findings.server import stdio

        stdio.serve(bound=options[0], here=options[1])
    if argv[:1] == ["hook"] and not {"-h", "--help"} & set(argv):
        from claudedo_findings.hook import front

        return front.main(argv[1:])
    from claudedo_findings import cli

    return cli.main(argv)


def _plain_serve(argv: list[str]) -> tuple[str | None, bool] | None:
    """Return list and `--here` of a `serve` over stdio, None for everything that argparse should judge."""
    match argv:
        case ["serve"]:
            return None, False
        case ["serve", "--here"]:
            return None, True
        case ["serve", "--list", name] if name and not name.startswith("-"):
            return name, False
        case ["serve", option] if option.startswith("--list=") and option != "--list=":
            return option.removeprefix("--list="), False
    return None


if __name__ == "__main__":
    sys.exit(main())
