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

_ROOM = 1 << 25
"""The room of one act in a number that holds the sums of all acts, side by side. It holds even the weights of all marks
together.
"""

WEIGHTS = Path(__file__).with_name("weights.bin")
"""For each act, the weights of all marks as signed bytes. Behind them: the biases, as signed 32-bit numbers of the
lowest byte first.
"""


def scores(marks: Collection[int]) -> dict[Act, int]:
    """Return the score of each judged act for the marks of a whole message, each of which counts once."""
    weights, biases = _model()
    total, found = sum(map(weights.__getitem__, marks)), {}
    for act, bias in zip(JUDGED, biases, strict=True):
        own = (total + _ROOM // 2) % _ROOM - _ROOM // 2  # a sum may be negative
        total = (total - own) // _ROOM
        found[act] = bias + own
    return found


@lru_cache(maxsize=1)
def _model() -> "tuple[array[int], list[int]]":
    """Return the weights of each mark for all acts, as one number, and the biases."""
    held = WEIGHTS.read_bytes()
    end = len(JUDGED) * MARKS
    apart = (array("b", held[at : at + MARKS]) for at in range(0, end, MARKS))
    weights = array("q", [a + b * _ROOM + c * _ROOM**2 for a, b, c in zip(*apart, strict=True)])
    return weights, [int.from_bytes(held[at : at + 4], "little", signed=True) for at in range(end, len(held), 4)]
