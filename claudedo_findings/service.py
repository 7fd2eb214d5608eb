"""What a client of the HTTP service has to know: where it listens, and the key it asks for."""

import os
import sys

from claudedo_findings import files, folders, lock
from claudedo_findings.errors import FindingsError

HOST = "127.0.0.1"
PORT = 47823  # 47821 and 47822 belong to the ClaudeDo host
KEY_VARIABLE = "CLAUDEDO_FINDINGS_KEY"
KEY_HEADER, TASK_HEADER, LIST_HEADER = "X-ClaudeDo-Key", "X-ClaudeDo-Task", "X-ClaudeDo-List"
_SHORTEST, _LONGEST = 16, 512  # characters; what this tool makes has 43


def url(port: int = PORT) -> str:
    """Return the address that MCP clients are given."""
    return f"http://{HOST}:{port}/mcp"


def key_path() -> str:
    """Return the absolute path of the file that holds the key; it may not exist yet."""
    return os.path.join(folders.state(), "service.key")


def key() -> tuple[str, str]:
    """Return the key and the file it lies in ("" when the environment gave it); makes it when there is none.

    Raises FindingsError for a key that is no use, or that other users of the machine can read.
    """
    given = os.environ.get(KEY_VARIABLE)
    if given is not None:
        return _checked(given.strip(), f"{KEY_VARIABLE} in the environment", "set a longer one, or unset it"), ""
    path = key_path()
    stored = _read(path)
    if stored is None:
        with lock.locked(f"{path}.lock"):  # two services may start at once; they must agree
            stored = _read(path)
            if stored is None:
                import secrets  # 2 ms that the other verbs need not pay

                stored = secrets.token_urlsafe(32)
                files.write_atomic(path, f"{stored}\n".encode(), mode=0o600)
    return stored, path


def stored_key() -> str | None:
    """Return the key that the next start will take, None when it will make one. Raises FindingsError like `key`."""
    return key()[0] if os.environ.get(KEY_VARIABLE) is not None else _read(key_path())


def health(port: int, timeout: float = 2.0) -> dict[str, object] | None:
    """Return what the service on this port of loopback says of itself, None when nobody listens there.

    Raises FindingsError when another program does.
    """
    import http.client
    import json

    connection = http.client.HTTPConnection(HOST, port, timeout=timeout)  # asks no proxy, whatever the environment says
    try:
        connection.request("GET", "/health")
        answer = json.loads(connection.getresponse().read(4096))
        if answer["service"] == "claudedo-findings":
            return {"version": str(answer["version"]), "pid": int(answer["pid"])}
    except ConnectionRefusedError:
        return None
    except (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError, http.client.HTTPException):
        pass  # not one of ours
    finally:
        connection.close()
    raise FindingsError(f"{HOST}:{port} belongs to another program: end it, or choose another --port")


def _read(path: str) -> str | None:
    data = files.read(path)
    if data is None:
        return None
    mode = os.stat(path).st_mode & 0o777
    if sys.platform != "win32" and mode & 0o077:  # there the profile's folder keeps others out
        raise FindingsError(
            f"the key file {path} is open to other users (mode {mode:04o}): "
            f"run chmod 600 on it, or delete it and start again for a new key"
        )
    return _checked(data.decode("ascii", "replace").strip(), f"the key file {path}", "delete it for a new key")


def _checked(value: str, place: str, remedy: str) -> str:
    """Return a key that a header can carry and nobody guesses. The message never shows the key."""
    if not value:
        raise FindingsError(f"the key in {place} is empty: {remedy}")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise FindingsError(f"the key in {place} holds characters that no header can carry: {remedy}")
    if not _SHORTEST <= len(value) <= _LONGEST:
        raise FindingsError(f"the key in {place} has {len(value)} characters, not {_SHORTEST} to {_LONGEST}: {remedy}")
    return value
