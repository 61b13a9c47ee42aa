"""The best policy without a write: after the crawl it plays the closing that solved tasks with similar words.

It ignores the answers of tools. It learns from tasks other than those that it is measured by.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from math import log

from env_server.policies.base import AgentMove
from env_server.policies.crawl.crawler import Closing
from env_server.policies.crawl.seen import Seen

NEAREST = 9
"""The number of lessons that decide."""

_MASKED = re.compile(r"\S+@\S+|\S*\d\S*|(?<![.!?;] )(?<!^)\b[A-Z][\w'-]*|\b[A-Z]{2,}\b")
"""Text that differs between tasks: addresses, codes, numbers and names."""

_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Lesson:
    """A task that was played with every closing."""

    words: tuple[str, ...]
    """The user's messages before the closing."""

    solved: frozenset[str]
    """The closings that solved it."""

    @cached_property
    def features(self) -> frozenset[str]:
        """The features of its words."""
        return features(self.words)


@dataclass(frozen=True)
class Lessons:
    """The played training tasks from which `opening` chooses a closing."""

    lessons: Sequence[Lesson]

    def best(self, words: Sequence[str], closings: Sequence[str]) -> str:
        """Return the closing with the best chance; of equal ones the first."""
        mine = features(words)
        near = nlargest(NEAREST, ((self._likeness(mine, le.features), i) for i, le in enumerate(self.lessons)))
        chance = {
            closing: sum(likeness**2 for likeness, i in near if closing in self.lessons[i].solved)
            for closing in closings
        }
        return max(closings, key=lambda closing: chance[closing])

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """Feature -> its weight: rare features have the greatest weights."""
        counts = Counter(feature for lesson in self.lessons for feature in lesson.features)
        return {feature: log((1 + len(self.lessons)) / count) for feature, count in counts.items()}

    def _likeness(self, mine: frozenset[str], theirs: frozenset[str]) -> float:
        weights = self._weights
        shared = sum(weights.get(feature, 0) for feature in mine & theirs)
        every = sum(weights.get(feature, 0) for feature in mine | theirs)
        return shared / every if every else 0.0


def features(words: Sequence[str]) -> frozenset[str]:
    """Return the words and the word pairs in a user's messages, and their first message as a whole."""
    found: set[str] = set()
    for text in words:
        plain = _WORD.findall(_MASKED.sub(" ", text).lower())
        found.update(plain, (f"{a} {b}" for a, b in pairwise(plain)))
    return frozenset(found | {_MASKED.sub("_", words[0]).lower()} if words else found)


@dataclass
class Chooses:
    """A closing that plays the closing with the best chance."""

    lessons: Lessons
    closings: Mapping[str, Closing]
    _chosen: Closing | None = field(default=None)

    @property
    def busy(self) -> bool:
        """Whether the chosen closing is not finished yet."""
        return self._chosen is not None and self._chosen.busy

    def move(self, seen: Seen) -> AgentMove:
        """Return the message of the chosen closing."""
        if self._chosen is None:
            self._chosen = self.closings[self.lessons.best(seen.words, tuple(self.closings))]
        return self._chosen.move(seen)
