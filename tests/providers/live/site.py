"""A server over HTTP in this process, whose replies a test can replace with broken ones."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.types import ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)
Reply = Callable[[Any, Any, Any], Any]


@dataclass
class Site:
    """The requests that the server got, and its answers to the next calls."""

    port: int = 0
    wrote: int = 0
    read: int = 0
    spoiled: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """Status and headers of the replies to the next calls; then the server answers normally."""

    body: bytes = b"no"
    """The body of these replies; `"ID"` in it stands for the number of the request."""

    after: bool = False
    """Whether the server carries out a call before its reply is replaced."""

    seen: list[dict[str, str]] = field(default_factory=list)
    """The headers of all calls."""

    @property
    def url(self) -> str:
        """The server's URL."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def server(self) -> MCPServer[Any]:
        """The server."""
        server: MCPServer[Any] = MCPServer("site")

        @server.tool(annotations=READS)
        def look() -> int:
            """Return how often this was called."""
            self.read += 1
            return self.read

        @server.tool()
        def change() -> int:
            """Return how often this was called."""
            self.wrote += 1
            return self.wrote

        @server.tool(annotations=READS)
        def broken() -> int:
            """Fail by a defect."""
            raise ValueError("a defect")

        return server


@asynccontextmanager
async def served(site: Site, *, stateless: bool = True) -> AsyncIterator[Site]:
    """Run the server on its own port, or on a free one."""
    inner = site.server().streamable_http_app(stateless_http=stateless, json_response=True)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await inner(scope, receive, send)
            return
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break

        async def again() -> Any:
            return message | {"body": body} if not done else await receive()

        done: list[bool] = []

        async def given() -> Any:
            found = await again()
            done.append(True)
            return found

        request = json.loads(body)
        if request.get("method") != "tools/call":
            await inner(scope, given, send)
            return
        site.seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        if not site.spoiled:
            await inner(scope, given, send)
            return
        status, headers = site.spoiled.pop(0)
        if site.after:
            await inner(scope, given, _nowhere)
        shown = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": shown})
        await send({"type": "http.response.body", "body": site.body.replace(b'"ID"', str(request["id"]).encode())})

    listening = socket.create_server(("127.0.0.1", site.port))
    site.port = listening.getsockname()[1]
    program = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    program.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(program.serve([listening]))
    try:
        while not program.started:
            await asyncio.sleep(0.01)
        yield site
    finally:
        program.should_exit = True
        await task
        listening.close()


async def _nowhere(_: Any) -> None:
    """Send nothing."""
