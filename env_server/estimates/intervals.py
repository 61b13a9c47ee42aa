"""Estimates over tasks. The trials of a task are correlated, so the sampling unit is the task and not the episode."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, fmean, stdev

Z = NormalDist().inv_cdf(0.975)
"""The two-sided 95 % quantile of the normal distribution."""


@dataclass(slots=True)
class Trials:
    """The scored trials of one task. Trials without a score do not count."""

    scored: int = 0
    solved: int = 0
    rewards: float = 0.0

    @property
    def reward(self) -> float:
        """Return the mean reward."""
        return self.rewards / self.scored

    def pass_hat(self, k: int) -> float:
        """Return the probability that `k` trials, drawn from the scored ones without replacement, are all solved.

        This is an unbiased estimate of the success probability to the k-th power: C(solved, k) / C(scored, k), the
        estimator of pass^k of Yao et al. 2024, "tau-bench", arXiv:2406.12045.
        """
        return comb(self.solved, k) / comb(self.scored, k)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean over tasks of a value between 0 and 1, with its uncertainty."""

    mean: float
    error: float | None
    """The standard error of the mean; None for one task."""

    low: float
    high: float
    """Ends of Wilson's 95 % interval. Unlike the standard error, it is informative even if all tasks agree."""

    tasks: int

    def interval(self) -> list[float]:
        """Return the interval as a JSON array."""
        return [self.low, self.high]


def pass_hat(tasks: Iterable[Trials], k: int) -> Estimate | None:
    """Return pass^k over the tasks with at least `k` scored trials, or None if there is no such task."""
    enough = [task for task in tasks if task.scored >= k]
    if not enough:
        return None
    return estimate([task.pass_hat(k) for task in enough], most=sum(task.scored for task in enough) // k)


def estimate(values: Sequence[float], most: int) -> Estimate:
    """Return the mean of values between 0 and 1, one per task, with its interval.

    The interval is that of the number of independent tries that explains the standard error. The number is at least one
    per task, because no distribution on [0, 1] varies more than a yes-or-no result of the same mean. It is at most
    `most`, as if the trials of a task were independent.
    """
    return estimate_of(len(values), fmean(values), stdev(values) if len(values) > 1 else None, most)


def estimate_of(tasks: int, mean: float, deviation: float | None, most: int) -> Estimate:
    """Return the same as `estimate` from the mean of the values and their standard deviation, None for one task."""
    error = None if deviation is None else deviation / sqrt(tasks)
    tries = min(max(mean * (1 - mean) / error**2, tasks), most) if error else tasks
    low, high = wilson(mean, tries)
    return Estimate(mean, error, low, high, tasks)


def wilson(mean: float, tries: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share `mean` of `tries` independent tries."""
    middle = (mean + Z**2 / (2 * tries)) / (1 + Z**2 / tries)
    half = Z * sqrt(mean * (1 - mean) / tries + Z**2 / (4 * tries**2)) / (1 + Z**2 / tries)
    return max(middle - half, 0.0), min(middle + half, 1.0)
