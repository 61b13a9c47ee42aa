"""Whole episodes with the scripted user: simple agents get the reward that they should."""

from collections.abc import Iterator
from functools import partial
from itertools import cycle, repeat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_env_schemas import DEFAULT_TURNS
from env_server.policies import Brief, FixedMoves, Policy
from env_server.policies.base import AgentMove, calls, says
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS, Phrasing
from tests.contract.acts import each_domain, stage
from tests.contract.playing import Playing, Tape, every_template, some

SAMPLE = 12
"""The number of tasks in each domain that simple agents play."""

HAND_OVER = calls("transfer_to_human_agents", {"summary": "x"})


def ends(tape: Tape) -> tuple[float | None, str | None]:
    """The reward of an episode, and its stop reason."""
    return tape.last.reward, tape.last.stop_reason


@each_domain
def test_the_oracle_scores_one_on_every_template(playing: Playing, domain: str) -> None:
    """An agent that asks, proposes, waits for a yes, reports and gives reasons earns 1 in 70 % of the default turns."""
    for task, phrasing in zip(every_template(domain), cycle(PHRASINGS), strict=False):
        tape = playing.play(task, partial(talking, phrasing=phrasing))
        assert tape.last.reward == 1.0, (task.task_id, task.template, tape.last.info.reward_breakdown)
        assert tape.last.turn <= 0.7 * DEFAULT_TURNS, task.task_id


@pytest.mark.slow
@each_domain
@pytest.mark.parametrize("phrasing", PHRASINGS)
def test_the_oracle_scores_one_in_each_phrasing(playing: Playing, domain: str, phrasing: Phrasing) -> None:
    """The oracle earns 1 in each of its phrasings."""
    for task in every_template(domain):
        tape = playing.play(task, partial(talking, phrasing=phrasing))
        assert tape.last.reward == 1.0, (task.task_id, task.template, tape.last.info.reward_breakdown)


@each_domain
@pytest.mark.parametrize(
    "message",
    [
        "Hello! How can I help you?",
        "I am sorry, but I cannot help you with that.",
        "Done! Is there anything else?",
        "...",
    ],
)
def test_an_agent_that_only_talks_scores_zero(playing: Playing, domain: str, message: str) -> None:
    """After useless words, a refusal or a false report at once, the user gives up, and the reward is 0."""
    for task in some(domain, SAMPLE):
        tape = playing.play(task, lambda _: FixedMoves(repeat(says(message))))
        assert tape.last.reward == 0.0, task.task_id
        assert tape.last.info.scored, task.task_id


@each_domain
def test_an_agent_that_transfers_at_once_scores_zero(playing: Playing, domain: str) -> None:
    """A transfer without a look-up scores 0 in every task."""
    for task in some(domain, 2 * SAMPLE):
        assert ends(playing.play(task, lambda _: FixedMoves(repeat(HAND_OVER)))) == (0.0, "transfer"), task.task_id


@each_domain
def test_gold_and_then_a_transfer_that_gold_does_not_have_scores_zero(playing: Playing, domain: str) -> None:
    """A transfer after the work, or after the look-ups of a refusal, scores 0.

    Conduct is left out, so that only the transfer can be the cause.
    """
    would_be = set()
    for task in some(domain, 3 * SAMPLE):
        golds = task.gold.actions
        if any(call.requestor == "user" or call.name in stage(domain).transfers for call in golds):
            continue
        tape = playing.play(task, _and_hands_over, conduct="off")
        assert ends(tape) == (0.0, "transfer"), task.task_id
        would_be.add(tape.last.info.would_be)
    assert 1.0 in would_be


def _and_hands_over(brief: Brief) -> Policy:
    def moves() -> Iterator[AgentMove]:
        yield from (calls(call.name, call.arguments) for call in brief.gold.actions)
        yield HAND_OVER

    return FixedMoves(moves())


@each_domain
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_neither_a_restart_nor_a_fork_changes_the_user(playing: Playing, domain: str, data: st.DataObject) -> None:
    """The user's words and the reward stay the same if the episode is restored before, or forked after, any turn."""
    task = data.draw(st.sampled_from(every_template(domain)))
    phrasing = data.draw(st.sampled_from(PHRASINGS))
    whole = playing.play(task, partial(talking, phrasing=phrasing), seed=5)

    restored = playing.again(playing.reset(task, seed=5), whole.actions, playing.forget)
    assert restored.heard() == whole.heard()
    assert ends(restored) == ends(whole)

    turn = data.draw(st.integers(0, len(whole.actions) - 1))
    forked = playing.again(playing.fork(whole.last.episode_id, turn), whole.actions[turn:])
    assert forked.heard() == whole.heard()[turn:]
    assert ends(forked) == ends(whole)
    assert forked.last.info.reward_breakdown == whole.last.info.reward_breakdown
