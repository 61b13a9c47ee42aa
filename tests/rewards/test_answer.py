"""`answer`: the faults of a submitted answer."""

from typing import Any

import pytest
from pydantic import ValidationError

from env_server.domains.kit import Answer, SubmittedAnswer
from env_server.rewards.components.answer import answer_fault

NUMBER = Answer(kind="number", value=12.5, unit="USD", tolerance=0.001)
TEXT = Answer(kind="text", value="Alder Works", also=("ALDR",))
LIST = Answer(kind="list", value=("ALDR", "BRCH"))
DATE = Answer(kind="date", value="2026-03-02")
UNKNOWN = Answer(kind="number", missing=("dividend",))


def submitted(answer: Any = None, missing: str | None = None) -> SubmittedAnswer:
    """The row of an answer."""
    return {"id": "answer", "answer": answer, "missing": missing}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", "twelve"),
        ("number", "nan"),
        ("number", ("1", "2")),
        ("date", "early March"),
        ("date", 20260302.0),
        ("text", 1.0),
        ("text", ("a",)),
        ("list", "a"),
    ],
)
def test_a_task_cannot_ask_for_what_nothing_equals(kind: Any, value: Any) -> None:
    """A task whose right answer does not fit its kind is refused, with what it should be."""
    with pytest.raises(ValidationError, match="`kind` says that it is a"):
        Answer(kind=kind, value=value)


def test_a_number_may_be_written_as_a_text() -> None:
    """Tables of other programs write numbers as text, which is accepted."""
    assert answer_fault(Answer(kind="number", value="12.5"), submitted(12.5)) is None


@pytest.mark.parametrize(
    ("right", "answer"),
    [
        (NUMBER, 12.5),
        (NUMBER, 12.51),
        (TEXT, " alder  works."),
        (TEXT, "$ALDR"),
        (LIST, ["aldr", "brch"]),
        (DATE, "2 March 2026"),
        (DATE, "Mar 2, 2026"),
    ],
)
def test_right_answers(right: Answer, answer: Any) -> None:
    """A number within its tolerance, another spelling, and another notation of a date are right."""
    assert answer_fault(right, submitted(answer)) is None


@pytest.mark.parametrize(
    ("right", "answer"),
    [
        (NUMBER, 12.52),
        (NUMBER, "12.5"),
        (NUMBER, True),
        (TEXT, "Alder"),
        (LIST, ["BRCH", "ALDR"]),
        (LIST, ["ALDR"]),
        (LIST, "ALDR"),
        (DATE, "2026-03-03"),
        (DATE, "early March"),
        (DATE, 20260302),
    ],
)
def test_wrong_answers_are_quoted(right: Answer, answer: Any) -> None:
    """Another value, order, type or day is wrong, and the fault says what was submitted."""
    assert answer_fault(right, submitted(answer)) == f"submitted: {answer!r}"


def test_what_can_be_known_has_to_be_answered() -> None:
    """No answer, and `unknown` although the answer exists, are faults of their own."""
    assert answer_fault(NUMBER, None) == "no answer was submitted"
    assert answer_fault(NUMBER, submitted(missing="the price")) == "it can be known"


def test_what_cannot_be_known_needs_the_missing_fact() -> None:
    """If the answer cannot be known, a value is a fault, and so is another missing fact."""
    assert answer_fault(UNKNOWN, submitted(missing="Its Dividend is not published")) is None
    assert answer_fault(UNKNOWN, submitted(missing="the price")) == "another fact is missing"
    assert answer_fault(UNKNOWN, submitted()) == "another fact is missing"
    assert answer_fault(UNKNOWN, submitted(0)) == "it cannot be known, but an answer was given"
