"""The parsers: their complaints look like every other error, and the help of the whole groups the verbs."""

import argparse
from collections.abc import Mapping
from typing import NoReturn

from claudedo_findings.cli import guide
from claudedo_findings.errors import FindingsError


class Parser(argparse.ArgumentParser):
    """A parser whose complaints look like every other error."""

    def error(self, message: str) -> NoReturn:
        """Raise FindingsError with what argparse complains about."""
        raise FindingsError(
            f"{message} (see '{self.prog} --help'; a value that starts with '-' is given as --name=value)"
        )


class Top(Parser):
    """The parser of the whole program; its help lists the verbs in groups."""

    verbs: Mapping[str, argparse.ArgumentParser]

    def format_help(self) -> str:
        """Return the help of the whole program."""
        summaries = {name: str(parser.description).rstrip(".") for name, parser in self.verbs.items()}
        listing = guide.listing({name: f"{text[0].lower()}{text[1:]}" for name, text in summaries.items()})
        options = "options:\n  --help       of a verb: its options and examples\n  --version    print the version"
        parts = (self.format_usage().rstrip(), guide.INTRODUCTION, listing, options, guide.EPILOG)
        return "\n\n".join(parts) + "\n"
