"""An MCP server for Slack: read channels, threads and members, search, and post where that is allowed."""

from mcp_servers.kit.serving.server import Server, serve
from mcp_servers.slack import tools
from mcp_servers.slack.api import Settings, Slack

__all__ = ["Settings", "build"]

INSTRUCTIONS = (
    "Reads and writes a Slack workspace. Channels and users have ids, and a message is known by its channel and its "
    "timestamp (ts). Post once: where the outcome of a post is unknown, read the channel before you post again."
)


def build(settings: Settings | None = None) -> Server:
    """Build the server. None takes the settings from the environment."""
    return serve("slack", tools, Slack, settings or Settings(), INSTRUCTIONS)
