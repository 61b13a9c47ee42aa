"""Slack as an MCP server: read channels, threads and members, search, and post where that is allowed."""

from typing import Any

from mcp.server import MCPServer

from mcp_servers.kit.http import Service, Upstream, in_process
from mcp_servers.kit.server import serve
from mcp_servers.slack import tools
from mcp_servers.slack.api import Slack
from mcp_servers.slack.errors import explain
from mcp_servers.slack.settings import SLACK, SlackSettings
from mcp_servers.slack.stand_in import stand_in

INSTRUCTIONS = (
    "Reads and writes a Slack workspace. Channels and users have ids, and a message is known by its channel and its "
    "timestamp (ts). Post once: where the outcome of a post is unknown, read the channel before you post again."
)


def build(settings: SlackSettings | None = None) -> MCPServer[Any]:
    """The server."""
    return serve("slack", tools, make_api, settings or SlackSettings(), INSTRUCTIONS)


def make_api(settings: SlackSettings) -> Slack:
    """The API behind the tools: Slack's, or the offline world's where there is no token.

    Writes to the real workspace take place only if the settings allow them; the offline one can always be written.
    """
    if settings.offline:
        return Slack(Upstream(_service(settings, settings.key(), SLACK), in_process(stand_in(settings.home()))))
    user = settings.user_token.get_secret_value() if settings.user_token is not None else None
    bot = Upstream(_service(settings, settings.key(), settings.base_url))
    searcher = Upstream(_service(settings, user, settings.base_url)) if user is not None else None
    return Slack(bot, searcher=searcher, live=True, writes=settings.allow_live_writes)


def _service(settings: SlackSettings, token: str, base_url: str) -> Service:
    key = {"Authorization": f"Bearer {token}"}
    return Service("Slack", base_url, key, explain=explain, **settings.limits())
