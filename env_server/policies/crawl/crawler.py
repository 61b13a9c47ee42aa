"""A crawler: it reads everything within the caller's reach before it talks, and never writes.

It asks for the caller's identity, makes every look-up whose arguments it has heard or read, asks for the request, and
looks again. Then its closing speaks, until the user brings a new wish.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from agent_env_schemas import DEFAULT_TURNS, Action, Message, ToolCall
from env_server.policies.base import AgentMove, Brief, says
from env_server.policies.crawl.look_ups import LookUp, ways
from env_server.policies.crawl.records import Json
from env_server.policies.crawl.seen import MEANT, Seen
from env_server.policies.crawl.shapes import mask
from env_server.policies.rules.extraction import stems
from env_server.policies.rules.heuristic import READS, WHAT

WHO = (
    "Gladly. To find you, could you please tell me your full name, email address, phone number, zip code, "
    "date of birth and user id?"
)
WHOM = (
    "I could not find you with that. If you speak for another person, what is that person's full name, date of birth, "
    "phone number and zip code?"
)

MOST_TURNS = DEFAULT_TURNS - 4
"""The number of messages after which it only closes."""

MOST_CALLS = 92
AT_FIRST = 50
"""The maximum number of calls for the first wish; the rest is for later wishes."""

MOST_FAILED = 7
AT_ONCE = 24
"""The maximum number of calls in one message."""

NEAR = 2
EACH, EACH_FAR = 15, 4
"""The maximum number of calls of one tool for one wish. `EACH_FAR` applies if more than `NEAR` calls led to the
arguments.
"""

NEW = 3
"""The minimum number of new words in a message with a new wish. They must also be most of its words."""


class Closing(Protocol):
    """The last phase of a crawler: its messages after all look-ups."""

    @property
    def busy(self) -> bool:
        """Whether it is not finished yet, so that the user's words are no new wish."""

    def move(self, seen: Seen) -> AgentMove:
        """Return the next message; `seen` holds all messages and records so far."""


@dataclass
class Crawler:
    """The policy: look-ups and questions first, then the messages of the closing."""

    reads: Sequence[Json]
    closing: Closing
    seen: Seen = field(default_factory=Seen)
    turns: int = 0
    opening: tuple[str, ...] = ()
    """The user's messages before the closing."""

    made: set[tuple[str, str]] = field(default_factory=set)
    """The calls made: name, arguments as text."""

    _open: list[LookUp] = field(default_factory=list)
    """The calls that have no answer yet."""

    _questions: list[str] = field(default_factory=lambda: [WHO])
    _now: Counter[str] = field(default_factory=Counter)
    """Tool -> number of calls for this wish."""

    _stems: set[str] = field(default_factory=set)
    """The stems of the words of this wish."""

    _tried: dict[tuple[str, ...], bool] = field(default_factory=dict)
    """Kind of call -> whether the last call of the kind succeeded."""

    _failed: int = 0
    _trials: int = 0
    """The number of failed calls, and of calls made whose outcome is still unknown."""

    _known: bool = False
    """Whether a look-up with the user's own words has succeeded."""

    _asked_whom: bool = False
    _begun: bool = False
    """Whether the closing has begun. Enough new words from now on are another wish."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next move: a question, look-ups, or a message of the closing."""
        self.turns += 1
        self._listen(heard)
        if self.turns <= MOST_TURNS:
            if self.turns == 1:
                return says(self._questions.pop(0))
            chosen = self._chosen(only_guesses=bool(self._questions))
            if chosen:
                return self._calls(chosen)
            if self._questions:
                return says(self._question())
        self._begun = True
        self.opening = self.opening or tuple(self.seen.words)
        return self.closing.move(self.seen)

    def copy(self, closing: Closing) -> "Crawler":
        """Return a copy with the same progress and another closing."""
        return replace(
            self,
            closing=closing,
            seen=self.seen.copy(),
            made=set(self.made),
            _open=list(self._open),
            _questions=list(self._questions),
            _now=Counter(self._now),
            _stems=set(self._stems),
            _tried=dict(self._tried),
        )

    def _listen(self, heard: Sequence[Message]) -> None:
        answers = [message for message in heard if message.role == "tool"]
        for way, message in zip(self._open, answers, strict=False):
            well = not message.content.startswith("Error")
            self._tried[_kind(way)] = well
            self._failed += not well
            self._known = self._known or (well and way.guess)
            if well:
                self.seen.learn(way.tool, way.arguments, message.content, way.depth + 1, common=way.common)
        self._open = []
        for message in heard:
            if message.role == "user":
                self._hear(message.content)
        if self.turns == 2:
            self._questions.append(WHAT)

    def _question(self) -> str:
        """Return the next question. A caller who is in no record may speak for somebody else."""
        if self._known or self._asked_whom:
            return self._questions.pop(0)
        self._asked_whom = True
        return WHOM

    def _hear(self, words: str) -> None:
        now = stems(words)
        new = now - self._stems
        self.seen.hear(words)
        if self._begun and not self.closing.busy and len(new) >= NEW and 2 * len(new) > len(now):
            self._begun, self._now, self._stems = False, Counter(), set()
            self._questions = [WHAT]
        self._stems |= now

    def _chosen(self, *, only_guesses: bool) -> list[LookUp]:
        """Return the next look-ups, nearest and likeliest first. With `only_guesses`, their arguments come from the
        user's words.
        """
        left = (AT_FIRST if len(self.seen.words) < 4 else MOST_CALLS) - len(self.made)
        self._trials = 0
        if left <= 0:
            return []
        found: dict[tuple[str, str], LookUp] = {}
        for tool in self.reads:
            if self._now[tool["name"]] >= EACH:
                continue
            for way in ways(tool, self.seen):
                if only_guesses and not way.guess:
                    continue
                key = way.tool, _text(way.arguments)
                if key not in self.made and (key not in found or found[key].likeness < way.likeness):
                    found[key] = way
        chosen: list[LookUp] = []
        for way in sorted(found.values(), key=lambda way: (-min(way.likeness, 1.0), way.depth)):
            near = way.depth <= NEAR or way.likeness >= MEANT
            room = len(chosen) < min(left, AT_ONCE) and self._now[way.tool] < (EACH if near else EACH_FAR)
            if room and self._may(way):
                self._now[way.tool] += 1
                chosen.append(way)
        return chosen

    def _may(self, way: LookUp) -> bool:
        """Return whether a call may be tried.

        Until a call of a kind succeeds, only one call of that kind may be open. After a failure the kind is not tried
        again.
        """
        kind = _kind(way)
        if kind in self._tried:
            return self._tried[kind]
        if self._failed + self._trials >= MOST_FAILED:
            return False
        self._tried[kind] = False
        self._trials += 1
        return True

    def _calls(self, chosen: Sequence[LookUp]) -> AgentMove:
        self._open = list(chosen)
        self.made.update((way.tool, _text(way.arguments)) for way in chosen)
        return AgentMove(Action(tool_calls=[ToolCall(name=w.tool, arguments=dict(w.arguments)) for w in chosen]))


def reading(brief: Brief) -> list[Json]:
    """Return the tools that change nothing and do not transfer the user."""
    tools: list[Mapping[str, Any]] = [tool["function"] for tool in brief.tools]
    tools = [tool for tool in tools if tool["name"] not in brief.transfers]
    if brief.writes is None:
        return [tool for tool in tools if tool["name"].partition("_")[0] in READS]
    return [tool for tool in tools if tool["name"] not in brief.writes]


def _kind(way: LookUp) -> tuple[str, ...]:
    """Return the kind of a call: the tool and the shapes of its values. Each guess is a kind of its own."""
    if way.guess:
        return way.tool, _text(way.arguments)
    return way.tool, *(mask(value) for value in way.arguments.values() if isinstance(value, str))


def _text(arguments: Json) -> str:
    return json.dumps(arguments, sort_keys=True)
