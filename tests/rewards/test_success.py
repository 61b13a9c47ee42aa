"""The component `success`."""

import pytest

from agent_env_schemas import StopReason
from env_server.commands.play.reasons import reason
from env_server.domains.kit import Component, Dialect
from env_server.rewards import GoldOutcome, MadeCall, ScoreInputs, score
from env_server.rewards.components import call_found, components
from env_server.tools import CallOutcome
from tests.rewards.samples import QUOTE, TASK, outcome, quote, tool


def found_in(*outcomes: CallOutcome) -> dict[str, list[int]]:
    """The finding of the component for calls without an error."""
    found: dict[str, list[int]] = {}
    for one in outcomes:
        call_found(TASK, Dialect(), MadeCall(one.name, one.arguments, "agent", one), found)
    return found


@pytest.mark.parametrize(
    ("outcomes", "reward", "why"),
    [
        ((quote(),), 1.0, "the right tool was called"),
        ((quote(), quote()), 1.0, "the right tool was called"),
        ((outcome(tool("market", "trade")), outcome(tool("post", "quote"))), 0.0, "not called: market.quote"),
        ((), 0.0, "not called: market.quote"),
    ],
)
def test_the_named_call_has_to_be_made(outcomes: tuple[CallOutcome, ...], reward: float, why: str) -> None:
    """One call of the tool is enough; another tool of the server, or the same name on another server, is not."""
    inputs = ScoreInputs("a", GoldOutcome("a", ()), found_in(*outcomes))
    result = score(TASK, inputs, StopReason.COMPLETED)
    assert result.reward == reward
    assert reason("success", result.breakdown["success"]).plain == why


def test_a_basis_without_a_named_call_is_refused() -> None:
    """An inline task has no row that names a call, so its basis cannot have this component."""
    component = components()[Component.SUCCESS]
    bare = TASK.model_copy(update={"sample": None})
    assert component.refused(bare) == "the task does not say which tool has to be called"
    assert (component.refused(TASK), component.counted(bare)) == (None, False)
    assert QUOTE.name == "quote"
