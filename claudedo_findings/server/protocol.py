"""MCP on one pipe, both eras: a line goes in, a reply or a call to run comes out. No files, no threads, no clock.

Codes, messages and data are those of the official SDK, which `tests/test_differential.py` holds this against.
"""

from claudedo_findings import __version__
from claudedo_findings.errors import shown
from claudedo_findings.server import jsonrpc, tool
from claudedo_findings.server.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Message, RequestError

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSION = "2026-07-28"
UNSUPPORTED_VERSION = -32022

_VERSION = "io.modelcontextprotocol/protocolVersion"
_CLIENT = "io.modelcontextprotocol/clientInfo"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_SERVER = "io.modelcontextprotocol/serverInfo"
_SERVED = {False: ("ping", "tools/list", "tools/call"), True: ("server/discover", "tools/list", "tools/call")}
_SELF = {"name": "claudedo-findings", "version": __version__}
_ABILITIES = {"tools": {"listChanged": False}}


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
        request_id: int | str | None = None
        try:
            message = jsonrpc.parse(line)
            if "method" not in message and ("result" in message or "error" in message):
                return None  # an answer, though nothing was asked
            request_id = jsonrpc.request_id(message)
            method = jsonrpc.method(message)
            return None if request_id is None else self._request(request_id, method, message.get("params"))
        except RequestError as error:
            return jsonrpc.failure(request_id, error.code, error.message, error.data)

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
            raise RequestError(METHOD_NOT_FOUND, "Method not found", method)
        if not _fits(method, params, modern=modern) or not (modern or self._initialized or method == "ping"):
            raise _invalid()
        if method == "tools/call":
            if params["name"] != tool.NAME:
                raise RequestError(INVALID_PARAMS, f"Unknown tool: {shown(params['name'])}")
            return Call(request_id, params.get("arguments"), modern=modern)
        return _reply(request_id, _result(method, modern=modern), modern=modern)


def _invalid() -> RequestError:
    return RequestError(INVALID_PARAMS, "Invalid request parameters", "")


def _check_version(meta: object) -> None:
    if not isinstance(meta, dict):
        needed = f"the required {_VERSION!r} and {_CAPABILITIES!r} envelope keys"
        raise RequestError(INVALID_PARAMS, f"params._meta must be an object carrying {needed}")
    missing = ", ".join(key for key in (_VERSION, _CAPABILITIES) if key not in meta)
    if missing:
        raise RequestError(INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {missing}")
    version = meta[_VERSION]
    if not isinstance(version, str):
        raise RequestError(INVALID_PARAMS, "the protocol-version envelope value must be a string")
    if version != ENVELOPE_VERSION:
        data = {"supported": [ENVELOPE_VERSION], "requested": version}
        raise RequestError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


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
