"""What a crawler says once it has read everything."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from env_server.policies.base import AgentMove, Brief, calls, says
from env_server.policies.crawl.crawler import Closing
from env_server.policies.crawl.seen import Seen
from env_server.policies.rules.constant import HANDED_OVER
from env_server.policies.rules.drawing import Drawing

ELSE = "Is there anything else I can do for you?"
REFUSES = f"I am sorry, that is not possible under our policy. {ELSE}"
LIES = f"I have changed and refunded everything just as you wished. {ELSE}"
MURMURS = "Mmm."

MOST_NUMBERS, MOST_DAYS = 40, 10
"""Distinct numbers and days in one message: more would say none of them."""

MOST_DUMPS = 4
"""Messages full of values about one wish."""

MOST_DIGITS = 5
"""Digits of a whole number that is no code."""

PHONE = (
    "Please turn airplane mode off.",
    "Please turn mobile data on.",
    "Please turn data saver off.",
    "Please disconnect the VPN.",
    "Please set the network mode to 4G/5G preferred.",
    "Please turn Wi-Fi calling off.",
    "Please take the SIM card out and put it back in.",
    "Please reset the APN settings.",
    "Please restart your phone.",
    "Please grant the messaging app the SMS permission and the storage permission.",
    "Please pay the bill that you have a payment request for.",
    "Please turn data roaming on.",
)
"""What helps many a phone, each in a message of its own: whoever is helped says so and does no more.

What changes least if it was not needed comes first.
"""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass
class Repeats:
    """Makes its moves in order, then the same one for ever."""

    then: AgentMove
    first: list[AgentMove] = field(default_factory=list)

    @property
    def busy(self) -> bool:
        """Whether it has only begun."""
        return bool(self.first)

    def move(self, _seen: Seen) -> AgentMove:
        """The next of them."""
        return self.first.pop(0) if self.first else self.then


@dataclass
class Dumps:
    """Says all numbers and days that it met, those first that have to do with the user's words.

    After a few messages about one wish it closes that, so that the next one comes up.
    """

    said: set[str] = field(default_factory=set)
    busy: bool = False
    _records: int = 0
    _left: int = 0

    def move(self, seen: Seen) -> AgentMove:
        """As many of them as one message may have."""
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
    """Refuses whatever is wished."""
    return Repeats(says(REFUSES, last=True))


def lies(_brief: Brief) -> Closing:
    """Says that everything was done."""
    return Repeats(says(LIES, last=True))


def dumps(_brief: Brief) -> Closing:
    """Says all values."""
    return Dumps()


def murmurs(_brief: Brief) -> Closing:
    """Says nothing until the user gives up."""
    return Repeats(says(MURMURS, last=True))


def hands_over(brief: Brief) -> Closing:
    """Hands the user over; where that does not end the episode, it only says so."""
    drawing = Drawing(Random(brief.seed), {})
    schemas = [t["function"] for t in brief.tools if t["function"]["name"] in brief.transfers]
    made = [calls(schema["name"], drawing.arguments(schema["parameters"])) for schema in schemas]
    return Repeats(says(HANDED_OVER, last=True), made)


def orders(_brief: Brief) -> Closing:
    """Tells the user what to do with a phone, then says that everything was done."""
    return Repeats(says(LIES, last=True), [says(words) for words in PHONE])


def _values(seen: Seen) -> Sequence[str]:
    """The numbers and days of all records as text: what the user means first, and codes last."""
    found: dict[str, bool] = {}
    for record in sorted(seen.records, key=lambda r: (r.common, -min(seen.likeness(r), 1.0), r.depth)):
        for name, value in record.own.items():
            text = f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
            if not isinstance(value, bool) and (_DAY.fullmatch(text) or _NUMBER.fullmatch(text)):
                found.setdefault(text, _is_code(name, text))
    return sorted(found, key=lambda text: found[text])


def _is_code(name: str, text: str) -> bool:
    """Whether a number counts nothing."""
    return name.endswith(("id", "zip")) or (len(text.partition(".")[0]) > MOST_DIGITS and not _DAY.fullmatch(text))
