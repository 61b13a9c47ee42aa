"""An MCP server that runs Python code in a sandbox."""

from mcp_servers.kit.serving.server import Server, serve
from mcp_servers.python import tools
from mcp_servers.python.api import PythonTool
from mcp_servers.python.describing import described
from mcp_servers.python.settings import Settings

__all__ = ["Settings", "build"]

INSTRUCTIONS = "Runs Python code in a sandbox, for calculations that need to be right. Pass data in, or fetch it first."


def build(settings: Settings | None = None) -> Server:
    """Build the server. None takes the settings from the environment.

    Raises:
        Unusable: The settings ask for processes and the machine cannot offer them.
    """
    found = settings or Settings()
    return assemble(PythonTool(found), found)


def assemble(api: PythonTool, settings: Settings) -> Server:
    """Build the server around a sandbox."""
    return serve("python", described(tools, offers=api.backend.offers), lambda _: api, settings, INSTRUCTIONS)
