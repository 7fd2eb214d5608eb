"""Check the registrations of this tool in the settings of MCP clients. Starts none of them."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence

from claudedo_findings import clients, service
from claudedo_findings.clients import Registration
from claudedo_findings.errors import FindingsError
from claudedo_findings.problem import Problem

_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|localhost):(\d{1,5})/mcp/?\Z")


def told(projects: Sequence[str], command: Sequence[str]) -> Iterator[str | Problem]:
    """Yield each registration that is fine, and what is wrong with the others."""
    count = 0
    for source in clients.settings(projects):
        try:
            found = clients.registrations(source)
        except FindingsError as error:
            hint = "until it is corrected that client may start no server at all"
            yield Problem(rule="client", path=source.path, line=1, what=str(error), hint=hint)
            continue
        for each in found or ():
            count += 1
            wrong = _wrong(each)
            if wrong:
                yield Problem(rule="client", path=each.path, line=each.line, what=wrong[0], hint=wrong[1])
            else:
                starts = each.url or " ".join(each.command)
                yield f"client: {each.client} has it as {each.name!r}: {starts} ({each.path})"
    if not count:
        yield f"client: none has it registered; '{' '.join(command)} connect CLIENT' prints how"


def _wrong(each: Registration) -> tuple[str, str] | None:
    """Return what is wrong with a registration and what to do."""
    connect = f"see 'claudedo-findings connect {each.client}'"
    if each.url:
        port = _LOOPBACK.match(each.url)
        if not port:
            return f"{each.name!r} is registered at {each.url}, which is not this machine's service", connect
        try:
            if service.health(int(port[1])):
                return None
        except FindingsError as error:
            return f"{each.name!r} is registered at {each.url}, but {error}", connect
        return f"{each.name!r} is registered at {each.url}, where nothing listens", "start it: 'serve --http'"
    program = os.path.expandvars(os.path.expanduser(each.command[0]))
    if not (os.path.isfile(program) and os.access(program, os.X_OK)) and not shutil.which(program):
        return f"{each.name!r} starts {each.command[0]}, which is not there", f"register it again: {connect}"
    if "serve" not in each.command:
        return f"{each.name!r} starts {' '.join(each.command)}, without 'serve'", f"register it again: {connect}"
    return None
