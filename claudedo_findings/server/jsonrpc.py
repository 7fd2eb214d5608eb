"""JSON-RPC as lines: what a line says, and what an answer looks like on the wire. Knows nothing of MCP."""

import json

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603

Message = dict[str, object]


class RequestError(Exception):
    """What becomes an error reply."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code, self.message, self.data = code, message, data


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def parse(line: bytes) -> Message:
    """Return the object that a line holds; raises RequestError for everything else."""
    try:
        # Decoded here: json.loads would also take UTF-16 and encoded surrogates.
        message = json.loads(line.removeprefix(b"\xef\xbb\xbf").decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # the second from nesting that no client means
        raise RequestError(PARSE_ERROR, "Parse error") from error
    if not isinstance(message, dict):
        raise RequestError(INVALID_REQUEST, "Invalid request")
    return message


def request_id(message: Message) -> int | str | None:
    """Return the identifier of a request, None where there is none that can be used."""
    found = message.get("id")
    return found if isinstance(found, int | str) and not isinstance(found, bool) else None


def method(message: Message) -> str:
    """Return the method of a request, or of a notification, which has no identifier at all."""
    found = message.get("method")
    nameless = "id" in message and request_id(message) is None
    if nameless or message.get("jsonrpc") != "2.0" or not isinstance(found, str):
        raise RequestError(INVALID_REQUEST, "Invalid request")
    return found


def failure(identifier: object, code: int, message: str, data: object = None) -> Message:
    """Return an error reply; `identifier` is None where the line had none that can be used."""
    error: Message = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": identifier, "error": error}


def encode(message: Message) -> bytes:
    """Return a message as one line of UTF-8; where a lone surrogate has no UTF-8 form, as escapes."""
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"


TOO_LONG = failure(None, INVALID_REQUEST, "Invalid request: the line is too long")
