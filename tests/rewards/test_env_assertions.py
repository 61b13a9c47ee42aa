"""`env_assertions`: every assertion must hold in the final state."""

import pytest

from env_server.domains.kit import Component, Task
from env_server.domains.kit.task import EnvAssertion
from env_server.rewards import GoldOutcome, ScoreInputs
from env_server.rewards.components.env_assertions import COMPONENT

TASK = Task(
    task_id="t",
    domain="d",
    instruction="i",
    basis=(Component.ENV_ASSERTIONS,),
    env_assertions=(EnvAssertion(name="is_on"), EnvAssertion(name="is_off", expected=False)),
)


@pytest.mark.parametrize(
    ("holds", "value", "lines"),
    [
        ((True, True), 1.0, [("as in the reference solution", "")]),
        ((False, True), 0.0, [("should hold: ", "is_on()")]),
        ((True, False), 0.0, [("should not hold: ", "is_off()")]),
    ],
)
def test_every_assertion_has_to_hold(holds: tuple[bool, bool], value: float, lines: list[tuple[str, str]]) -> None:
    """The value is 1 only if all hold, and the explanation names those that do not."""
    part = COMPONENT.part(TASK, ScoreInputs("a", GoldOutcome("a", ()), holds=holds))
    assert part["value"] == value
    assert [tuple(line) for line in COMPONENT.explain(part)] == lines
