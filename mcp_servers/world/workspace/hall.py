"""Posts messages: keeps timestamps unique and within the world, and adds reactions."""

from datetime import datetime, timedelta

from mcp_servers.world.calendar import END, parse
from mcp_servers.world.chance import Stream
from mcp_servers.world.pages.draft import Pen
from mcp_servers.world.rows import Channel, Message, Reaction, User

LAST = parse(f"{END}T23:59:00Z")
EMOJI = (
    "+1", "eyes", "white_check_mark", "thinking_face", "tada", "pray", "chart_with_upwards_trend", "raised_hands",
    "100", "memo", "bulb", "coffee",
)  # fmt: skip

WELCOME = ("1688393700.000109", "Welcome to the new quarter, everybody. Questions about data go to #data-requests.")
THANKS = ("1688394000.000109", "Thank you. I will keep an eye on it.")
"""The first message and its reply, on the first day at 14:15 and 14:20 UTC, as timestamp and text."""


class Hall:
    """The channels while the conversations are generated."""

    def __init__(self, seed: int, channels: list[Channel], users: list[User]) -> None:
        """Start with no messages."""
        self.channels = {channel["name"]: channel for channel in channels}
        self.users = {user["id"]: user for user in users}
        self.stream = Stream(seed, "hall")
        self.pen = Pen(seed, "hall", "pen")
        self.messages: list[Message] = []
        self._taken: set[str] = set()

    def people(self, channel: str) -> list[str]:
        """Return the members of a channel that are not bots."""
        return [user for user in self.channels[channel]["members"] if not self.users[user]["is_bot"]]

    def bot(self, name: str) -> str:
        """Return the id of a bot."""
        return next(user["id"] for user in self.users.values() if user["name"] == name)

    def welcome(self) -> None:
        """Post the first thread of #general.

        Its timestamps are the same in every world, so that texts can refer to it.
        """
        room, (head, second, *_) = self.channels["general"]["id"], self.people("general")
        for user, ts, text in ((head, *WELCOME), (second, *THANKS)):
            row: Message = {
                "id": f"{room}:{ts}",
                "channel": room,
                "ts": ts,
                "user": user,
                "text": text,
                "reactions": [],
            }
            if ts != WELCOME[0]:
                row["thread_ts"] = WELCOME[0]
            self._taken.add(ts)
            self.messages.append(row)

    def post(
        self,
        channel: str,
        user: str,
        at: datetime,
        text: str,
        *,
        tickers: list[str] | None = None,
        about: str = "",
        thread: Message | None = None,
        wrong: bool = False,
    ) -> Message | None:
        """Post a message. Return None if its time is after the end of the world."""
        if at > LAST:
            return None
        ts = self._ts(at)
        room = self.channels[channel]["id"]
        row: Message = {"id": f"{room}:{ts}", "channel": room, "ts": ts, "user": user, "text": text, "reactions": []}
        row["reactions"] = self._reactions(channel, user)
        if thread is not None:
            row["thread_ts"] = thread["ts"]
        if tickers:
            row["tickers"] = tickers
        if about:
            row["about"] = about
        if wrong:
            row["flaw"] = "wrong"
        self.messages.append(row)
        return row

    def reply(
        self, thread: Message, channel: str, user: str, minutes: int, text: str, *, about: str = "", wrong: bool = False
    ) -> Message | None:
        """Post a reply in a thread, `minutes` minutes after its last message."""
        at = self.last(thread) + timedelta(minutes=minutes, seconds=self.stream.whole(3, 50))
        tickers = thread.get("tickers")
        return self.post(channel, user, at, text, tickers=tickers, about=about, thread=thread, wrong=wrong)

    def last(self, thread: Message) -> datetime:
        """Return the time of the last message of a thread. Threads are written one after another."""
        found = self.messages[-1] if self.messages[-1].get("thread_ts") == thread["ts"] else thread
        return datetime.fromtimestamp(int(found["ts"][:10]), tz=LAST.tzinfo)

    def _ts(self, at: datetime) -> str:
        while True:
            ts = f"{int(at.timestamp())}.{self.stream.whole(1, 9999):04d}{self.stream.whole(0, 9)}9"
            if ts not in self._taken:
                self._taken.add(ts)
                return ts

    def _reactions(self, channel: str, author: str) -> list[Reaction]:
        if not self.stream.chance(0.22):
            return []
        others = [user for user in self.people(channel) if user != author]
        return [
            {"name": name, "users": self.stream.some(others, self.stream.whole(1, 4))}
            for name in self.stream.some(EMOJI, self.stream.pick((1, 1, 1, 2)))
        ]
