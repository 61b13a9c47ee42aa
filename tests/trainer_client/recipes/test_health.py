"""The rules on a job's metrics: which values warn, which halt, and which do neither."""

import math
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.e2e.server import ROOT
from trainer_client.recipes.grpo.checking import checked
from trainer_client.recipes.grpo.gpus import gpus
from trainer_client.recipes.grpo.health import (
    CUT_OFF,
    GAP,
    GPU_MEMORY,
    GPU_USE,
    HALT,
    LOST_SHARE,
    MIXED,
    RATIO_SPREAD,
    RATIO_STD,
    SECONDS,
    STALLED,
    WAITING,
    WARN,
    BadRule,
    Health,
    has_updated,
    mixed_groups,
    ratio_spread,
    rules,
    seconds,
    shares,
)
from trainer_client.recipes.grpo.settings import PREFIX, BadSettings, read

SOUND = {"policy/policy_entropy": 0.8, "policy/policy_kl": 0.01, "policy/grad_norm": 0.6, MIXED: 0.5, STALLED: 0.0}


def halted(*steps: dict[str, Any], text: str = "") -> int | None:
    """The first step that halts, from 1."""
    health = Health(rules(text))
    for number, logs in enumerate(steps, 1):
        if any(alarm.action == HALT for alarm in health.check({**SOUND, **logs})):
            return number
    return None


def test_a_sound_job_has_no_alarm() -> None:
    """There is none at the first step, when the policy is the reference, and none later."""
    health = Health(rules(""))
    assert [health.check({**SOUND, "policy/policy_kl": step / 100}) for step in range(50)] == [[]] * 50


@pytest.mark.parametrize(
    ("logs", "steps", "halts"),
    [
        ({"policy/policy_loss": math.nan}, 3, 1),
        ({"policy/grad_norm": math.inf}, 3, 1),
        ({"policy/policy_kl": 30.0}, 3, 1),
        ({"policy/policy_entropy": 0.0001}, 9, 3),
        ({MIXED: 0.0}, 40, 20),
        ({"policy/rollout_train_logprobs_abs_diff_mean": 2.5}, 9, 3),
        ({"policy/rollout_train_logprobs_abs_diff_mean": 0.2}, 40, None),
        ({"environment/parse_failure_rate": 0.9}, 40, None),
    ],
)
def test_planted_faults(logs: dict[str, Any], steps: int, halts: int | None) -> None:
    """A loss that is no number, a policy that runs away or collapses, equal groups, and stale weights halt the job."""
    assert halted(*[logs] * steps) == halts


def test_steps_in_a_row_begin_again() -> None:
    """A sound step resets the count; a log without the metric, such as an evaluation's, does not."""
    low: dict[str, Any] = {"policy/policy_entropy": 0.0}
    assert halted(low, low, {}, low, low) is None
    health = Health(rules(""))
    assert [len([a for a in health.check(logs) if a.action == HALT]) for logs in (low, low, {"eval/x": 1}, low)] == [
        0,
        0,
        0,
        1,
    ]


def test_an_engine_that_never_updates() -> None:
    """An engine whose answer stays the same is stalled; one whose answer changes is not."""
    for states, expected in (([1, 2, 3, 4], None), ([1, 1, 1], 3), ([1, 1, 2, 2, 3], None)):
        health = Health(rules(""))
        seen = [health.check(health.weights({"an engine": state})) for state in states]
        halts = [step for step, alarms in enumerate(seen, 1) if any(a.action == HALT for a in alarms)]
        assert (halts[0] if halts else None) == expected


def test_one_of_several_engines_stands_still() -> None:
    """The worst engine counts and is named; an engine that gives no answer at a step keeps its count."""
    health = Health(rules(""))
    steps: list[dict[str, Any]] = [
        {"counter": 1, "a": 1, "b": 1},
        {"counter": 2, "a": 2, "b": 1},
        {"counter": 3, "a": 3},
    ]
    assert [health.weights(states) for states in steps] == [{STALLED: 0.0}, {STALLED: 1.0}, {STALLED: 0.0}]
    (alarm,) = health.check(health.weights({"counter": 4, "a": 4, "b": 1}))
    assert (alarm.action, alarm.why) == (HALT, f"{STALLED} is 2, >= 2 (b)")
    assert health.weights({}) == {}


def test_steps_that_change_no_weight() -> None:
    """A step without a gradient, or the first step of a warm-up, changes no weight."""
    assert has_updated({"policy/grad_norm": 0.3, "policy/policy_lr": 1e-6})
    assert has_updated({})
    assert not has_updated({"policy/grad_norm": 0.0, "policy/policy_lr": 1e-6})
    assert not has_updated({"policy/grad_norm": 0.3, "policy/policy_lr": 0.0})


def test_a_job_changes_the_rules_of_a_metric() -> None:
    """A job's rules replace the default ones of their metric; other metrics keep theirs, and `off` removes rules."""
    text = "policy/policy_kl > 0.5 halt for 2; health/mixed_groups off"
    assert halted(*[{"policy/policy_kl": 0.6}] * 3, text=text) == 2
    assert halted(*[{MIXED: 0.0}] * 40, text=text) is None
    assert halted({"policy/policy_loss": math.nan}, text=text) == 1
    warned = Health(rules("my/own >= 3 warn")).check({"my/own": 3})
    assert [(alarm.action, alarm.why) for alarm in warned] == [(WARN, "my/own is 3, >= 3")]


@pytest.mark.parametrize(
    "text",
    ["policy_kl", "a > b warn", "a > nan halt", "a = 3 warn", "a > 3 stop", "a > 3 halt for", "a > 3 halt for 0"],
)
def test_what_is_no_rule(text: str) -> None:
    """A malformed rule is an error before the job runs."""
    with pytest.raises(BadRule):
        rules(text)
    job = ["data.train_data=x", "trainer.run_name=mine", "trainer.eval_interval=-1", f"{PREFIX}health='{text}'"]
    with pytest.raises(BadSettings, match=r"agent_env\.health"):
        checked(read(["gpu-4"], [], job))


def test_the_share_of_mixed_groups() -> None:
    """A group of one rollout does not count."""
    assert mixed_groups([1, 0, 1, 1, 1], ["a", "a", "b", "b", "c"]) == {MIXED: 0.5}
    assert mixed_groups([1], ["a"]) == {}


def test_shares_of_conversations() -> None:
    """A lost conversation counts only as lost; the last turn decides whether one was cut off."""
    rows = {"stop_reasons": ["stop", "length", "lost", "length"], "is_last_step": [False, True, True, True]}
    assert shares(rows, "lost") == {LOST_SHARE: pytest.approx(1 / 3), CUT_OFF: 1.0}
    assert shares({"stop_reasons": ["lost"]}, "lost") == {LOST_SHARE: 1.0}
    assert shares({"stop_reasons": []}, "lost") == {}


def test_shares_of_seconds() -> None:
    """Shares have no unit, so one limit serves small and large jobs; shares of missing metrics are left out."""
    logs = {"timing/step": 10.0, "timing/generate": 8.0, "environment/env_seconds": 6.0}
    assert seconds(logs) == {"health/share_of_generation": 0.8, WAITING: 0.75}
    assert seconds({"eval/all/avg_score": 1.0}) == {}


def test_every_measure_has_a_limit() -> None:
    """The metrics that this package adds have rules, and the page names the metric of every rule."""
    watched = {rule.metric for rule in rules("")}
    assert {MIXED, STALLED, LOST_SHARE, CUT_OFF, GPU_MEMORY, GPU_USE, WAITING, GAP, *SECONDS} <= watched
    page = (ROOT / "docs/skyrl.md").read_text(encoding="utf-8")
    assert {metric for metric in watched if metric.rpartition("/")[2] not in page} == set()


def test_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """The metrics are the fullest GPU and the mean use; there are none without a GPU."""
    fake = SimpleNamespace(
        NVMLError=RuntimeError,
        nvmlInit=lambda: None,
        nvmlShutdown=lambda: None,
        nvmlDeviceGetCount=lambda: 2,
        nvmlDeviceGetHandleByIndex=lambda place: place,
        nvmlDeviceGetMemoryInfo=lambda place: SimpleNamespace(used=(20, 79)[place], total=80),
        nvmlDeviceGetUtilizationRates=lambda place: SimpleNamespace(gpu=(50, 100)[place]),
    )
    monkeypatch.setitem(sys.modules, "pynvml", fake)
    assert gpus() == {GPU_MEMORY: 79 / 80, GPU_USE: 0.75}

    def without() -> None:
        raise RuntimeError("no driver")

    fake.nvmlInit = without
    assert gpus() == {}
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert gpus() == {}


def test_ratios_that_stay_one_are_an_alarm_from_the_second_update_on() -> None:
    """With one update a step there is no spread and no alarm; with two, a spread of 0 is an alarm."""
    equal = {RATIO_STD: 0.0}
    assert ratio_spread(equal, 1) == {}
    assert ratio_spread({}, 2) == {}
    assert ratio_spread({RATIO_STD: 0.1}, 2) == {RATIO_SPREAD: 0.2}
    health = Health(rules(""))
    assert not health.check({**equal, **ratio_spread(equal, 1)})
    assert [alarm.action for alarm in health.check({**equal, **ratio_spread(equal, 2)})] == [WARN]
