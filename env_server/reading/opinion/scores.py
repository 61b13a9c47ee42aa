"""The scores of a message: for each act, how much its marks speak for it (above 0) or against it."""

from array import array
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from env_server.reading.acts import Act
from env_server.reading.opinion.marks import MARKS

JUDGED = (Act.PROPOSE, Act.CLAIM, Act.REFUSE)
"""The acts that the model knows, in the order of its weights."""

UNIT = 100
"""A weight of 1.0 in the file, which has whole numbers."""

WEIGHTS = Path(__file__).with_name("weights.bin")
"""For each act, the weights of all marks as signed bytes. Behind them: the biases, as signed 32-bit numbers of the
lowest byte first.
"""


def scores(marks: Collection[int]) -> dict[Act, int]:
    """Return the score of each judged act for the marks of a whole message, each of which counts once."""
    weights, biases = _model()
    return {
        act: bias + sum(map(each.__getitem__, marks)) for act, each, bias in zip(JUDGED, weights, biases, strict=True)
    }


@lru_cache(maxsize=1)
def _model() -> "tuple[list[array[int]], list[int]]":
    held = WEIGHTS.read_bytes()
    end = len(JUDGED) * MARKS
    weights = [array("b", held[at : at + MARKS]) for at in range(0, end, MARKS)]
    return weights, [int.from_bytes(held[at : at + 4], "little", signed=True) for at in range(end, len(held), 4)]
