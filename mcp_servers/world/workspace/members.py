"""Members and channels of the workspace."""

from typing import NamedTuple

from mcp_servers.world.calendar import parse
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.names import Names
from mcp_servers.world.rows import Channel, User

HOUSE = "Lanternfield Research"
MAIL = "lanternfield.example"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
BEGAN = int(parse("2023-05-02T13:00:00Z").timestamp())
ZONES = ("America/New_York", "America/New_York", "America/Chicago", "Europe/London")
TITLES = (
    "Head of Research", "Senior Analyst, Technology", "Senior Analyst, Healthcare", "Senior Analyst, Industrials",
    "Senior Analyst, Energy", "Senior Analyst, Financials", "Analyst, Consumer", "Analyst, Media", "Analyst, Materials",
    "Analyst, Property", "Analyst, Utilities", "Analyst, Digital Assets", "Data Engineer", "Data Engineer",
    "Quantitative Analyst", "Portfolio Manager", "Portfolio Manager", "Trader", "Compliance Officer", "Editor",
    "Associate", "Associate", "Associate", "Office Manager",
)  # fmt: skip
BOTS = (("assistant", "Research Assistant"), ("filings-bot", "Filings Bot"), ("calendar-bot", "Calendar Bot"))
"""The first bot is the account that uses the Slack server. It is in every channel and has posted no message."""


class Room(NamedTuple):
    """A channel with its seed-independent data."""

    name: str
    topic: str
    purpose: str
    is_private: bool = False


ROOMS = (
    Room("general", "All of us", "Things that everybody should see"),
    Room("announcements", "Read only what is new", "Notices from the office and the heads of teams"),
    Room("research-desk", "Questions about companies", "Ask about figures, margins and prices; answer if you know"),
    Room("earnings-watch", "Results as they come", "Results, guidance and what we make of them"),
    Room("deals-and-courts", "Who buys, who sues", "Contracts, takeovers and lawsuits"),
    Room("supply-chain", "Works, recalls, strikes", "Everything that stops or starts a line"),
    Room("crypto-watch", "Around the clock", "Coins, platforms and rules"),
    Room("data-requests", "One request, one thread", "Ask the data team; answers go into the thread"),
    Room("web-clippings", "Worth a read", "Pages and articles that somebody found"),
    Room("random", "Not about work", "Lunch, trains, dogs", is_private=False),
)


def users(seed: int, names: Names) -> list[User]:
    """Return the members, people first."""
    stream, rows = Stream(seed, "members"), list[User]()
    taken: set[str] = set()
    for title in TITLES:
        real = names.deal()
        name = real.lower().replace(" ", ".")
        rows.append(
            {
                "id": code(stream, "U", taken),
                "name": name,
                "real_name": real,
                "title": title,
                "email": f"{name}@{MAIL}",
                "tz": stream.pick(ZONES),
                "is_bot": False,
            }
        )
    for name, real in BOTS:
        rows.append(
            {
                "id": code(stream, "U", taken), "name": name, "real_name": real, "title": "", "email": "",
                "tz": "America/New_York", "is_bot": True,
            }
        )  # fmt: skip
    return rows


def channels(seed: int, members: list[User]) -> list[Channel]:
    """Return the channels. All members are in the first two."""
    stream, rows, taken = Stream(seed, "channels"), list[Channel](), set[str]()
    for number, room in enumerate(ROOMS):
        everybody = number < 2 or room.name in ("data-requests", "random")
        chosen = members if everybody else [*stream.some(members[: -len(BOTS)], 15), *members[-len(BOTS) :]]
        ids = [member["id"] for member in members if member in chosen]
        rows.append(
            {
                "id": code(stream, "C", taken),
                "name": room.name,
                "topic": room.topic,
                "purpose": room.purpose,
                "created": BEGAN + number * 86_400 + stream.whole(0, 20_000),
                "creator": ids[0],
                "is_private": room.is_private,
                "members": ids,
            }
        )
    return rows


def code(stream: Stream, letter: str, taken: set[str]) -> str:
    """Return an unused id such as U04B7XK2Q."""
    while True:
        found = f"{letter}0" + "".join(stream.pick(LETTERS) for _ in range(7))
        if found not in taken:
            taken.add(found)
            return found
