"""The score by stop reason and basis."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_env_schemas import StopReason
from env_server.domains.kit import Component, Gold, GoldCall, Task
from env_server.rewards import GoldOutcome, ScoreInputs, score
from env_server.rewards.judge import Verdict

GOLD = Gold(actions=(GoldCall(name="look"),), outputs=("7",))
SCORED = {StopReason.COMPLETED, StopReason.USER_STOP, StopReason.TRANSFER}
UNSCORED = {StopReason.USER_ERROR, StopReason.EXPIRED, StopReason.EXTERNAL_STATE_LOST}


def task(*basis: Component, assertions: tuple[str, ...] = ()) -> Task:
    """A task with this basis."""
    return Task(task_id="t", domain="d", instruction="i", gold=GOLD, basis=basis, assertions=assertions)


def inputs(*, state: bool = True, said: bool = True, matched: bool = True) -> ScoreInputs:
    """Inputs in which each component holds or does not hold."""
    found = {"communicate": [0] if said else [], "actions": [0] if matched else []}
    return ScoreInputs("a" if state else "b", GoldOutcome("a", ()), found)


ALL = task(Component.STATE, Component.COMMUNICATE, Component.ACTIONS)


@pytest.mark.parametrize("stop", list(StopReason))
def test_stop_reasons(stop: StopReason) -> None:
    """Each stop reason gives a score, or 0 with the hypothetical score, or no score."""
    found = score(ALL, inputs(), stop)
    if stop in SCORED:
        assert (found.reward, found.scored, found.would_be) == (1.0, True, None)
    elif stop in UNSCORED:
        assert (found.reward, found.scored) == (None, False)
    else:
        assert (found.reward, found.scored, found.would_be) == (0.0, True, 1.0)


def test_closing_for_infrastructure_is_not_scored() -> None:
    """A close for infrastructure is not scored; any other reason scores 0."""
    assert score(ALL, inputs(), StopReason.CLOSED, "infrastructure").reward is None
    assert score(ALL, inputs(), StopReason.CLOSED, "context_full").reward == 0.0
    assert score(ALL, inputs(), StopReason.CLOSED).reward == 0.0


@pytest.mark.parametrize("broken", ["state", "said", "matched"])
def test_the_reward_is_a_product(broken: str) -> None:
    """One component at 0 makes the reward 0, and the breakdown says which."""
    found = score(ALL, inputs(**{broken: False}), StopReason.USER_STOP)
    values = {name: b["value"] for name, b in found.breakdown.items()}
    where = {"state": "state", "said": "communicate", "matched": "actions"}[broken]
    assert found.reward == 0.0
    assert values == {"state": 1.0, "communicate": 1.0, "actions": 1.0} | {where: 0.0}


def test_only_the_basis_counts() -> None:
    """A component outside the basis is neither computed nor counted."""
    found = score(task(Component.STATE), inputs(said=False, matched=False), StopReason.USER_STOP)
    assert found.reward == 1.0
    assert list(found.breakdown) == ["state"]


def test_no_assertions_are_all_met() -> None:
    """The public tasks often name `nl_assertions` without having any: they all hold."""
    found = score(task(Component.STATE, Component.NL_ASSERTIONS), inputs(), StopReason.USER_STOP)
    assert found.breakdown["nl_assertions"]["value"] == 1.0
    assert not found.partial


def test_without_a_judge_the_rest_counts() -> None:
    """`nl_assertions` is marked as not judged, and the reward as partial."""
    judged = task(Component.STATE, Component.NL_ASSERTIONS, assertions=("The agent was polite.",))
    found = score(judged, inputs(), StopReason.USER_STOP)
    assert found.partial
    assert found.reward == 1.0
    assert found.breakdown["nl_assertions"]["value"] is None


def test_nothing_that_can_be_judged_is_no_reward() -> None:
    """If nothing in the basis could be judged, the episode is not scored."""
    found = score(task(Component.NL_ASSERTIONS, assertions=("x",)), inputs(), StopReason.USER_STOP)
    assert (found.reward, found.scored, found.partial) == (None, False, True)


JUDGED = task(Component.STATE, Component.NL_ASSERTIONS, Component.RUBRIC, assertions=("It was polite.",))


@given(
    st.booleans(),
    st.dictionaries(st.sampled_from(["nl_assertions", "rubric"]), st.floats(0, 1)),
    st.booleans(),
)
def test_the_reward_is_the_product_of_its_components(state: bool, values: dict[str, float], has_judge: bool) -> None:
    """The reward is the product of the components with a value, judged ones included; the open ones are listed."""
    verdicts = {component: Verdict(value, {}, {}) for component, value in values.items()}
    found = score(JUDGED, replace(inputs(state=state), has_judge=has_judge, verdicts=verdicts), StopReason.USER_STOP)
    product = float(state)
    for name, part in found.breakdown.items():
        product *= 1.0 if name == "state" or part["value"] is None else part["value"]
    assert found.reward == product
    assert found.partial == (len(values) < 2)
    missing = tuple(c for c in JUDGED.basis[1:] if c not in values)
    assert found.open == (missing if has_judge and product else ())
    if missing and not found.open:
        why = "the reward is 0 without it" if has_judge else "this server has no judge"
        assert {found.breakdown[c]["not_judged"] for c in missing} == {why}


@pytest.mark.parametrize("stop", list(StopReason))
def test_a_judge_is_asked_only_for_an_end_whose_reward_depends_on_it(stop: StopReason) -> None:
    """An end that gives 0 or no reward by itself asks no judge, even if only a judge's component counts."""
    found = score(task(Component.RUBRIC), replace(inputs(), has_judge=True), stop)
    assert bool(found.open) == (stop in SCORED)
    if stop not in SCORED | UNSCORED:
        assert (found.reward, found.scored, found.would_be) == (0.0, True, None)


def test_a_task_without_criteria_is_met() -> None:
    """A task without criteria scores 1, the product of nothing, as in the public benchmark."""
    assert score(task(), inputs(), StopReason.USER_STOP).reward == 1.0


def test_a_transfer_that_gold_does_not_have_scores_zero() -> None:
    """A transfer after the work scores 0 with the hypothetical score, because the policy forbids it."""
    unasked = replace(inputs(), transfer_is_gold=False)
    assert (score(ALL, unasked, StopReason.TRANSFER).reward, score(ALL, unasked, StopReason.TRANSFER).would_be) == (
        0,
        1,
    )
    assert score(ALL, unasked, StopReason.USER_STOP).reward == 1.0
