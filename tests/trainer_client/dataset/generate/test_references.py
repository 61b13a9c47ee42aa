"""References to results of earlier steps."""

from typing import Any

import pytest

from trainer_client.dataset.generate.references import resolved, steps_named

RESULTS = {1: {"bars": [{"close": 138.3}], "ticker": "ORCA", "by day": {"2": 5}}}


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("${step1.bars[0].close}", 138.3),
        ("${step1.bars.0.close}", 138.3),
        ("${step1}", RESULTS[1]),
        ("${step1.by day.2}", 5),
        ("$1 and ${step1.ticker} at ${step1.bars[0].close}", "$1 and ORCA at 138.3"),
        ({"a": ["${step1.ticker}", 3]}, {"a": ["ORCA", 3]}),
    ],
)
def test_a_reference_is_replaced(given: Any, value: Any) -> None:
    """A reference alone keeps the type of its value; within a text it becomes text."""
    assert resolved(given, RESULTS) == value
    assert set(steps_named(given)) == {1}


@pytest.mark.parametrize("given", ["${step2.x}", "${step1.nothing}", "${step1.bars[4]}", "${step1.ticker.x}"])
def test_a_reference_to_nothing_is_an_error(given: str) -> None:
    """The error names the reference."""
    with pytest.raises(LookupError, match="step"):
        resolved(given, RESULTS)


def test_what_is_no_reference_is_refused() -> None:
    """Any other placeholder is refused, because it would be sent to a tool as it stands."""
    with pytest.raises(ValueError, match="no reference"):
        list(steps_named({"a": "${ticker}"}))
