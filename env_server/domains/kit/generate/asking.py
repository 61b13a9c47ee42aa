"""The wordings of callers. Those for the `test` split occur in no other split."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

HELD_OUT = "test"
"""The split that has its own wordings."""

KEPT_BACK = 0.35
"""The share of a bank that is reserved for the held-out split."""

ASKS = (
    "I'd like to {}.",
    "I want to {}.",
    "Could you help me {}?",
    "I need to {}.",
    "Please help me {}.",
    "What I need is to {}.",
    "Can you help me {}, please?",
    "I was hoping to {}.",
    "I would like to {}, please.",
    "My request is to {}.",
    # Kept for the held-out split.
    "Is there a way for you to help me {}?",
    "What I am after is to {}.",
    "I have to {}, if you can help.",
    "My wish is to {}.",
    "It would be great to {}.",
    "I'm looking to {}.",
)
"""Wordings of a wish; the braces take a phrase such as `cancel an order`.

A wish may also come in the middle of a conversation.
"""

INSTEAD = (
    "In that case I'd like to {}.",
    "Then please help me {}.",
    "Then I want to {}.",
    "If that is so, I would rather {}.",
    "All right, then let me {}.",
    "Then I'd prefer to {}.",
    # Kept for the held-out split.
    "Well, as that will not work, I'd like to {}.",
    "Hm, then my second choice is to {}.",
    "Given that, could you help me {}?",
)
"""Wordings of a wish that replaces a refused one."""

REPEATS = 2
"""The number of further wordings of a wish, for repetitions."""


@dataclass(frozen=True)
class Voice:
    """A random generator of wordings for one split."""

    rng: Random
    split: str

    def pick(self, *wordings: str) -> str:
        """Return one of the `wordings`. The last third is for the held-out split, the rest for the other splits.

        A bank of fewer than three is shared by all splits.
        """
        return self.rng.choice(self.bank(wordings))

    def bank(self, wordings: Sequence[str]) -> Sequence[str]:
        """Return the part of `wordings` for this split."""
        if len(wordings) < 3:
            return wordings
        back = max(1, ceil(len(wordings) * KEPT_BACK))
        return wordings[-back:] if self.split == HELD_OUT else wordings[:-back]

    def asks(self, phrases: Sequence[str], *, instead: bool = False) -> list[str]:
        """Return the first wording of the wish, then other wordings for repetitions."""
        frames = list(self.bank(INSTEAD if instead else ASKS))
        self.rng.shuffle(frames)
        found = [frames[0].format(self.pick(*phrases))]
        others = frames[1:] if not instead else list(self.bank(ASKS))
        found += [frame.format(self.pick(*phrases)) for frame in others[:REPEATS]]
        return found
