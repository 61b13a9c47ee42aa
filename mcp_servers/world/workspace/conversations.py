"""Builds the whole workspace: its members and all messages."""

from collections.abc import Sequence
from typing import NamedTuple

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.rows import Article, Channel, Message, Page, User
from mcp_servers.world.workspace.hall import Hall
from mcp_servers.world.workspace.members import channels, users
from mcp_servers.world.workspace.talk import Talk

QUESTIONS, CHATTER = 240, 110
CLIPPED = 6
"""Conversations mention one in this many pages."""


class Workspace(NamedTuple):
    """The rows of the workspace."""

    users: list[User]
    channels: list[Channel]
    messages: list[Message]


def workspace(market: Market, articles: Sequence[Article], pages: Sequence[Page]) -> Workspace:
    """Return the workspace of a world. Its messages are ordered by time."""
    members = users(market.seed, market.names)
    rooms = channels(market.seed, members)
    hall = Hall(market.seed, rooms, members)
    hall.welcome()
    talk = Talk(market, articles, pages, hall)
    for event in market.events:
        talk.event(event)
    for number in range(QUESTIONS):
        talk.question(number)
    for page in pages[::CLIPPED]:
        talk.clipping(page)
    for number in range(CHATTER):
        talk.small_talk(number)
    talk.filings()
    talk.notices()
    return Workspace(members, rooms, sorted(hall.messages, key=lambda row: row["ts"]))
