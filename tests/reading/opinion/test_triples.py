"""Triples of neighbouring words."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from env_server.reading.opinion.triples import BITS, FREQUENT, TRIPLES, strange, tokens, triples_of
from env_server.reading.words.text import pieces

UNSEEN = Path(__file__).parents[1] / "unseen"


def messages() -> Iterator[list[str]]:
    """The plain sentences of messages that the table was not made with."""
    for table in sorted(UNSEEN.glob("*.txt")):
        for line in table.read_text(encoding="utf-8").splitlines():
            text = line.partition("\t")[2].replace("\\n", "\n")
            yield [piece.view for piece in pieces(text) if not piece.quoted]


def test_the_files_fit_the_reader() -> None:
    """The table has all bits, and the frequent words are as many as the script writes."""
    assert TRIPLES.stat().st_size * 8 == BITS
    assert len(FREQUENT.read_text(encoding="utf-8").split()) == 200


@pytest.mark.parametrize(
    ("left", "right"),
    [("cancel order #W1", "cancel order #X22"), ("pay $5 now", "pay $17 now"), ("we waived it", "we expedited it")],
)
def test_codes_figures_and_seldom_words_are_alike(left: str, right: str) -> None:
    """Two sentences have the same triples if they differ in figures, in codes, or in seldom words with one ending."""
    frequent = frozenset(FREQUENT.read_text(encoding="utf-8").split())
    assert triples_of(tokens(left), frequent) == triples_of(tokens(right), frequent)


def test_shuffled_words_are_strange() -> None:
    """Agents of other manners are seldom strange; most of their longer messages are, if their words are shuffled."""
    rng = random.Random(5)
    told = [views for views in messages() if sum(len(tokens(view)) for view in views) >= 12]
    assert len(told) > 300
    assert sum(strange(views, share=1 / 6, least=3) for views in told) <= 0.08 * len(told)
    shuffled = []
    for views in told:
        words = [word for view in views for word in tokens(view)]
        rng.shuffle(words)
        shuffled.append([" ".join(words)])
    assert sum(strange(views, share=1 / 6, least=3) for views in shuffled) >= 0.9 * len(told)


def test_a_few_words_are_not_strange() -> None:
    """A message with few unknown triples is not strange, whatever their share."""
    assert strange(["of the zzz is cancelling are you the of"], share=0.1, least=3)
    assert not strange(["of the zzz is cancelling are you the of"], share=0.1, least=9)
    assert not strange([], share=0.1, least=0)
