"""`evidence`: the facts that the result of a call shows."""

from dataclasses import replace
from typing import Any

import pytest

from env_server.domains.kit import ShownFact
from env_server.providers.spec import ServerTool
from env_server.rewards.components.evidence import newly_shown
from env_server.tools import Fault
from tests.rewards.samples import QUOTE, outcome

PRICE = ShownFact(shows=("ALDR", "12.5"))
NAME = ShownFact(shows=("Alder Works",))


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ({"ticker": "ALDR", "price": 12.5}, [0]),
        ({"ticker": "ALDR", "price": 12.504, "name": "alder works"}, [0, 1]),
        ({"ticker": "ALDR", "price": 12.44}, []),
        ({"ticker": "BRCH", "price": 12.5}, []),
        ("ALDR closed at 12.50 (Alder Works)", [0, 1]),
    ],
)
def test_a_result_shows_facts(result: Any, found: list[int]) -> None:
    """A result shows a fact if it holds all values of the fact, in any notation."""
    assert newly_shown([PRICE, NAME], outcome(QUOTE, result)) == found
    assert newly_shown([PRICE, NAME], outcome(QUOTE, result), already=found) == []


def test_a_fact_may_be_written_with_thousands_separators() -> None:
    """`1,234.5` in a task is the number that a result gives as 1234.5."""
    fact = ShownFact(shows=("1,234.5",))
    assert newly_shown([fact], outcome(QUOTE, {"price": 1234.5})) == [0]
    assert newly_shown([fact], outcome(QUOTE, "It closed at 1,234.50.")) == [0]
    assert newly_shown([fact], outcome(QUOTE, {"price": 234.5})) == []


def test_what_the_call_said_is_no_evidence() -> None:
    """A fact whose values all stand in the call is not shown; its subject, such as the ticker, may stand there."""
    assert newly_shown([NAME], outcome(QUOTE, {"query": "Alder Works", "hits": []}, query="Alder Works")) == []
    assert newly_shown([PRICE], outcome(QUOTE, {"ticker": "ALDR", "price": 12.5}, ticker="ALDR")) == [0]
    assert newly_shown([PRICE], outcome(QUOTE, {"ticker": "ALDR", "price": 12.5}, ticker="ALDR", price=12.5)) == []
    time = ShownFact(shows=("21:30",))
    assert newly_shown([time], outcome(QUOTE, {"at": "2025-03-13T21:30:00"}, time="21:30")) == []
    assert newly_shown([time], outcome(QUOTE, {"at": "2025-03-13T21:30:00"}, time="14:30")) == [0]
    both = ShownFact(shows=("Alder Works", "12.5"))
    assert newly_shown([both], outcome(QUOTE, "Alder Works closed at 12.5", name="Alder Works")) == [0]


def test_neither_errors_nor_the_sandbox_show_facts() -> None:
    """A refused call, a tool that shows nothing of the world, and an unknown tool show no facts."""
    result = {"ticker": "ALDR", "price": 12.5}
    sandbox: ServerTool = replace(QUOTE, shows=False)
    assert newly_shown([PRICE], outcome(QUOTE, result, Fault.TOOL_ERROR)) == []
    assert newly_shown([PRICE], outcome(sandbox, result)) == []
    assert newly_shown([PRICE], outcome(None, result)) == []
