"""Finds the subject of `env-server world show` and prints it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from rich.console import Console

from env_server.commands.output import FAILED, console, fail, print_json
from env_server.commands.world import channel, company, page
from mcp_servers.world import NOW, read, world
from mcp_servers.world.calendar import as_now
from mcp_servers.world.store import Store


@dataclass(frozen=True)
class Found:
    """A found subject: its data, and the function that prints it."""

    plain: dict[str, Any]
    show: Callable[[Console], None]


def run(subject: str, *, seed: int, now: str | None, limit: int, as_json: bool) -> None:
    """Print a company, a pair, a page or a channel. End the program with status 1 if there is no such subject."""
    at, store = _moment(now), world(seed)
    found = find(store, subject.strip(), at, limit)
    if found is None:
        fail(_unknown(store, subject.strip(), at), FAILED)
    if as_json:
        print_json(found.plain)
    else:
        found.show(console(as_json=False))


def find(store: Store, subject: str, now: datetime, limit: int) -> Found | None:
    """Return the subject, or None. `subject` is an address, a ticker, a company's name, or a channel's id or name."""
    if "/" in subject or subject.endswith(".example"):
        address = subject if "://" in subject else f"https://{subject}"
        row = read.page(store, address, now)
        return None if row is None else Found(page.plain(row), lambda screen: page.show(screen, row))
    ticker = _ticker(store, subject, now)
    if ticker is not None:
        view = company.view(store, ticker, now, limit)
        return Found(view.plain(), lambda screen: company.show(screen, view))
    room = read.channel(store, subject)
    if room is not None:
        talk = channel.view(store, room, now, limit)
        return Found(talk.plain(), lambda screen: channel.show(screen, talk))
    return None


def _ticker(store: Store, subject: str, now: datetime) -> str | None:
    """Return the ticker for a ticker in upper or lower case, or for a company's name; None if there is none."""
    if read.company(store, subject, now) is not None or read.pair(store, subject) is not None:
        return subject.upper()
    named = (row["ticker"] for row in read.companies(store, now) if row["name"].lower() == subject.lower())
    return next(named, None)


def _unknown(store: Store, subject: str, now: datetime) -> str:
    """Return the message that nothing is called `subject`, with similar names."""
    if "/" in subject:
        known = [row["url"] for row in read.pages(store, now)]
    else:
        companies = read.companies(store, now)
        known = [row["ticker"] for row in companies] + [row["ticker"] for row in read.pairs(store)]
        known += [row["name"] for row in companies] + [row["name"] for row in read.channels(store, now)]
    folded = {name.lower(): name for name in known}
    near = [folded[name] for name in get_close_matches(subject.lower().lstrip("#"), folded, n=3, cutoff=0.5)]
    hint = f"; near to it: {', '.join(near)}" if near else ""
    return f"the world has no ticker, page or channel {subject!r}{hint}"


def _moment(text: str | None) -> datetime:
    try:
        return NOW if text is None else as_now(text)
    except ValueError as e:
        fail(f"--world-now {text!r} {e}")
