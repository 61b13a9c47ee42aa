"""Lost rollouts: they are kept out of the loss and of their group's baseline, and too many of them stop the run.

A rollout is lost if it failed (the way to the server, the sampler) or if its episode was not scored. It says nothing
about the policy, so its reward must not count as 0. The functions here work on SkyRL's plain output of a generator.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from statistics import fmean
from typing import Any

LOST = "lost"
"""The stop reason of a lost rollout's rows."""

FEWEST = 32
"""Rollouts that are judged together. A batch with less, as an evaluation's last, is judged with those that follow."""


def mask_lost(output: MutableMapping[str, Any], lost: Sequence[bool], groups: Sequence[Hashable]) -> None:
    """Take the lost rollouts out of a generator's output, in place.

    Their tokens leave the loss. Their reward becomes the mean of what their group's other rollouts got (of all others,
    if none is left), which leaves the group's mean as it was.

    Args:
        output: What a generator made: a row for each rollout, or, of step-wise trajectories, one for each turn.
        lost: For each rollout whether it is lost.
        groups: For each rollout the prompt that it belongs to.
    """
    if not any(lost):
        return
    rows, last = _rows(output, len(lost)), last_rows(output, len(lost))
    kept: dict[Hashable, list[float]] = defaultdict(list)
    for i, group in enumerate(groups):
        if not lost[i]:
            kept[group].append(total(output["rewards"][last[i]]))
    everyone = [score for scores in kept.values() for score in scores]
    for i, group in enumerate(groups):
        if not lost[i]:
            continue
        for row in rows[i]:
            _mask(output, row, 0.0)
        _mask(output, last[i], fmean(kept[group] or everyone or [0.0]))


def baseline_groups(output: Mapping[str, Any], uids: Sequence[str]) -> list[str]:
    """For each row the group that it is compared in: lost rows are compared in none.

    The mean of the others leaves a group's mean as it was, but not its standard deviation. So a lost row gets a group
    of its own. Where less than two others are left it stays, since a lone row has no baseline and would count in full.
    """
    ends = output.get("is_last_step") or [True] * len(uids)
    left: dict[str, int] = defaultdict(int)
    for uid, reason, end in zip(uids, output["stop_reasons"], ends, strict=True):
        left[uid] += bool(end) and reason != LOST
    names, rollout = [], 0
    for uid, reason, end in zip(uids, output["stop_reasons"], ends, strict=True):
        names.append(f"{uid} {LOST} {rollout}" if reason == LOST and left[uid] > 1 else uid)
        rollout += bool(end)
    return names


def kept_rewards(output: Mapping[str, Any], uids: Sequence[str]) -> tuple[list[float], list[str]]:
    """The total reward of each rollout that is not lost, and the prompt that it belongs to."""
    ends = output.get("is_last_step") or [True] * len(uids)
    rows = zip(output["rewards"], uids, output["stop_reasons"], ends, strict=True)
    kept = [(total(reward), uid) for reward, uid, reason, end in rows if end and reason != LOST]
    return [reward for reward, _ in kept], [uid for _, uid in kept]


def last_rows(output: Mapping[str, Any], rollouts: int) -> list[int]:
    """The row of each rollout that carries its reward."""
    return [of[-1] for of in _rows(output, rollouts)]


def _rows(output: Mapping[str, Any], rollouts: int) -> list[list[int]]:
    """The rows of each rollout, in order."""
    ends = output.get("is_last_step")
    if ends is None:
        return [[row] for row in range(rollouts)]
    rows: list[list[int]] = [[]]
    for row, end in enumerate(ends):
        rows[-1].append(row)
        if end:
            rows.append([])
    return rows[:-1]


def _mask(output: MutableMapping[str, Any], row: int, reward: float) -> None:
    size = len(output["response_ids"][row])
    output["stop_reasons"][row] = LOST
    output["loss_masks"][row] = [0] * size
    if isinstance(output["rewards"][row], list):
        # On the first token: SkyRL counts a rollout as passed by the reward of its last token.
        output["rewards"][row] = [reward, *[0.0] * (size - 1)]
    else:
        output["rewards"][row] = reward


def total(reward: float | Sequence[float]) -> float:
    """A reward that may be given by token."""
    return float(reward) if isinstance(reward, int | float) else float(sum(reward))


class TooManyLost(RuntimeError):
    """So many rollouts were lost that the run must not go on; the message says why they were."""


class LostRolloutLimit:
    """Counts lost rollouts and their reasons against the share that may be lost."""

    def __init__(self, share: float) -> None:
        """Nothing is lost so far."""
        self._share = share
        self._rollouts = 0
        self._reasons: Counter[str] = Counter()

    def begin(self, rollouts: int) -> None:
        """A batch of so many begins. What was before it counts only if it was too little to judge."""
        if self._rollouts >= FEWEST:
            self._rollouts = 0
            self._reasons.clear()
        self._rollouts += rollouts

    def lose(self, reason: str) -> None:
        """Count a lost rollout."""
        self._reasons[reason] += 1

    @property
    def exceeded(self) -> bool:
        """Whether too many are lost, even if a batch with less than `FEWEST` had so many."""
        return self._reasons.total() > self._share * max(self._rollouts, FEWEST)

    def check(self) -> None:
        """Raise `TooManyLost` if too many are."""
        if self.exceeded:
            common = "; ".join(f"{count} x {reason}" for reason, count in self._reasons.most_common(5))
            lost = f"{self._reasons.total()} of {self._rollouts} rollouts were lost"
            raise TooManyLost(f"{lost} (limit {self._share:.0%}): {common}")
