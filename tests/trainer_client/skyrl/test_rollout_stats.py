"""The metrics that follow from episodes' counts, over all and by domain."""

from typing import Any

import pytest

from agent_env_schemas import CallInfo, StepInfo, StepReply, StopReason
from trainer_client.skyrl.rollout_stats import RolloutStats, aggregate


def reply(**more: Any) -> StepReply:
    """A reply to a step."""
    info = StepInfo(
        calls=more.pop("calls", []),
        parse_failure=more.pop("parse_failure", None),
        scored=more.pop("scored", None),
        outages=more.pop("outages", None),
    )
    fields = {"reward": 0.0, "terminated": False, "truncated": False, "done": False, "stop_reason": None, **more}
    return StepReply(episode_id="ep", turn=1, observation=[], state_hash="0", info=info, **fields)


def episode(domain: str, reward: float | None = 1.0, **fields: Any) -> dict[str, Any]:
    """The counts of an episode that has ended."""
    return RolloutStats(domain, turns=2, reward=reward, scored=reward is not None, **fields).metrics()


def failed(domain: str, *, environment: bool) -> dict[str, Any]:
    """The counts of a rollout that was given up."""
    stats = RolloutStats(domain, turns=2)
    stats.fail(ConnectionError("gone"), environment=environment)
    return stats.metrics()


def test_a_turn_is_counted() -> None:
    """Empty and unreadable messages, calls and failed calls are counted, but no call that was not executed."""
    stats = RolloutStats("retail")
    called = [CallInfo(name="a"), CallInfo(name="b", error="tool_error"), CallInfo(name="c", error="not_executed")]
    stats.step("text", reply(calls=called))
    stats.step("  ", reply())
    stats.step("<tool_call>", reply(parse_failure="no JSON"))
    assert (stats.turns, stats.empty, stats.parse_failures, stats.calls, stats.errors) == (3, 1, 1, 2, 1)
    assert stats.lost
    stats.step("bye", reply(reward=1.0, done=True, terminated=True, stop_reason=StopReason.USER_STOP, scored=True))
    assert (stats.reward, stats.stop_reason, stats.lost) == (1.0, "user_stop", False)


@pytest.mark.parametrize("masked", [True, False])
def test_outages_are_counted_and_may_lose_the_rollout(masked: bool) -> None:
    """A call whose server failed is no mistake; with the setting, its episode says nothing about the policy."""
    stats = RolloutStats("research", mask_outages=masked)
    failed = CallInfo(name="a", error="outage", failure="timed_out")
    stats.step("text", reply(calls=[CallInfo(name="a"), failed], outages=1))
    stats.step("bye", reply(reward=1.0, done=True, terminated=True, stop_reason=StopReason.COMPLETED, scored=True))
    assert (stats.calls, stats.errors, stats.outages, stats.lost) == (1, 0, 1, masked)
    found = aggregate([stats.metrics(), episode("research")])
    assert (found["outages"], found["research/outage_rate"], found["success_rate"]) == (1.0, 0.5, 1.0)
    assert (found["tool_error_rate"], found["tool_use_accuracy"]) == (0.0, 1.0)
    assert RolloutStats(**stats.metrics()).lost is masked
    stats.fail(ConnectionError("gone"), environment=True)
    assert (stats.loss, RolloutStats("a", outages=1, scored=True).loss) == (stats.failure, "a tool's server failed")
    assert RolloutStats("a", stop_reason="infrastructure").loss == "not scored: infrastructure"


def test_metrics_by_domain() -> None:
    """Success leaves lost episodes out; rates are over all turns or calls; rows without counts are skipped."""
    found = aggregate(
        [
            {},
            episode("retail", calls=3, errors=1, parse_failures=1),
            episode("retail", reward=0.5, env_seconds=2.0),
            episode("retail", reward=None),
            failed("airline", environment=True),
            failed("airline", environment=False),
        ]
    )
    assert found["success_rate"] == found["retail/success_rate"] == 0.5
    assert found["tool_error_rate"] == pytest.approx(1 / 3)
    assert found["tool_use_accuracy"] == 0.5
    assert found["parse_failure_rate"] == 1 / 10
    assert (found["conversation_length"], found["env_seconds"]) == (2.0, 0.4)
    assert (found["env_failures"], found["rollout_failures"], found["unscored"]) == (1, 1, 1)
    assert (found["airline/env_failures"], found["retail/rollout_failures"]) == (1, 0)


def test_a_share_of_nothing_is_left_out() -> None:
    """A domain whose episodes are all lost has no success rate, and one without calls no share of failed ones."""
    found = aggregate([episode("retail"), failed("airline", environment=True)])
    assert found["success_rate"] == 1.0
    assert "airline/success_rate" not in found
    assert "airline/tool_error_rate" not in found
    assert found["airline/conversation_length"] == 2.0


def test_the_first_failure_counts() -> None:
    """Later failures follow from the first. An engine's failure differs from an environment's."""
    stats = RolloutStats("retail")
    stats.fail(ValueError("Expecting value"), environment=False)
    stats.fail(RuntimeError("closed"), environment=True)
    assert (stats.failure, stats.env_failed) == ("outside the environment: ValueError: Expecting value", False)
    assert stats.lost


def test_no_episode_has_no_metrics() -> None:
    """Without episodes nothing is divided by 0."""
    assert aggregate([]) == aggregate([{}]) == {}
