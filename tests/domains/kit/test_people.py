"""Made-up people."""

from datetime import date
from random import Random

from env_server.domains.kit import born, fresh, street


def test_numbers_never_repeat() -> None:
    """Each number is given once, after its prefix, and none is 0."""
    taken: set[str] = set()
    found = {fresh(Random(7), taken, 1, "L") for _ in range(9)}
    assert found == taken == {f"L{digit}" for digit in range(1, 10)}


def test_birthdays_and_streets_come_from_the_seed() -> None:
    """The same seed gives the same person; the birthday is within the given days."""
    days = {born(Random(seed), date(2000, 2, 28), 3) for seed in range(50)}
    assert days == {"2000-02-28", "2000-02-29", "2000-03-01"}
    assert street(Random(1), ("Alder",), ("Lane",)) == street(Random(1), ("Alder",), ("Lane",))
    assert street(Random(1), ("Alder",), ("Lane",)).endswith(" Alder Lane")
