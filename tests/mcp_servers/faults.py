"""Faults: an ASGI application around another that fails as services and networks do."""

from collections.abc import Coroutine, Sequence
from typing import Any, Literal

import anyio

Fault = Literal[
    "429", "429-date", "500", "503-html", "slow", "drip", "cut", "short", "malformed", "html", "empty", "huge", "list",
    "null", "text", "redirect", "echo",
]  # fmt: skip
"""What can go wrong:

`429` (Retry-After: 0), `429-date` (as a date), `500`, `503-html` (a gateway's page): answers of a busy service;
`slow`: no answer for `SLOW_S`; `drip`: an answer that never ends, a byte at a time;
`cut`: the connection breaks within the body; `short`: before any answer;
`malformed`: half of the JSON; `html`: another content type; `empty`: no body; `huge`: 20 MB;
`list`, `null`, `text`: JSON of another shape;
`redirect`: to another host; `echo`: a 400 that repeats the request's headers and address.
"""

SLOW_S = 30.0
HUGE = b'{"results": "' + b"x" * 20 * 1024 * 1024 + b'"}'
ENDLESS = ("slow", "drip")
"""Faults that a client ends by its own timeout."""
JSON = (b"content-type", b"application/json")
_ODD = {"malformed": b'{"results": [', "list": b"[1, 2]", "null": b"null", "text": b'"hello"', "empty": b""}


class Faulty:
    """Serves `app`, but answers the first requests with faults, and all later ones with the fault `always`."""

    def __init__(self, app: Any, faults: Sequence[Fault | None] = (), *, always: Fault | None = None) -> None:
        """Make one.

        Args:
            app: What answers where nothing fails.
            faults: The first request's, the second's, ...; None for none.
            always: Every later request's.
        """
        self._app = app
        self.faults = list(faults)
        self.always = always
        self.requests: list[dict[str, Any]] = []
        """The scopes of all requests."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Fail, or answer; see the ASGI specification."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self.requests.append(scope)
        fault = self.faults.pop(0) if self.faults else self.always
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await _until_left(_fail(fault, scope, send), receive)


async def _until_left(failing: Coroutine[Any, Any, None], receive: Any) -> None:
    """Fail, but no longer than the client stays."""
    broken = False

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(left)
        try:
            await failing
        except ConnectionResetError:
            broken = True
        tasks.cancel_scope.cancel()
    if broken:
        raise ConnectionResetError


async def _fail(fault: Fault, scope: Any, send: Any) -> None:
    match fault:
        case "429":
            await _answer(send, 429, b'{"error": "slow down"}', (b"retry-after", b"0"))
        case "429-date":
            await _answer(send, 429, b'{"error": "slow down"}', (b"retry-after", b"Fri, 01 Jan 2100 00:00:00 GMT"))
        case "500":
            await _answer(send, 500, b'{"error": "oops"}')
        case "503-html":
            await _answer(send, 503, b"<html>Bad gateway</html>", content=b"text/html")
        case "html":
            await _answer(send, 200, b"<html>Please log in</html>", content=b"text/html; charset=utf-8")
        case "redirect":
            await _answer(send, 302, b"{}", (b"location", b"http://elsewhere.invalid/"))
        case "echo":
            await _answer(send, 400, _echo(scope))
        case "huge":
            await _answer(send, 200, HUGE)
        case "slow":
            await anyio.sleep(SLOW_S)
            await _answer(send, 200, b"{}")
        case "drip" | "cut" | "short":
            await _broken(fault, send)
        case _:
            await _answer(send, 200, _ODD[fault])


async def _answer(send: Any, status: int, body: bytes, *headers: tuple[bytes, bytes], content: bytes = JSON[1]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(JSON[0], content), *headers]})
    await send({"type": "http.response.body", "body": body})


async def _broken(fault: str, send: Any) -> None:
    if fault == "short":
        raise ConnectionResetError
    await send({"type": "http.response.start", "status": 200, "headers": [JSON, (b"content-length", b"100000")]})
    for _ in range(int(SLOW_S / 0.05) if fault == "drip" else 1):
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        if fault == "drip":
            await anyio.sleep(0.05)
    raise ConnectionResetError


def _echo(scope: Any) -> bytes:
    """Everything that the service was told, as an error text in the shapes of all vendors."""
    headers = " ".join(f"{name.decode()}: {value.decode()}" for name, value in scope["headers"])
    said = f"bad request {scope['path']}?{scope['query_string'].decode()}&apiKey=leaked {headers}".replace('"', "'")
    return (
        f'{{"status": "ERROR", "error": "{said}", "ok": false, "Error Message": "{said}", '
        f'"detail": {{"error": "{said}"}}}}'
    ).encode()
