"""The health of a job: rules on what is logged at each step, which warn or halt. This module does not need SkyRL.

A rule is text: `METRIC > NUMBER warn`, `METRIC < NUMBER halt`, with `for STEPS` behind it if the value must stay beyond
the limit for several steps in a row. `METRIC off` removes the rules of a metric.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

WARN, HALT = "warn", "halt"

MIXED = "health/mixed_groups"
"""The share of groups whose rewards differ: only these teach GRPO anything."""

STALLED = "health/steps_without_new_weights"
"""Steps in a row after which an engine had no new weights; the highest number of all engines."""

UNASKED = "health/engines_without_answer"
"""Engines that did not answer the prompt that shows their weights, so that it is unknown whether these are new."""

LOST_SHARE = "health/lost_rollouts"
"""The share of rollouts that are lost."""

CUT_OFF = "health/cut_off"
"""The share of conversations whose last turn reached its limit of tokens, or that left no room for another."""

GPU_MEMORY, GPU_USE = "health/gpu_memory", "health/gpu_utilisation"
"""The share of memory of the fullest GPU of the trainer's node, and the mean use of its GPUs."""

SECONDS: Mapping[str, str] = {
    "health/share_of_generation": "timing/generate",
    "health/share_of_update": "timing/train_critic_and_policy",
}
"""Metric -> SkyRL's metric of seconds. The metric is the share of these seconds in `timing/step`."""

WAITING = "health/share_of_waiting"
"""The mean time that a rollout waits for the environment, as a share of the time of generation."""

RATIO_MEAN, RATIO_STD = "policy/loss_metrics/ratio_mean", "policy/loss_metrics/ratio_std"
"""The ratio of new to old probabilities of the trained tokens: means over the updates of a step."""

RATIO_SPREAD = "health/ratio_spread"
"""The mean of the ratio's standard deviation over the updates of a step, without the first: there every ratio is 1."""

GRADIENT, LEARNING_RATE = "policy/grad_norm", "policy/policy_lr"

GAP = "policy/rollout_train_logprobs_abs_diff_mean"

DEFAULT_RULES = """
policy/rollout_train_logprobs_abs_diff_mean > 0.1 warn
policy/rollout_train_logprobs_abs_diff_mean > 1 halt for 3
policy/policy_kl > 1 warn
policy/policy_kl > 20 halt
policy/policy_entropy < 0.02 warn
policy/policy_entropy < 0.001 halt for 3
policy/grad_norm > 100 warn
policy/loss_metrics/clip_ratio > 0.3 warn
policy/loss_metrics/ratio_mean > 1.5 warn
policy/loss_metrics/ratio_mean < 0.5 warn
health/ratio_spread <= 0 warn
health/mixed_groups < 0.1 warn
health/mixed_groups <= 0 halt for 20
health/steps_without_new_weights >= 2 halt
health/engines_without_answer > 0 warn
environment/parse_failure_rate > 0.5 warn
environment/empty_response_rate > 0.3 warn
environment/tool_error_rate > 0.8 warn
health/lost_rollouts > 0.1 warn
health/cut_off > 0.3 warn
health/cut_off > 0.95 halt for 5
health/share_of_generation > 0.95 warn
health/share_of_waiting > 0.8 warn
health/share_of_update > 0.9 warn
health/gpu_memory > 0.98 warn
health/gpu_utilisation < 0.05 warn for 10
"""
"""Rounding to bfloat16 alone causes a tenth of the first limit. The other limits are far from what a sound job logs.
They are choices: no job on a GPU was measured for them."""

RULE = re.compile(r"(\S+)\s*(<=|>=|<|>)\s*(\S+)\s+(warn|halt)(?:\s+for\s+([1-9]\d*))?|(\S+)\s+off")

LOSSES = ("policy/", "critic/", "loss/", "reward/")
"""The beginnings of the names of metrics that must be finite numbers."""


class BadRule(ValueError):
    """A text that is no rule."""


class Unhealthy(RuntimeError):
    """A job was halted; the message says why."""

    def __init__(self, told: str, *, finite: bool = True) -> None:
        """Say why, and whether the weights may still be good."""
        super().__init__(told)
        self.finite = finite


@dataclass(frozen=True, slots=True)
class Rule:
    """A limit on a metric."""

    metric: str
    relation: str
    limit: float
    action: str
    steps: int = 1
    """The steps in a row for which the metric must be beyond the limit."""

    def broken(self, value: float) -> bool:
        """Whether the value is beyond the limit."""
        match self.relation:
            case "<":
                return value < self.limit
            case "<=":
                return value <= self.limit
            case ">":
                return value > self.limit
            case _:
                return value >= self.limit


@dataclass(frozen=True, slots=True)
class Alarm:
    """A rule that was broken."""

    action: str
    why: str
    finite: bool = True
    """Whether the weights may still be good: they are not after a loss that is no number."""


def rules(text: str) -> list[Rule]:
    """The default rules, changed by `text`: rules with `;` or line ends between them replace those of their metrics.

    Raises:
        BadRule: if a part of the text is no rule.
    """
    found = _parsed(DEFAULT_RULES)
    return [rule for metric, of in {**found, **_parsed(text)}.items() for rule in of]


def _parsed(text: str) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for part in filter(None, (each.strip() for each in re.split(r"[;\n]", text))):
        matched = RULE.fullmatch(part)
        if matched is None:
            raise BadRule(f"{part!r} is no rule: expected METRIC > NUMBER warn|halt [for STEPS], or METRIC off")
        metric, relation, limit, action, steps, removed = matched.groups()
        if removed:
            found[removed] = []
            continue
        try:
            number = float(limit)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise BadRule(f"{part!r}: {limit} is no finite number")
        found.setdefault(metric, []).append(Rule(metric, relation, number, action, int(steps or 1)))
    return found


@dataclass(slots=True)
class Health:
    """Compares what is logged with rules, step by step."""

    rules: Iterable[Rule]
    _steps: Counter[Rule] = field(default_factory=Counter)
    _states: dict[str, Any] = field(default_factory=dict)
    _stalled: Counter[str] = field(default_factory=Counter)
    _about: dict[str, str] = field(default_factory=dict)
    """Metric -> what its alarm adds to the number."""

    def weights(self, states: Mapping[str, Any]) -> dict[str, float]:
        """The metric `STALLED` at the end of a step.

        `states` has a value for each source (an engine, or SkyRL's counter), which differs from the last one if there
        are new weights. The count of a source that is missing stays as it is. Without a source there is no metric.
        """
        for who, state in states.items():
            self._stalled[who] = self._stalled[who] + 1 if self._states.get(who) == state else 0
            self._states[who] = state
        if not states:
            return {}
        worst = max(states, key=lambda who: self._stalled[who])
        self._about[STALLED] = worst
        return {STALLED: float(self._stalled[worst])}

    def check(self, logs: Mapping[str, Any]) -> list[Alarm]:
        """The alarms of a step."""
        alarms = [
            Alarm(HALT, f"{name} is {value}", finite=False)
            for name, value in logs.items()
            if name.startswith(LOSSES) and isinstance(value, float) and not math.isfinite(value)
        ]
        for rule in self.rules:
            value = logs.get(rule.metric)
            if not isinstance(value, int | float):
                continue  # nothing was logged, as in an evaluation: the steps in a row go on
            self._steps[rule] = self._steps[rule] + 1 if rule.broken(value) else 0
            if self._steps[rule] >= rule.steps:
                about = f" ({self._about[rule.metric]})" if rule.metric in self._about else ""
                alarms.append(Alarm(rule.action, _told(rule, value) + about))
        return alarms


def mixed_groups(rewards: Iterable[float], groups: Iterable[str]) -> dict[str, float]:
    """The metric of the share of groups whose rewards differ; without a group of two rollouts there is none."""
    found: dict[str, list[float]] = {}
    for reward, group in zip(rewards, groups, strict=True):
        found.setdefault(group, []).append(reward)
    several = [of for of in found.values() if len(of) > 1]
    return {MIXED: sum(len(set(of)) > 1 for of in several) / len(several)} if several else {}


def shares(output: Mapping[str, Any], lost: str) -> dict[str, float]:
    """The share of lost conversations, whose stop reason is `lost`, and the share of the others that were cut off."""
    reasons = output.get("stop_reasons") or []
    ends = output.get("is_last_step") or [True] * len(reasons)
    last = [reason for reason, end in zip(reasons, ends, strict=True) if end]
    kept = [reason for reason in last if reason != lost]
    found = {LOST_SHARE: 1 - len(kept) / len(last)} if last else {}
    return found | ({CUT_OFF: kept.count("length") / len(kept)} if kept else {})


def has_updated(logs: Mapping[str, Any]) -> bool:
    """Whether a step has changed weights. It has not if the gradient or the learning rate is 0, as in a warm-up.

    If the gradient has no limit, SkyRL does not log its norm. It may be 0 if no group has different rewards, so the
    result is then False.
    """
    if GRADIENT not in logs and logs.get(MIXED) == 0:
        return False
    return all(logs.get(name) != 0 for name in (GRADIENT, LEARNING_RATE))


def ratio_spread(logs: Mapping[str, Any], updates: int) -> dict[str, float]:
    """The spread of the ratio after the first of the `updates` of a step.

    With one update a step there is none: all ratios are 1, because the weights are those that played the rollouts.
    """
    spread = logs.get(RATIO_STD)
    return {RATIO_SPREAD: spread * updates / (updates - 1)} if updates > 1 and spread is not None else {}


def seconds(logs: Mapping[str, Any]) -> dict[str, float]:
    """The shares of generation and update in a step's seconds, and the share of waiting in those of generation."""
    step, generation = logs.get("timing/step"), logs.get("timing/generate")
    found = {name: logs[timing] / step for name, timing in SECONDS.items() if step and timing in logs}
    waited = logs.get("environment/env_seconds")
    return found | ({WAITING: min(waited / generation, 1.0)} if generation and waited is not None else {})


def _told(rule: Rule, value: float) -> str:
    for_steps = f" for {rule.steps} steps" if rule.steps > 1 else ""
    return f"{rule.metric} is {value:.4g}, {rule.relation} {rule.limit:g}{for_steps}"
