"""A warm worker behind a server, for benchmarks."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server import MCPServer
from mcp.types import CallToolResult

from mcp_servers.python import assemble
from mcp_servers.python.api import PythonTool
from mcp_servers.python.sandbox.pool import ProcessConversation
from mcp_servers.python.settings import Settings

TOOL = "execute_python"


@dataclass(frozen=True)
class Warm:
    """A server with a session whose worker waits for code.

    Attributes:
        server: Call it with `server.call_tool(TOOL, {"code": ..., "session": session})`.
        session: The session's handle.
        worker_seconds: Returns the processor time of the worker, in seconds. It returns 0 for a backend without
            workers.
    """

    server: MCPServer[Any]
    session: str
    worker_seconds: Callable[[], float]


@asynccontextmanager
async def warm(settings: Settings | None = None) -> AsyncIterator[Warm]:
    """Lend a warm worker.

    Raises:
        ToolError: The sandbox is not available.
    """
    found = settings or Settings()
    api = PythonTool(found)
    server = assemble(api, found)
    try:
        first = await server.call_tool(TOOL, {"code": "None", "session": "new"})
        assert isinstance(first, CallToolResult)
        assert first.structured_content
        session = str(first.structured_content["session"])
        conversation = api.sessions.conversation(session)
        spent = conversation.cpu_seconds if isinstance(conversation, ProcessConversation) else lambda: 0.0
        yield Warm(server, session, spent)
    finally:
        await api.aclose()
