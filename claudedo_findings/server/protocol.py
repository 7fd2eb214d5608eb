"""MCP on one pipe, both eras: a line goes in, a reply or a call to run comes out. No files, no threads, no clock.

Codes, messages and data are those of the official SDK, which `tests/test_differential.py` holds this against.
"""

import json

from claudedo_findings import __version__
from claudedo_findings.errors import shown
from claudedo_findings.server import tool

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSION = "2026-07-28"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
UNSUPPORTED_VERSION = -32022

_VERSION = "io.modelcontextprotocol/protocolVersion"
_CLIENT = "io.modelcontextprotocol/clientInfo"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_SERVER = "io.modelcontextprotocol/serverInfo"
_SERVED = {False: ("ping", "tools/list", "tools/call"), True: ("server/discover", "tools/list", "tools/call")}
_SELF = {"name": "claudedo-findings", "version": __version__}
_ABILITIES = {"tools": {"listChanged": False}}

Message = dict[str, object]


class Call:
    """A `tools/call` that passed every check and is still to be run, since a save takes its time."""

    def __init__(self, request_id: object, arguments: object, *, modern: bool) -> None:
        self.request_id = request_id
        self.arguments = arguments
        self._modern = modern

    def reply(self, result: Message) -> Message:
        """Return the reply that carries the tool's result."""
        return _reply(self.request_id, result, modern=self._modern)


class Session:
    """What one pipe has agreed on: the era of requests without an envelope, and whether `initialize` was seen.

    The eras mix freely. A client whose `server/discover` timed out sends `initialize` on the same pipe; the SDK
    refuses that with -32022, and clients then give the server up.
    """

    def __init__(self) -> None:
        self._modern: bool | None = None
        self._initialized = False

    def receive(self, line: bytes) -> Message | Call | None:
        """Return the reply to a line, the call to run for it, or None where no answer is due. Never raises."""
        if not line.strip():
            return None
        request_id: object = None
        try:
            message = _parsed(line)
            if "method" not in message and ("result" in message or "error" in message):
                return None  # an answer, though nothing was asked
            request_id = message.get("id") if type(message.get("id")) in (int, str) else None
            method = _method(message, request_id)
            return None if request_id is None else self._request(request_id, method, message.get("params"))
        except _ProtocolError as error:
            return failure(request_id, error.code, error.message, error.data)

    def _request(self, request_id: object, method: str, given: object) -> Message | Call:
        if not isinstance(given, dict | None):
            raise _invalid()
        params: Message = given or {}
        meta = params.get("_meta")
        enveloped = isinstance(meta, dict) and _VERSION in meta
        if self._modern is None:
            self._modern = enveloped and method != "initialize"
        if method == "initialize":
            result = _initialize(params)
            self._modern, self._initialized = False, True
            return _reply(request_id, result, modern=False)
        modern = enveloped or self._modern
        if modern:
            _check_version(meta)
        if method not in _SERVED[modern]:
            raise _ProtocolError(METHOD_NOT_FOUND, "Method not found", method)
        if not _fits(method, params, modern=modern) or not (modern or self._initialized or method == "ping"):
            raise _invalid()
        if method == "tools/call":
            if params["name"] != tool.NAME:
                raise _ProtocolError(INVALID_PARAMS, f"Unknown tool: {shown(params['name'])}")
            return Call(request_id, params.get("arguments"), modern=modern)
        return _reply(request_id, _result(method, modern=modern), modern=modern)


def failure(request_id: object, code: int, message: str, data: object = None) -> Message:
    """Return an error reply; `request_id` is None where the line had none that can be used."""
    error: Message = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def encode(message: Message) -> bytes:
    """Return a message as one line of UTF-8; where a lone surrogate has no UTF-8 form, as escapes."""
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"


class _ProtocolError(Exception):
    """What becomes a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code, self.message, self.data = code, message, data


TOO_LONG = failure(None, INVALID_REQUEST, "Invalid request: the line is too long")


def _invalid() -> _ProtocolError:
    return _ProtocolError(INVALID_PARAMS, "Invalid request parameters", "")


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _parsed(line: bytes) -> Message:
    try:
        # Decoded here: json.loads would also take UTF-16 and encoded surrogates.
        message = json.loads(line.removeprefix(b"\xef\xbb\xbf").decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # the second from nesting that no client means
        raise _ProtocolError(PARSE_ERROR, "Parse error") from error
    if not isinstance(message, dict):
        raise _ProtocolError(INVALID_REQUEST, "Invalid request")
    return message


def _method(message: Message, request_id: object) -> str:
    """Return the method of a request, or of a notification, which has no id at all."""
    method = message.get("method")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or ("id" in message and request_id is None):
        raise _ProtocolError(INVALID_REQUEST, "Invalid request")
    return method


def _check_version(meta: object) -> None:
    if not isinstance(meta, dict):
        needed = f"the required {_VERSION!r} and {_CAPABILITIES!r} envelope keys"
        raise _ProtocolError(INVALID_PARAMS, f"params._meta must be an object carrying {needed}")
    missing = ", ".join(key for key in (_VERSION, _CAPABILITIES) if key not in meta)
    if missing:
        raise _ProtocolError(INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {missing}")
    version = meta[_VERSION]
    if not isinstance(version, str):
        raise _ProtocolError(INVALID_PARAMS, "the protocol-version envelope value must be a string")
    if version != ENVELOPE_VERSION:
        data = {"supported": [ENVELOPE_VERSION], "requested": version}
        raise _ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _fits(method: str, params: Message, *, modern: bool) -> bool:
    """Return whether the parameters that matter here have the schema's types."""
    meta = params.get("_meta")
    if not isinstance(meta, dict | None):
        return False
    if modern and meta is not None:  # never None here: `_check_version` came first
        client = meta.get(_CLIENT)
        if not isinstance(meta[_CAPABILITIES], dict) or not (client is None or _names_itself(client)):
            return False
    if method == "tools/list":
        return isinstance(params.get("cursor"), str | None)
    if method == "tools/call":
        return isinstance(params.get("name"), str) and isinstance(params.get("arguments"), dict | None)
    return True


def _names_itself(client: object) -> bool:
    return isinstance(client, dict) and isinstance(client.get("name"), str) and isinstance(client.get("version"), str)


def _initialize(params: Message) -> Message:
    version = params.get("protocolVersion")
    if (
        not isinstance(version, str)
        or not isinstance(params.get("capabilities"), dict)
        or not isinstance(params.get("_meta"), dict | None)
        or not _names_itself(params.get("clientInfo"))
    ):
        raise _invalid()
    return {
        "protocolVersion": version if version in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": _ABILITIES,
        "serverInfo": _SELF,
        "instructions": tool.INSTRUCTIONS,
    }


def _result(method: str, *, modern: bool) -> Message:
    if method == "ping":
        return {}
    result: Message = {"tools": [tool.listing()]}
    if method == "server/discover":
        result = {
            "supportedVersions": [ENVELOPE_VERSION],
            "capabilities": _ABILITIES,
            "instructions": tool.INSTRUCTIONS,
        }
    return {**result, "ttlMs": 0, "cacheScope": "private"} if modern else result


def _reply(request_id: object, result: Message, *, modern: bool) -> Message:
    if modern:
        result = {**result, "resultType": "complete", "_meta": {_SERVER: _SELF}}
    return {"jsonrpc": "2.0", "id": request_id, "result": result}
