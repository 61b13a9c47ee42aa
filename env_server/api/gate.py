"""The gate. Every request passes it first: it assigns a request id and checks Host, credential and body size."""

import asyncio
import hmac
import re
import secrets
from collections.abc import Mapping
from itertools import count
from time import perf_counter, time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent_env_schemas import ErrorCode
from env_server.api.context import stopping
from env_server.api.mcp.paths import asks_as_mcp
from env_server.api.pages import OPEN_PATHS, is_page
from env_server.api.problems import problem_response, rpc_response, too_large
from env_server.api.query import check_query
from env_server.episodes.codec.address import mcp_path, plays_over_mcp, speaks_mcp
from env_server.episodes.codec.tokens import PREFIX, Tokens
from env_server.episodes.quotas import PAYER
from env_server.errors import ProblemError
from env_server.lazy import ClosedContextError
from env_server.settings import Settings
from env_server.telemetry import traces
from env_server.telemetry.request_log import REQUEST_LOG

ANONYMOUS = "anonymous"
"""The name of every caller of a server without keys."""

AGENT = "agent:"
"""The caller name for requests with an agent token. It cannot equal a key's name, since those have no colon."""

AGENTS = "send the episode's `agent_token`, from its reset, as `Authorization: Bearer TOKEN`; a trainer may also "

_REFUSALS = {ErrorCode.UNAUTHORIZED, ErrorCode.FORBIDDEN}

ROUNDS = 3
"""Event-loop iterations to wait until a closed connection has been released."""

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([\w.\-]+))(?::\d+)?")

_GUARDED = frozenset(("http", "websocket"))
_BEGINNINGS = frozenset(("http.response.start", "websocket.http.response.start"))
log = structlog.get_logger(__name__)

RawHeaders = dict[bytes, bytes]
_READ = frozenset((b"host", b"origin", b"authorization", b"content-length"))


class Gate:
    """ASGI middleware. Puts `caller` (the key's name) and `request_id` into the request's state."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Guard `app` with the keys, hosts and limits of `settings`."""
        self._app = app
        self._keys = {name: key.encode() for name, key in settings.keys().items()}
        self._hosts = settings.hosts()
        self._process, self._numbers = secrets.token_hex(4), count(1)
        self._good_hosts: set[str] = set()
        self._max_body = settings.max_body_bytes
        self._max_batch = settings.max_batch_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application, or answer it with a problem."""
        if scope["type"] not in _GUARDED:
            await self._app(scope, receive, send)
            return
        if not traces.on() or scope["path"] in OPEN_PATHS:
            await self._answer(scope, receive, send)
            return
        with traces.request(scope) as span:
            status = await self._answer(scope, receive, send)
            traces.answered(span, status, scope["state"])

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> int:
        """Answer a request, and return the status of the answer; 0 if the client left before the answer began."""
        headers = {name: value for name, value in reversed(scope["headers"]) if name in _READ}
        request_id = f"{self._process}-{next(self._numbers)}"
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        answered = _Answered(send, request_id)
        named = answered.send
        began = perf_counter()
        scope["app"].state.admission.enter()
        try:
            if scope["path"] not in OPEN_PATHS:  # the Host of a probe is the address of a machine or pod
                self._check_host(headers.get(b"host", b""))
            if (origin := headers.get(b"origin")) is not None:  # a browser: only pages of allowed hosts may play
                self._check_host(origin.partition(b"://")[2])
            if "\0" in scope["path"] or b"%00" in scope["query_string"]:
                raise ProblemError(ErrorCode.INVALID_REQUEST, "the path and the query must not contain NUL")
            if scope["path"] not in OPEN_PATHS:
                if is_page(scope):  # the page asks for a session of its own
                    _refuse_agents(headers)
                else:
                    state["caller"] = self._caller(headers, scope["path"], scope["app"].state.tokens)
                    PAYER.set(state["caller"])
                    check_query(scope)
                try:
                    await scope["app"].state.episodes.get()
                except ClosedContextError as e:
                    raise stopping() from e
            limit = self._max_batch if scope["path"].startswith("/batch/") else self._max_body
            await self._app(scope, _bounded(headers, receive, limit), named)
        except ProblemError as e:
            extra = {"WWW-Authenticate": "Bearer"} if e.code is ErrorCode.UNAUTHORIZED else None
            if e.code in _REFUSALS:
                refused = "a credential was refused" if b"authorization" in headers else "refused without a credential"
                log.warning(refused, path=scope["path"], why=e.detail, request_id=request_id)
            respond = rpc_response if speaks_mcp(scope["path"]) or asks_as_mcp(scope) else problem_response
            await respond(e, request_id, extra)(scope, receive, named)
            if scope["type"] == "websocket":
                await _closed()
        finally:
            scope["app"].state.admission.leave()
            if REQUEST_LOG.is_on and scope["type"] == "http" and scope["path"] not in OPEN_PATHS:
                REQUEST_LOG.write(scope, answered.status, perf_counter() - began)
        return answered.status

    def _check_host(self, header: bytes) -> None:
        host = header.decode("latin-1").lower()
        if host in self._good_hosts:
            return
        found = _HOST.fullmatch(host)
        name = (found[1] or found[2]) if found else host
        if found is None or (self._hosts is not None and name not in self._hosts):
            raise ProblemError(
                ErrorCode.HOST_NOT_ALLOWED, f"this server does not answer to {name!r}; see ENV_SERVER_ALLOWED_HOSTS"
            )
        if len(self._good_hosts) < 64:
            self._good_hosts.add(host)

    def _caller(self, headers: RawHeaders, path: str, tokens: Tokens) -> str:
        given_header = headers.get(b"authorization")
        if given_header is None and not self._keys:
            return ANONYMOUS
        scheme, _, credential = (given_header or b"").decode("latin-1").partition(" ")
        credential = credential.strip() if scheme.lower() == "bearer" else ""
        if credential.startswith(PREFIX):
            episode_id = tokens.episode_of(credential, time())
            if episode_id is None:
                raise ProblemError(ErrorCode.UNAUTHORIZED, "the agent token is not valid, or has expired")
            own = mcp_path(episode_id)
            if path.removesuffix("/") == own:
                return AGENT
            raise ProblemError(
                ErrorCode.FORBIDDEN, f"an agent token is valid only for the tools of its episode, at {own}"
            )
        if not self._keys:
            return ANONYMOUS
        found = owner(self._keys, credential.encode())
        if found is None:
            known = "" if not credential else "the server does not know this key; "
            wanted = f"{known}{AGENTS if plays_over_mcp(path) else ''}send a key as `Authorization: Bearer KEY`"
            raise ProblemError(ErrorCode.UNAUTHORIZED, wanted)
        return found


def owner(keys: Mapping[str, bytes], given: bytes) -> str | None:
    """Return the name of the key `given`, or None. How long this takes does not tell which key it resembles."""
    found = None
    for name, key in keys.items():
        if hmac.compare_digest(given, key):
            found = name
    return found


def _refuse_agents(headers: RawHeaders) -> None:
    """Refuse a request to a page that carries an agent token.

    Raises:
        ProblemError: `forbidden`.
    """
    _, _, credential = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if credential.strip().startswith(PREFIX):
        raise ProblemError(ErrorCode.FORBIDDEN, "an agent token opens no page")


def _bounded(headers: RawHeaders, receive: Receive, limit: int) -> Receive:
    """Return a `receive` that refuses bodies over `limit` bytes, with or without a Content-Length.

    Raises:
        ProblemError: `body_too_large` if Content-Length is over the limit. The returned callable raises the same.
    """
    announced = headers.get(b"content-length")
    if announced is not None and announced.isdigit():
        if int(announced) > limit:
            raise too_large(limit)
        return receive
    seen = 0

    async def counting() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise too_large(limit)
        return message

    return counting


async def _closed() -> None:
    """Give the server time to close the connection of a refused WebSocket handshake.

    The server writes the refusal and closes at once. It learns a few event-loop iterations later that the connection is
    closed. If the application returned before that, the server would log an error about an unanswered handshake.
    """
    for _ in range(ROUNDS):
        await asyncio.sleep(0)


class _Answered:
    """A `send` that adds the request's id to the headers of the answer, and keeps its status."""

    def __init__(self, send: Send, request_id: str) -> None:
        """Send to `send`."""
        self._send, self._id = send, request_id.encode()
        self.status = 0

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] in _BEGINNINGS:
            self.status = message["status"]
            message["headers"] = [*message["headers"], (b"x-request-id", self._id)]
        await self._send(message)
