"""A search for a text in what agents, users and tools said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from env_server.episodes.codec.reply import decode
from env_server.episodes.codec.text import dumps, loads
from env_server.episodes.packs.library import Library
from env_server.records import AGENT, Match, Store

WINDOW = 500
"""The number of episodes that one search looks in. The next page continues with older ones."""

MOST = 80
"""The maximum number of parts of turns on one page."""

BEFORE, AFTER = 60, 140
"""The number of characters shown before a found text, and the number from its first character on."""

FIELDS = {"content", "tool_calls", "name", "arguments", "id", "end", "reason"}
"""The names of an action's fields. A search leaves them out, because nobody said them."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text that was found in a turn, and what stands around it."""

    episode_id: str
    turn: int
    who: str
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The turns that were found, newest episode first. The search continues before the episode `older`."""

    found: list[FoundText]
    older: str | None


def search(store: Store, library: Library, run: str | None, text: str, before: int | None) -> SearchPage:
    """Look for `text` in the newest episodes before the episode with the integer key `before`."""
    # Replies and actions are stored as JSON, so SQL searches for the text in its JSON form.
    matches = store.runs.search(run, dumps(text)[1:-1], window=WINDOW, limit=MOST, before=before)
    edge = matches[-1].episode if len(matches) == MOST else store.runs.edge(run, window=WINDOW, before=before)
    older = None if edge is None else store.reads.episode(edge)
    found = [shown for match in matches if (shown := _found(match, text, library)) is not None]
    return SearchPage(found, older and older.episode_id)


def _found(match: Match, text: str, library: Library) -> FoundText | None:
    """Return the first place of the turn that holds `text`; None if only names of fields hold it."""
    wanted = re.compile(re.escape(text), re.IGNORECASE)
    for who, said in _said(match, library):
        place = wanted.search(said)
        if place is not None:
            start, end = place.span()
            before, after = said[max(0, start - BEFORE) : start], said[end : start + AFTER]
            return FoundText(match.episode_id, match.turn, who, before, place[0], after)
    return None


def _said(match: Match, library: Library) -> Iterator[tuple[str, str]]:
    reply = decode(match.reply, library.blob)
    if match.turn > 0 or match.part != AGENT:
        who = "agent" if match.part == AGENT else "user"
        for text in _texts(loads(match.action)):
            yield who, text
    for message in reply.get("observation", ()):
        if message["role"] != "system" and isinstance(message.get("content"), str):
            yield message["role"], message["content"]


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of an action: its words, and the names and arguments of its calls."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner)
            if name not in FIELDS:
                yield name
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
