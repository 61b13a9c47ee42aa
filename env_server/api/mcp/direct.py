"""Usual calls of tools, answered without the SDK, which would take half of the time of such a call.

A call is usual if it is in the newest protocol, well-formed, and asks for nothing but a tool's result as JSON. Its
reply has the bytes that the SDK would send. The SDK answers all other requests, those with a mistake included.
"""

import json
import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

import orjson
from mcp.server.runner import modern_error_data
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp.types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, SERVER_INFO_META_KEY, JSONRPCError
from mcp.types.methods import parse_client_request, serialize_server_result
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.types import Scope, Send

from env_server.api.body import LONG
from env_server.api.mcp.calls import KEY, STATUS, Player
from env_server.episodes import Episodes

VERSION: Final = "2026-07-28"
METHOD: Final = "tools/call"

_HEADERS: Final = {b"mcp-protocol-version": VERSION.encode(), b"mcp-method": METHOD.encode()}
_ACCEPTED: Final = frozenset((b"application/json, text/event-stream", b"application/json", b"*/*"))
_NAME: Final = re.compile(r"[A-Za-z0-9_./-]+")
"""Names that a header carries as they are."""

_PARAMS: Final = frozenset(("name", "arguments", "_meta"))
_OURS: Final = frozenset((KEY, STATUS))
_encode_ascii = json.JSONEncoder(separators=(",", ":")).encode


class UsualCall(NamedTuple):
    """A call that is well-formed in every respect."""

    id: int | str
    name: str
    arguments: dict[str, Any] | None
    meta: dict[str, Any]


def usual_call(headers: list[tuple[bytes, bytes]], body: bytes) -> UsualCall | None:
    """Return the call in a request; None if it is not usual, or is none."""
    given = dict(headers)
    if len(given) < len(headers) or not _HEADERS.items() <= given.items() or len(body) > LONG:
        return None
    if given.get(b"content-type") != b"application/json" or given.get(b"accept") not in _ACCEPTED:
        return None
    try:
        message = from_json(body)
    except ValueError:
        return None
    call = _call_in(message)
    if call is None or given.get(b"mcp-name") != call.name.encode() or not _NAME.fullmatch(call.name):
        return None
    return call


def _call_in(message: Any) -> UsualCall | None:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or message.get("method") != METHOD:
        return None
    number, params = message.get("id"), message.get("params")
    if isinstance(number, bool) or not isinstance(number, int | str):
        return None
    if not isinstance(params, dict) or not _PARAMS.issuperset(params):
        return None
    name, arguments, meta = params.get("name"), params.get("arguments"), params.get("_meta")
    if not isinstance(name, str) or not isinstance(arguments, dict | None) or not isinstance(meta, dict):
        return None
    try:
        others = orjson.dumps({key: value for key, value in meta.items() if key not in _OURS})
    except TypeError:
        return None
    return UsualCall(number, name, arguments, meta) if _is_valid(others) else None


@lru_cache(maxsize=256)
def _is_valid(meta: bytes) -> bool:
    """Return whether the protocol allows a call with this `_meta`. A client sends the same with all its calls."""
    found = orjson.loads(meta)
    if found.get(PROTOCOL_VERSION_META_KEY) != VERSION or CLIENT_CAPABILITIES_META_KEY not in found:
        return False
    try:
        parse_client_request(METHOD, VERSION, {"name": "", "_meta": found})
    except ValidationError:
        return False
    return True


class DirectCalls:
    """Answers usual calls of the tools of episodes."""

    def __init__(self, player: Player, server_info: dict[str, Any]) -> None:
        """Play calls with `player`. `server_info` is part of each result."""
        self._player, self._stamp = player, {SERVER_INFO_META_KEY: server_info}

    async def answer(self, scope: Scope, body: bytes, send: Send) -> bool:
        """Answer a request if it is a usual call, and return whether it is."""
        call = usual_call(scope["headers"], body)
        if call is None:
            return False
        episodes: Episodes = scope["app"].state.episodes.value
        try:
            result = await self._player.call(episodes, scope["state"]["episode"], call.name, call.arguments, call.meta)
            status, answer = 200, {"jsonrpc": "2.0", "id": call.id, "result": self._on_the_wire(result)}
        except Exception as e:
            error = JSONRPCError(jsonrpc="2.0", id=call.id, error=modern_error_data(e))
            status = ERROR_CODE_HTTP_STATUS.get(error.error.code, 200)
            answer = error.model_dump(mode="json", by_alias=True, exclude_none=True)
        content = encoded(answer)
        headers = [(b"content-length", b"%d" % len(content)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})
        return True

    def _on_the_wire(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result as the SDK sends it."""
        if "structuredContent" in result:
            result = serialize_server_result(METHOD, VERSION, result)
        return {**result, "_meta": {**result.get("_meta", {}), **self._stamp}}


def encoded(answer: dict[str, Any]) -> bytes:
    """Return an answer as the JSON that the SDK writes."""
    try:
        content = orjson.dumps(answer)
    except TypeError:  # an id of more than 64 bits
        return _encode_ascii(answer).encode()
    plain = content.isascii() and b"\x7f" not in content and b"structuredContent" not in content  # numbers may differ
    return content if plain else _encode_ascii(answer).encode()
