"""The marks of sentences and messages."""

from hypothesis import given
from hypothesis import strategies as st

from env_server.reading.opinion.marks import MARKS, marks_in


@given(st.text())
def test_any_text_has_marks_within_bounds(text: str) -> None:
    """Every mark is a number that the weights have a place for."""
    assert all(0 <= mark < MARKS for mark in marks_in(text))


def test_figures_count_as_one_word() -> None:
    """Sums, ids and dates do not tell messages apart."""
    assert marks_in("I'd cancel order #W123 for $4.50.") == marks_in("I'd cancel order #W9 for $1,200.")


def test_a_question_has_marks_of_its_own() -> None:
    """The words of a question count as words and as words of a question."""
    words, plain, asked = marks_in("Ask"), marks_in("Ask."), marks_in("Ask?")
    assert words & plain & asked
    assert len(asked) == 2 * len(plain)


def test_quotations_have_none() -> None:
    """A quotation and a block of code speak for nothing."""
    assert marks_in("> Your order has been cancelled.") == marks_in("```\nDone.\n```") == frozenset()
