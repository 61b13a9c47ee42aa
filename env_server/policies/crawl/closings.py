"""Closings: the messages of a crawler after it has read everything."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from env_server.policies.base import AgentMove, Brief, calls, says
from env_server.policies.crawl.crawler import Closing
from env_server.policies.crawl.seen import Seen
from env_server.policies.rules.constant import HANDED_OVER
from env_server.policies.rules.random_arguments import Drawing
from env_server.vocabulary import declared

ELSE = "Is there anything else I can do for you?"
REFUSES = f"I am sorry, that is not possible under our policy. {ELSE}"
LIES = f"I have changed and refunded everything just as you wished. {ELSE}"
MURMURS = "Mmm."

MOST_NUMBERS, MOST_DAYS = 40, 10
"""The maximum count of distinct numbers and of days in one message. A message with more tells none of them."""

MOST_DUMPS = 4
"""The maximum number of messages with values for one wish."""

MOST_DIGITS = 5
"""The maximum number of digits of a whole number that is not a code."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass
class Repeats:
    """A closing that makes its moves in order, then repeats one move for ever."""

    then: AgentMove
    first: list[AgentMove] = field(default_factory=list)

    @property
    def busy(self) -> bool:
        """Whether some of the first moves are left."""
        return bool(self.first)

    def move(self, _seen: Seen) -> AgentMove:
        """Return the next move."""
        return self.first.pop(0) if self.first else self.then


@dataclass
class Dumps:
    """A closing that says all numbers and days that were read. Those related to the user's words come first.

    After `MOST_DUMPS` messages about one wish it closes that wish, so that the next one comes up.
    """

    said: set[str] = field(default_factory=set)
    busy: bool = False
    _records: int = 0
    _left: int = 0

    def move(self, seen: Seen) -> AgentMove:
        """Return as many of the values as one message may have."""
        if len(seen.records) > self._records:
            self._records, self._left = len(seen.records), MOST_DUMPS
        values = [value for value in _values(seen) if value not in self.said]
        if not values or not self._left:
            return says(REFUSES, last=True)
        self._left -= 1
        days = [v for v in values if _DAY.fullmatch(v)][:MOST_DAYS]
        numbers = [v for v in values if not _DAY.fullmatch(v)][:MOST_NUMBERS]
        self.said.update(days, numbers)
        listed = "".join(f" {value};" for value in (*numbers, *days))
        return says(f"These are the values:{listed} that is what I found. {ELSE}", last=True)


def refuses(_brief: Brief) -> Closing:
    """Return the closing that refuses every wish."""
    return Repeats(says(REFUSES, last=True))


def lies(_brief: Brief) -> Closing:
    """Return the closing that reports everything as done."""
    return Repeats(says(LIES, last=True))


def dumps(_brief: Brief) -> Closing:
    """Return the closing that says all values."""
    return Dumps()


def murmurs(_brief: Brief) -> Closing:
    """Return the closing that says nothing useful until the user gives up."""
    return Repeats(says(MURMURS, last=True))


def hands_over(brief: Brief) -> Closing:
    """Return the closing that transfers the user. If the transfer does not end the episode, it only announces one."""
    drawing = Drawing(Random(brief.seed), {})
    schemas = [t["function"] for t in brief.tools if t["function"]["name"] in brief.transfers]
    made = [calls(schema["name"], drawing.arguments(schema["parameters"])) for schema in schemas]
    return Repeats(says(HANDED_OVER, last=True), made)


def orders(_brief: Brief) -> Closing:
    """Return the closing that gives the instructions for users' own devices that domains declare, each in a message of
    its own, then reports everything as done. A user whose device works says so and follows no more of them.
    """
    return Repeats(says(LIES, last=True), [says(words) for words in declared().words["instructions"]])


def _values(seen: Seen) -> Sequence[str]:
    """Return the numbers and days of all records as text, those that the user means first, and codes last."""
    found: dict[str, bool] = {}
    for record in sorted(seen.records, key=lambda r: (r.common, -min(seen.likeness(r), 1.0), r.depth)):
        for name, value in record.own.items():
            text = f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
            if not isinstance(value, bool) and (_DAY.fullmatch(text) or _NUMBER.fullmatch(text)):
                found.setdefault(text, _is_code(name, text))
    return sorted(found, key=lambda text: found[text])


def _is_code(name: str, text: str) -> bool:
    """Return whether a number is a code rather than a quantity."""
    return name.endswith(("id", "zip")) or (len(text.partition(".")[0]) > MOST_DIGITS and not _DAY.fullmatch(text))
