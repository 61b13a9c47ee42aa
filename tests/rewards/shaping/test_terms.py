"""The terms of a turn; the constants of `mcp_tool_env` are written out."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_env_schemas import ShapingWeights
from env_server.providers.spec import FailureKind
from env_server.rewards.sample_progress import Gain
from env_server.rewards.shaping import PlayedCall, turn_terms, weights_of
from env_server.rewards.shaping.presets import PRESETS
from env_server.tools import Fault
from tests.rewards.samples import QUOTE, outcome, quote

MCP = PRESETS["mcp_tool_env"]
GOOD = PlayedCall(quote(), Gain(2, True, True))
REFUSED = PlayedCall(outcome(QUOTE, None, Fault.TOOL_ERROR, ticker="?"))
MISSHAPEN = PlayedCall(outcome(QUOTE, None, Fault.BAD_ARGUMENTS, x=1))
UNKNOWN = PlayedCall(outcome(None, None, Fault.UNKNOWN_TOOL))
DOWN = PlayedCall(outcome(QUOTE, None, Fault.OUTAGE, FailureKind.TIMED_OUT, ticker="down"))


@pytest.mark.parametrize(
    ("calls", "terms"),
    [
        ([], {}),
        ([GOOD], {"valid": 0.1, "extract": 0.4, "accept": 0.4}),
        ([PlayedCall(quote())], {"valid": 0.1}),
        ([REFUSED], {"valid": 0.1, "error": -0.4}),
        ([MISSHAPEN], {"valid": 0.1, "error": -0.4}),
        ([UNKNOWN], {"invalid": -0.25}),
        ([DOWN, DOWN], {}),
        ([GOOD, GOOD._replace(gain=Gain())], {"valid": 0.2, "extract": 0.4, "accept": 0.4, "repeat": -0.1}),
    ],
)
def test_calls_have_terms(calls: list[PlayedCall], terms: dict[str, float]) -> None:
    """Values, refused calls, unknown tools and repeats have terms; an outage has none."""
    assert turn_terms(MCP, calls, []) == pytest.approx(terms)


def test_messages_have_terms() -> None:
    """A message that cannot be read, and one that the trainer wrote, have a term each."""
    assert turn_terms(MCP, [], [], parse_failure=True) == {"parse_failure": -0.1}
    assert turn_terms(MCP, [GOOD], [], forced=True)["forced_action"] == -0.1


def test_a_repeat_is_seen_across_turns() -> None:
    """A call with the same name and arguments is a repeat, whatever came of it; after an outage it is none."""
    seen: list[str] = []
    assert "repeat" not in turn_terms(MCP, [DOWN], seen)
    assert "repeat" not in turn_terms(MCP, [PlayedCall(outcome(QUOTE, {}, ticker="down"))], seen)
    assert turn_terms(MCP, [DOWN], seen) == {}
    assert turn_terms(MCP, [PlayedCall(outcome(QUOTE, {}, ticker="down"))], seen)["repeat"] == -0.1
    assert "repeat" not in turn_terms(MCP, [PlayedCall(outcome(QUOTE, {}, ticker="up"))], seen)


def test_the_first_right_tool() -> None:
    """The first call of the right tool has 0.8, and nothing else has a term."""
    first = PRESETS["first_tool"]
    assert turn_terms(first, [GOOD, REFUSED, UNKNOWN], [], parse_failure=True) == {"right_tool": 0.8}
    assert turn_terms(first, [REFUSED], []) == {}


def test_weights_by_name_or_given() -> None:
    """Weights are given or named; `none` stands for no shaping."""
    own = ShapingWeights(valid=3)
    assert (weights_of("none"), weights_of(own), weights_of("first_tool")) == (None, own, PRESETS["first_tool"])
    assert turn_terms(own, [GOOD], []) == {"valid": 3.0}


@given(st.lists(st.sampled_from([GOOD, REFUSED, MISSHAPEN, UNKNOWN, DOWN]), max_size=20), st.data())
def test_turns_add_up(calls: list[PlayedCall], data: st.DataObject) -> None:
    """However calls are divided among turns, the sum of each term is the same."""
    cut = data.draw(st.integers(0, len(calls)))
    whole = turn_terms(MCP, calls, [])
    seen: list[str] = []
    parts = [*turn_terms(MCP, calls[:cut], seen).values(), *turn_terms(MCP, calls[cut:], seen).values()]
    assert fsum(whole.values()) == pytest.approx(fsum(parts))
