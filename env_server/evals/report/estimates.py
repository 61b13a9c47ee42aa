"""Estimates over tasks. Trials of one task resemble each other, so the task is what is sampled, not the episode."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

from env_server.evals.outcome import EpisodeOutcome

Z = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


@dataclass(slots=True)
class Trials:
    """How the trials of one task went; a trial that is not scored is none."""

    scored: int = 0
    solved: int = 0
    rewards: float = 0.0

    @property
    def reward(self) -> float:
        """The mean reward."""
        return self.rewards / self.scored

    def pass_hat(self, k: int) -> float:
        """The probability that `k` trials drawn from the scored ones without replacement are all solved.

        Its mean over trials is success to the k-th power, without bias: C(solved, k) / C(scored, k), the estimator of
        pass^k of Yao et al. 2024, "tau-bench", arXiv:2406.12045.
        """
        return comb(self.solved, k) / comb(self.scored, k)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a value between 0 and 1 over tasks, and how sure it is."""

    mean: float
    error: float | None
    """Its standard error, None of one task."""

    low: float
    high: float
    """Wilson's 95 % interval, which unlike mean and error says something where all tasks agree."""

    tasks: int

    def interval(self) -> list[float]:
        """The interval as JSON."""
        return [self.low, self.high]


def by_task(outcomes: Iterable[EpisodeOutcome]) -> dict[str, Trials]:
    """Task -> how its trials went, in the order of the task ids; tasks without a scored trial are left out."""
    found: dict[str, Trials] = {}
    for outcome in sorted(outcomes, key=key):
        if outcome.reward is not None:
            trials = found.setdefault(outcome.task_id, Trials())
            trials.scored += 1
            trials.solved += outcome.success
            trials.rewards += outcome.reward
    return found


def key(outcome: EpisodeOutcome) -> Any:
    """What outcomes are sorted by, wherever their order could show."""
    return outcome.task_id, outcome.trial


def pass_hat(tasks: Iterable[Trials], k: int) -> Estimate | None:
    """pass^k over the tasks with at least `k` scored trials; the others say nothing about it. None without any."""
    enough = [task for task in tasks if task.scored >= k]
    if not enough:
        return None
    return estimate([task.pass_hat(k) for task in enough], most=sum(task.scored for task in enough) // k)


def estimate(values: Sequence[float], most: int) -> Estimate:
    """The mean of values between 0 and 1, one of each task; `most` is how many independent tries they could stand for.

    The interval is that of as many tries as explain the standard error: at least one of each task, since nothing
    between 0 and 1 varies more than a yes or no of the same mean, and at most `most`, as if a task's trials were
    independent.
    """
    tasks = len(values)
    mean = fmean(values)
    error = stdev(values) / sqrt(tasks) if tasks > 1 else None
    tries = min(max(mean * (1 - mean) / error**2, tasks), most) if error else tasks
    low, high = wilson(mean, tries)
    return Estimate(mean, error, low, high, tasks)


def wilson(mean: float, tries: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of `tries` independent tries."""
    middle = (mean + Z**2 / (2 * tries)) / (1 + Z**2 / tries)
    half = Z * sqrt(mean * (1 - mean) / tries + Z**2 / (4 * tries**2)) / (1 + Z**2 / tries)
    return max(middle - half, 0.0), min(middle + half, 1.0)
