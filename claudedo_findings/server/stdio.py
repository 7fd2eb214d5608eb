"""The stdio front, which MCP clients start per session: standard library alone, a first reply in milliseconds.

A reader thread takes the lines, worker threads run the calls, and the main thread waits for the end, so that a signal
never lands in the middle of starting a call.
"""

import os
import queue
import signal
import sys
import threading

from claudedo_findings.server import jsonrpc, protocol, tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, NoReturn

    from claudedo_findings.resolution import Caller

LINE_LIMIT = 16 * 1024 * 1024  # bytes; the longest finding has some 10,000
CALLS = 8  # at once; they queue for the store's lock anyway
UNREAD = 1.0  # seconds that an ending server waits for a client to read its last answers
# Windows does not interrupt a wait without a limit when Ctrl-C comes.
_TURN = 1.0 if sys.platform == "win32" else None
# What a save needs, some 100 ms in all: imported after the first reply, there when the first call comes.
_WARM = ("typing", "claudedo_findings.save", "subprocess", "filelock", "tomllib", "platformdirs", "sqlite3")


def serve(*, bound: str | None = None, here: bool = False) -> "NoReturn":
    """Answer MCP on stdin and stdout until the input ends, then end the process: 0, or 130 after Ctrl-C.

    `bound` names the only list to save to; `here` binds to the checkout of the working directory.
    Running saves are finished first, whatever ends the server.
    """
    front = _Front(bound, here=here)
    signal.signal(signal.SIGINT, lambda _number, _frame: front.end(130))
    signal.signal(signal.SIGTERM, lambda _number, _frame: front.end(0))
    threading.Thread(target=front.read, daemon=True).start()
    status = front.wait()
    # Not sys.exit: it would wait for a thread that still reads, or writes to a client that does not read.
    os._exit(status)


class _Front:
    """One pipe: its reader, its writer, and the calls in flight."""

    def __init__(self, bound: str | None, *, here: bool) -> None:
        self._bound, self._here = bound, here
        self._wire = _take_stdout()
        self._writing = threading.Lock()
        self._calls = threading.Condition()
        self._saving = self._unanswered = self._workers = 0
        self._waiting: queue.SimpleQueue[protocol.Call] = queue.SimpleQueue()
        # To the main thread: None after the first reply, an exit status at the end. A signal may put at any moment.
        self._news: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._over = False

    def read(self) -> None:
        """Answer line after line until the input ends."""
        session = protocol.Session()
        fresh = True
        try:
            while line := _line(sys.stdin.buffer):
                found = session.receive(line) if len(line) <= LINE_LIMIT else jsonrpc.TOO_LONG
                if isinstance(found, protocol.Call):
                    self._start(found)
                elif found:
                    self._send(found)
                if found and fresh:
                    fresh = False
                    self._news.put(None)
        finally:
            self.end(0)

    def end(self, status: int) -> None:
        """Let the server end with `status`; no further call is started, and the first reason counts."""
        self._over = True
        self._news.put(status)

    def wait(self) -> int:
        """Return the exit status when the end has come, no save runs, and the client has what it will read."""
        while (status := self._hear()) is None:
            _warm()
        with self._calls:
            self._calls.wait_for(lambda: not self._saving)
            self._calls.wait_for(lambda: not self._unanswered, UNREAD)
        self._writing.acquire(timeout=UNREAD)  # and kept: the exit cuts no line
        return status

    def _hear(self) -> int | None:
        while True:
            try:
                return self._news.get(timeout=_TURN)
            except queue.Empty:
                continue

    def _start(self, call: protocol.Call) -> None:
        with self._calls:
            self._calls.wait_for(lambda: self._unanswered < CALLS)
            if self._over:
                return
            self._saving += 1
            self._unanswered += 1
            all_busy = self._workers < self._unanswered
        self._waiting.put(call)
        if all_busy:  # else one that waits takes it: to start a thread costs a save some of its time
            self._hire()

    def _hire(self) -> None:
        try:
            threading.Thread(target=self._work, daemon=True).start()
            self._workers += 1
        except RuntimeError:  # the system gives no more threads
            if not self._workers:
                self._run(self._waiting.get())

    def _work(self) -> None:
        while True:
            self._run(self._waiting.get())

    def _run(self, call: protocol.Call) -> None:
        try:
            reply = call.reply(tool.call(call.arguments, self._caller()))
        except Exception as error:  # noqa: BLE001  # a broken installation, say: the client must hear of it
            text = f"internal error ({type(error).__name__})"
            reply = jsonrpc.failure(call.request_id, jsonrpc.INTERNAL_ERROR, text)
            sys.excepthook(type(error), error, error.__traceback__)
        with self._calls:
            self._saving -= 1
            self._calls.notify_all()
        self._send(reply)
        with self._calls:
            self._unanswered -= 1
            self._calls.notify_all()

    def _caller(self) -> "Caller":
        # `dataclasses` looks at `typing` without the import's lock, and would meet the half that _warm has loaded.
        import typing  # noqa: F401

        from claudedo_findings import resolution

        try:
            cwd = os.getcwd()
        except OSError:  # the worktree was removed under the session
            cwd = ""
        task, task_list = os.environ.get("CLAUDEDO_TASK_ID", ""), os.environ.get("CLAUDEDO_LIST", "")
        return resolution.Caller(task=task, task_list=task_list, bound=self._bound, here=self._here, cwd=cwd)

    def _send(self, message: jsonrpc.Message) -> None:
        data = jsonrpc.encode(message)
        with self._writing:
            try:
                self._wire.write(data)
                self._wire.flush()
            except OSError:  # the client is gone; its end of our input may stay open all the same
                self.end(0)


def _take_stdout() -> "BinaryIO":
    """Return the protocol's pipe, and let whatever else is printed, here or by a child, go to stderr."""
    wire = open(os.dup(1), "wb")  # noqa: SIM115  # open as long as the process
    try:
        os.dup2(2, 1)
    except OSError:  # started without stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    return wire


def _line(source: "BinaryIO") -> bytes:
    """Return the next line, b"" at the end of input; one that is too long is skipped but for its beginning."""
    line = rest = source.readline(LINE_LIMIT + 1)
    while len(line) > LINE_LIMIT and rest and not rest.endswith(b"\n"):
        rest = source.readline(LINE_LIMIT)
    return line


def _warm() -> None:
    for name in _WARM:
        try:
            __import__(name)
        except Exception:  # noqa: BLE001  # whoever needs it says so
            return
