import pytest

from env_server.domains.kit import Component, Db, GoldCall, Task
from env_server.domains.retail.dialects import BUILTIN
from env_server.rewards.matching import match_call
from env_server.rewards.said import newly_said
from env_server.rewards.score import Evidence, GoldOutcome, score
from env_server.state import State
from env_server.tools.dispatch import Toolset
from schemas import StopReason
from tests.domains.retail.test_tasks import TOOLS, play, task
from tests.domains.retail.test_world import base

TRANSFER = GoldCall(name="transfer_to_human_agents", arguments={"summary": "I pass the user on."})


def scored(made: Task, calls: list[GoldCall], words: str, stop: StopReason = StopReason.USER_STOP) -> float | None:
    """Return the reward of making these calls, saying these words, and ending so."""
    db = Db(State.at(base()), BUILTIN)
    side, matched = Toolset(TOOLS, BUILTIN), set[int]()
    for call in calls:
        outcome = side.call(db, call.name, call.arguments)
        if outcome.fault is None:
            matched |= set(match_call(made.gold.actions, outcome.name, outcome.arguments, BUILTIN, matched))
    said = frozenset(newly_said(made.gold.outputs, words, BUILTIN))
    gold = GoldOutcome(play(made.gold.actions), ())
    return score(made, Evidence(db.state.hash, gold, said, frozenset(matched)), stop).reward


@pytest.mark.parametrize("index", range(200))
def test_only_the_work_scores(index: int) -> None:
    """The oracle scores 1; saying nothing useful, refusing at once and transferring at once score 0."""
    made = task(index)
    actions = list(made.gold.actions)
    assert scored(made, actions, f"All done: {' '.join(made.gold.outputs)}.") == 1
    assert scored(made, [], "ok") == 0
    assert scored(made, [], "I am sorry, I cannot help with that.") == 0
    assert scored(made, [TRANSFER], "", StopReason.TRANSFER) == 0


@pytest.mark.parametrize("index", range(200))
def test_every_part_of_gold_that_counts_is_needed(index: int) -> None:
    """Without any one call that is compared, or any one value, the oracle scores 0."""
    made = task(index)
    actions, outputs = list(made.gold.actions), list(made.gold.outputs)
    if Component.ACTIONS in made.basis:
        for i in range(len(actions)):
            assert scored(made, actions[:i] + actions[i + 1 :], " ".join(outputs)) == 0
    for i in range(len(outputs)):
        assert scored(made, actions, " ".join(outputs[:i] + outputs[i + 1 :])) == 0
