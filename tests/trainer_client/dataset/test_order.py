"""Orders and divisions that depend on a seed."""

from collections.abc import Sequence

import pytest

from trainer_client.dataset.order import divided, shuffled


def first(word: str) -> str:
    """The letter a word begins with."""
    return word[0]


def sizes(words: Sequence[str], ratio: float, seed: int = 0) -> tuple[int, int]:
    """How many words are on either side, of which none begins like one on the other."""
    one, other = divided(words, ratio, seed, first)
    assert sorted([*one, *other]) == sorted(words)
    assert not set(map(first, one)) & set(map(first, other))
    return len(one), len(other)


def test_the_seed_decides_and_not_the_order() -> None:
    """The same words come in the same order, which another seed changes."""
    words = [chr(n) * 3 for n in range(97, 117)]
    assert shuffled(words, 1, str) == shuffled(words[::-1], 1, str) != shuffled(words, 2, str)
    assert divided(words, 0.5, 1, first) == divided(words[::-1], 0.5, 1, first) != divided(words, 0.5, 2, first)


@pytest.mark.parametrize(
    ("ratio", "expected"), [(0.0, (0, 20)), (0.01, (1, 19)), (0.5, (10, 10)), (0.99, (19, 1)), (1.0, (20, 0))]
)
def test_the_ratio_is_kept_where_names_allow(ratio: float, expected: tuple[int, int]) -> None:
    """To the item where all have names of their own; either side gets one, unless the ratio says none."""
    assert sizes([chr(n) for n in range(97, 117)], ratio) == expected


def test_one_name_is_never_divided() -> None:
    """Of four names with five items each whole ones are taken; a single name is on the side that is nearer."""
    words = [letter + str(n) for letter in "abcd" for n in range(5)]
    assert {sizes(words, 0.6, seed) for seed in range(9)} == {(10, 10)}
    assert sizes(words, 0.99) == (15, 5)
    assert (sizes(words[:5], 0.9), sizes(words[:5], 0.1), sizes([], 0.5)) == ((5, 0), (0, 5), (0, 0))
