"""A vendor's REST API that answers from the offline world: routes, requests and a small ASGI application."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote

from pydantic_core import from_json, to_json

from mcp_servers.kit.upstream.wire import Message
from mcp_servers.world.store import Scope, scope

Home = Callable[[], Scope]
"""A function that returns the rows and the time of a stand-alone stand-in. The first request calls it."""


@dataclass(frozen=True)
class Answer:
    """The answer of a stand-in. `body` is a JSON value."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """An exception that a handler raises to end a request with an answer."""

    def __init__(self, answer: Answer) -> None:
        """Store the answer."""
        super().__init__(answer.status)
        self.answer = answer


@dataclass(frozen=True)
class Ask:
    """A request to a stand-in."""

    method: str
    path: Mapping[str, str]
    """The parts of the path that the route names, decoded."""
    headers: Mapping[str, str]
    """The headers. Names are in lower case."""
    base: str
    """Scheme, host and prefix of the stand-in's URL, without a slash at the end."""
    url_path: str
    """The path below `base`, decoded."""
    query_string: str
    raw: bytes
    """The body of the request, as it came."""
    scope: Scope
    """The rows and the time that the handler answers from."""

    @cached_property
    def query(self) -> dict[str, str]:
        """Return the query. If a name occurs several times, the last value counts."""
        return dict(parse_qsl(self.query_string, keep_blank_values=True)) if self.query_string else {}

    def query_all(self, name: str) -> list[str]:
        """Return all values of a query parameter."""
        return parse_qs(self.query_string, keep_blank_values=True).get(name, [])

    @cached_property
    def body(self) -> dict[str, Any]:
        """Return the fields of a JSON object or of a form. Return {} if the body is neither."""
        if self.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            return dict(parse_qsl(self.raw.decode("utf-8", "replace"), keep_blank_values=True))
        try:
            found = from_json(self.raw)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def bearer(self) -> str | None:
        """Return the key of an `Authorization: Bearer ...` header."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else None


Handler = Callable[[Ask], Answer]
Admit = Callable[[Ask], Answer | None]
"""A check of a request's key, in the vendor's way. It returns None to admit the request, or an answer to reject it."""


@dataclass(frozen=True, slots=True)
class _Route:
    parts: tuple[str | None, ...]  # None matches any segment.
    names: tuple[str, ...]
    handler: Handler

    def match(self, segments: list[str]) -> dict[str, str] | None:
        free = []
        for want, given in zip(self.parts, segments, strict=True):
            if want is None:
                free.append(given)
            elif want != given:
                return None
        return dict(zip(self.names, free, strict=True))


class StandIn:
    """An ASGI application that answers as a vendor does. It uses the current scope if one is set, else its own home."""

    def __init__(self, name: str, home: Home, admit: Admit, lost: Handler) -> None:
        """Make a stand-in without routes.

        Args:
            name: The vendor's name.
            home: The rows and the time to use if no scope is set.
            admit: Checks the key.
            lost: Answers requests that match no route.
        """
        self.name = name
        self._home = home
        self._admit = admit
        self._lost = lost
        self._routes: dict[tuple[str, int], list[_Route]] = {}

    def route(self, method: str, pattern: str) -> Callable[[Handler], Handler]:
        """Register a handler for a path such as `/v2/last/trade/{ticker}`. `{name}` matches one segment."""
        segments = pattern.strip("/").split("/")
        parts = tuple(None if part.startswith("{") else part for part in segments)
        names = tuple(part[1:-1] for part in segments if part.startswith("{"))

        def register(handler: Handler) -> Handler:
            self._routes.setdefault((method, len(parts)), []).append(_Route(parts, names, handler))
            return handler

        return register

    async def __call__(self, asgi: Message, receive: Any, send: Any) -> None:
        """Answer one request; see the ASGI specification."""
        if asgi["type"] == "lifespan":
            await _live(receive, send)
            return
        body = b"" if asgi["method"] == "GET" else await _read(receive)
        answer = self.answer(asgi, body)
        headers = [(b"content-type", b"application/json; charset=utf-8")]
        headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": to_json(answer.body)})

    def answer(self, asgi: Message, body: bytes) -> Answer:
        """Return the answer to a request."""
        segments = _segments(asgi)
        handler, path = self._find(asgi["method"], segments)
        ask = self._ask(asgi, path, segments, body)
        try:
            return self._admit(ask) or handler(ask)
        except Refusal as e:
            return e.answer

    def _find(self, method: str, segments: list[str]) -> tuple[Handler, dict[str, str]]:
        for route in self._routes.get((method, len(segments)), ()):
            if (path := route.match(segments)) is not None:
                return route.handler, path
        return self._lost, {}

    def _ask(self, asgi: Message, path: dict[str, str], segments: list[str], body: bytes) -> Ask:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in asgi["headers"]}
        base = f"{asgi['scheme']}://{headers.get('host', 'localhost')}{asgi.get('root_path', '')}"
        query = asgi["query_string"].decode("latin-1")
        return Ask(asgi["method"], path, headers, base, "/" + "/".join(segments), query, body, self._scope())

    def _scope(self) -> Scope:
        try:
            return scope()
        except LookupError:
            return self._home()


def _segments(asgi: Message) -> list[str]:
    """Return the decoded segments of the path below the prefix. An encoded slash stays within its segment."""
    root = asgi.get("root_path", "").strip("/")
    raw = asgi.get("raw_path")
    path = raw.decode("ascii", "replace") if raw is not None else asgi["path"]
    parts = path.strip("/").split("/")
    below = parts[len(root.split("/")) :] if root else parts
    return [unquote(part) if "%" in part else part for part in below] if raw is not None else below


async def _read(receive: Any) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def _live(receive: Any, send: Any) -> None:
    while True:
        event = (await receive())["type"]
        await send({"type": f"{event}.complete"})
        if event == "lifespan.shutdown":
            return
