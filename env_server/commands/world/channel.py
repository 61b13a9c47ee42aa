"""The view of a Slack channel: its last conversations."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from env_server.commands.output import plain
from env_server.commands.world.paper import put
from mcp_servers.world import read
from mcp_servers.world.rows import Channel, Message, User
from mcp_servers.world.store import Store

LINK = re.compile(r"<(https://[^|>]+)\|([^>]+)>|<(https://[^>]+)>")
MENTION = re.compile(r"<@(\w+)>")


@dataclass(frozen=True)
class ChannelView:
    """A channel with its last threads, oldest first. Each thread begins with its first message."""

    channel: Channel
    threads: list[list[Message]]
    users: dict[str, User]

    def plain(self) -> dict[str, Any]:
        """Return the view as a JSON object."""
        return {"kind": "channel", **asdict(self)}


def view(store: Store, room: Channel, now: datetime, limit: int) -> ChannelView:
    """Return the last `limit` threads of a channel at the time `now`."""
    starts = read.history(store, room["id"], now, limit=limit)
    threads = [read.replies(store, room["id"], start["ts"], now) for start in reversed(starts)]
    return ChannelView(room, threads, {user["id"]: user for user in read.users(store)})


def show(screen: Console, found: ChannelView) -> None:
    """Print a channel."""
    room = found.channel
    screen.print()
    put(screen, Text.assemble((f"#{room['name']}", "bold cyan"), "  ", room["topic"], ("  " + room["id"], "dim")))
    put(screen, Text(f"{room['purpose']} · {len(room['members'])} members", "dim"))
    for thread in found.threads:
        screen.print()
        for number, message in enumerate(thread):
            put(screen, _message(message, found.users), indent=4 if number else 0)
    if not found.threads:
        screen.print(Text("\nnobody has said anything yet", "dim"))
    screen.print()


def _message(message: Message, users: Mapping[str, User]) -> Text:
    """Return a message with its author, time and reactions, and a mark if it is flawed."""
    at = read.moment(message["ts"]).strftime("%Y-%m-%d %H:%M")
    line = Text.assemble((users[message["user"]]["real_name"], "bold"), (f"  {at}  {message['ts']}", "dim"), "\n")
    line.append(plain(_readable(message["text"], users)))
    for reaction in message["reactions"]:
        line.append(f"  :{reaction['name']}: {len(reaction['users'])}", "yellow")
    if message.get("flaw"):
        line.append("  (wrong)", "bold yellow")
    return line


def _readable(text: str, users: Mapping[str, User]) -> str:
    """Return the text with Slack's links and mentions in readable form."""
    linked = LINK.sub(lambda found: f"{found[2]} ({found[1]})" if found[2] else found[3], text)
    return MENTION.sub(lambda found: f"@{users[found[1]]['real_name']}" if found[1] in users else found[0], linked)
