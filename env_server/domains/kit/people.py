"""Made-up people of generated worlds. Every value comes from the random generator of the caller."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random


def fresh(rng: Random, taken: set[str], digits: int, prefix: str = "") -> str:
    """Return `prefix` and a number of `digits` digits that is not in `taken`, and add it to `taken`.

    The number does not begin with a zero.
    """
    while (found := f"{prefix}{rng.randrange(10 ** (digits - 1), 10**digits)}") in taken:
        pass
    taken.add(found)
    return found


def born(rng: Random, first: date, days: int) -> str:
    """Return a date of birth, `YYYY-MM-DD`, on one of the `days` days from `first` on."""
    return (first + timedelta(days=rng.randrange(days))).isoformat()


def street(rng: Random, names: Sequence[str], endings: Sequence[str]) -> str:
    """Return a house number and a street: `217 Alder Lane`."""
    return f"{rng.randint(11, 989)} {rng.choice(names)} {rng.choice(endings)}"
