"""Orders and divisions that depend on a seed."""

from collections.abc import Sequence
from string import ascii_letters

import pytest

from trainer_client.dataset.order import divided, shuffled


def first(word: str) -> str:
    """The letter a word begins with."""
    return word[0]


def sizes(words: Sequence[str], ratio: float, seed: int = 0) -> tuple[int, int]:
    """The number of words in each part; no word begins like one of the other part."""
    made = divided(words, ratio, seed, first)
    assert sorted([*made.first, *made.second]) == sorted(words)
    assert not set(map(first, made.first)) & set(map(first, made.second))
    return len(made.first), len(made.second)


def grouped(*numbers: int) -> list[str]:
    """As many words of each letter as the numbers say."""
    return [letter + str(n) for letter, number in zip(ascii_letters, numbers, strict=False) for n in range(number)]


def test_the_seed_decides_and_not_the_order() -> None:
    """The same words come in the same order, which another seed changes."""
    words = [chr(n) * 3 for n in range(97, 117)]
    assert shuffled(words, 1, str) == shuffled(words[::-1], 1, str) != shuffled(words, 2, str)
    assert divided(words, 0.5, 1, first) == divided(words[::-1], 0.5, 1, first) != divided(words, 0.5, 2, first)


@pytest.mark.parametrize(
    ("ratio", "expected"), [(0.0, (0, 20)), (0.01, (1, 19)), (0.5, (10, 10)), (0.99, (19, 1)), (1.0, (20, 0))]
)
def test_the_ratio_is_kept_where_names_allow(ratio: float, expected: tuple[int, int]) -> None:
    """The ratio is exact if all names differ; either part gets an item, unless the ratio is 0 or 1."""
    assert sizes([chr(n) for n in range(97, 117)], ratio) == expected


def test_one_name_is_never_divided() -> None:
    """Names with five items each stay whole; a single name is in the part that is nearer to the ratio."""
    words = grouped(5, 5, 5, 5)
    assert {sizes(words, 0.6, seed) for seed in range(9)} == {(10, 10)}
    assert sizes(words, 0.99) == (15, 5)
    assert (sizes(words[:5], 0.9), sizes(words[:5], 0.1), sizes([], 0.5)) == ((5, 0), (0, 5), (0, 0))


@pytest.mark.parametrize(
    ("numbers", "ratio", "expected"),
    [
        ([10, 1], 0.9, (10, 1)),
        ([30, *[1] * 50], 0.9, (72, 8)),
        ([*[1] * 10, 20, 20], 0.8, (40, 10)),
        ([*[1] * 10, 8, 8], 0.1, (3, 23)),
    ],
)
def test_a_large_name_goes_where_there_is_room_for_it(
    numbers: Sequence[int], ratio: float, expected: tuple[int, int]
) -> None:
    """Whatever the seed and the order of the list, small names even out the ratio."""
    assert {sizes(grouped(*numbers), ratio, seed) for seed in range(9)} == {expected}


@pytest.mark.parametrize(
    ("numbers", "ratio", "expected"), [([10, 1], 0.9, 0), ([50, *[1] * 10], 0.5, 20), ([9], 0.5, 4), ([1, 1], 0.9, 0)]
)
def test_what_names_do_not_allow_is_told(numbers: Sequence[int], ratio: float, expected: int) -> None:
    """`missed` counts the items in the wrong part; the item that each part gets at least is no miss."""
    assert divided(grouped(*numbers), ratio, 0, first).missed == expected
