"""Searches the offline workspace's messages with Slack's modifiers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from mcp_servers.slack.serving.workspace import Moment, Refusal, Workspace
from mcp_servers.world.rows import Channel, Message

_PART = re.compile(r'(-?)(?:(in|from|before|after|on|during|has|is):)?(?:"([^"]*)"|(\S+))', re.IGNORECASE)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

SEARCHED = 10_000
"""Number of newest messages of a channel that a search scans."""

Test = Callable[[Message, Channel], bool]


@dataclass(frozen=True)
class Match:
    """A message that matches a search, and the number of occurrences of the words."""

    message: Message
    channel: Channel
    score: int


def search(workspace: Workspace, query: str, *, by_score: bool, ascending: bool) -> list[Match]:
    """Return the messages that match all parts of `query`.

    The search scans the newest `SEARCHED` messages of each channel that the bot is a member of.

    A word matches the beginning of a word of the text. `"..."` matches exactly, `-` excludes. Modifiers: `in:`,
    `from:`, `before:`, `after:`, `on:`, `during:`, `has:link`, `has:reaction`, `has::name:` and `is:thread`. The newest
    messages come first. If `by_score`, those with the most occurrences come first. `ascending` reverses the order.
    """
    tests, texts = _tests(workspace, query)
    me = workspace.me()["id"]
    found = [
        Match(message, channel, sum(len(text.findall(message["text"])) for text in texts))
        for channel in workspace.channels()
        if me in channel["members"]
        for message in workspace.messages(channel)[-SEARCHED:]
        if all(test(message, channel) for test in tests)
    ]
    found.sort(key=lambda match: Moment.of(match.message["ts"]), reverse=not ascending)
    if by_score:
        found.sort(key=lambda match: match.score, reverse=not ascending)
    return found


def _tests(workspace: Workspace, query: str) -> tuple[list[Test], list[re.Pattern[str]]]:
    tests: list[Test] = []
    texts: list[re.Pattern[str]] = []
    for minus, modifier, phrase, word in _PART.findall(query):
        value = phrase or word
        if not value:
            continue
        if modifier:
            test = _MODIFIERS[modifier.lower()](workspace, value)
        else:
            pattern = re.compile(rf"(?<!\w){re.escape(value)}", re.IGNORECASE)
            test = _says(pattern)
            texts += [] if minus else [pattern]
        tests.append(_unless(test) if minus else test)
    return tests, texts


def _says(pattern: re.Pattern[str]) -> Test:
    return lambda message, _: bool(pattern.search(message["text"]))


def _unless(test: Test) -> Test:
    return lambda message, channel: not test(message, channel)


def _in(workspace: Workspace, value: str) -> Test:
    name = re.sub(r"^<#|[|>].*$|^#", "", value)
    try:
        wanted = workspace.named(name)["id"]
    except Refusal:
        wanted = ""
    return lambda message, _: message["channel"] == wanted


def _from(workspace: Workspace, value: str) -> Test:
    name = re.sub(r"^<@|[|>].*$|^@", "", value).lower()
    wanted = {
        user["id"]
        for user in workspace.users()
        if name in {user["id"].lower(), user["name"].lower(), user["real_name"].lower()}
    }
    if name == "me":
        wanted = {workspace.me()["id"]}
    return lambda message, _: message["user"] in wanted


def _has(_: Workspace, value: str) -> Test:
    if value == "link":
        return lambda message, _: "http://" in message["text"] or "https://" in message["text"]
    if value == "reaction":
        return lambda message, _: bool(message["reactions"])
    name = value.strip(":")
    return lambda message, _: any(reaction["name"] == name for reaction in message["reactions"])


def _is(_: Workspace, value: str) -> Test:
    return lambda message, _: value == "thread" and message.get("thread_ts", message["ts"]) != message["ts"]


def _dated(fits: Callable[[date, date, date], bool]) -> Callable[[Workspace, str], Test]:
    """Return a modifier that compares a message's day with the first and last day of its value."""

    def modifier(workspace: Workspace, value: str) -> Test:
        days = _days(value.lower(), workspace.now.astimezone(UTC).date())
        return lambda message, _: days is not None and fits(_day(message), *days)

    return modifier


_during = _dated(lambda day, first, last: first <= day <= last)

_MODIFIERS: dict[str, Callable[[Workspace, str], Test]] = {
    "in": _in,
    "from": _from,
    "has": _has,
    "is": _is,
    "before": _dated(lambda day, first, _: day < first),
    "after": _dated(lambda day, _, last: day > last),
    "on": _during,
    "during": _during,
}


def _day(message: Message) -> date:
    return datetime.fromtimestamp(Moment.of(message["ts"]).seconds, UTC).date()


def _days(value: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day that a text names: a day, a month, a year, `today` or `yesterday`."""
    if value in {"today", "yesterday"}:
        day = today - timedelta(days=value == "yesterday")
        return day, day
    if value in _MONTHS:
        month = _MONTHS.index(value) + 1
        return _month(today.year - (month > today.month), month)
    try:
        if re.fullmatch(r"\d{4}", value):
            return date(int(value), 1, 1), date(int(value), 12, 31)
        if re.fullmatch(r"\d{4}-\d{2}", value):
            return _month(int(value[:4]), int(value[5:]))
        return date.fromisoformat(value), date.fromisoformat(value)
    except ValueError:
        return None


def _month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
