"""From stdin to stdout within a second, whatever happens: an agent waits for this."""

import os
import sys
import threading

LATEST = 1.0  # seconds until it gives up


class _Answer:
    """The one thing that is written to stdout: the answer, or what was ready when time ran out."""

    def __init__(self) -> None:
        self.ready = ""
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        """Write once; who comes second says nothing."""
        if self._lock.acquire(blocking=False) and text:
            os.write(1, text.encode("utf-8"))

    def give_up(self) -> None:
        """Say what is ready and end the process: whatever still runs is of no use to the agent any more."""
        self.say(self.ready)
        os.write(2, f"claudedo-findings hook: gave up after {LATEST:.0f} s\n".encode())
        os._exit(0)


def main(options: list[str]) -> int:
    """Answer the event on stdin as the options say and return 0, always; a fault of ours is told on stderr.

    Any other exit code could stop the agent: one of them reads 2 as "refuse this call".
    """
    said = _Answer()
    watch = threading.Timer(LATEST, said.give_up)
    watch.daemon = True
    watch.start()
    try:
        said.say(_answer(sys.stdin.buffer.read(), _dialect(options), said))
    except Exception as error:  # noqa: BLE001  # an agent must not fail because of its memory
        _complain(error)
    watch.cancel()
    return 0


def _dialect(options: list[str]) -> str:
    from claudedo_findings.errors import FindingsError, shown
    from claudedo_findings.hook import event

    if not options:
        return ""
    name = options[-1].removeprefix("--format=")
    if options in (["--format", name], [f"--format={name}"]) and name in event.DIALECTS:
        return name
    raise FindingsError(f"{shown(' '.join(options))} is refused: '--format' takes {', '.join(event.DIALECTS)}")


def _complain(error: Exception) -> None:
    """Tell a fault in one line, with the kind of an error that is a bug."""
    from claudedo_findings.errors import FindingsError

    kind = "" if isinstance(error, FindingsError) else f"{type(error).__name__}: "
    line = " ".join(f"claudedo-findings hook: {kind}{error}".split())
    os.write(2, line.encode("utf-8", "backslashreplace") + b"\n")


def _answer(data: bytes, dialect: str, said: _Answer) -> str:
    from claudedo_findings.hook import event  # after the watch has begun

    if len(data) > event.LIMIT:
        return ""
    known = event.parse(data, dialect)
    if not (known.starts or known.paths or known.error):
        return ""
    from claudedo_findings.hook import facts  # most events end above

    def at_once(text: str) -> None:
        said.ready = event.answer(known, text)

    text = facts.of_event(known, at_once=at_once)
    return event.answer(known, text) if text else ""
