"""Lost rollouts: they are kept out of the loss and of their group's baseline, and too many of them stop the run.

A rollout is lost if it failed (because of the server or the sampler, for example) or if its episode was not scored. It
says nothing about the policy, so its reward must not count as 0. The functions here work on SkyRL's plain output of a
generator.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from statistics import fmean
from typing import Any

LOST = "lost"
"""The stop reason of a lost rollout's rows."""

FEWEST = 32
"""The limit is checked on at least so many rollouts. A smaller batch, as an evaluation's last, counts with the next."""


def mask_lost(output: MutableMapping[str, Any], lost: Sequence[bool], groups: Sequence[Hashable]) -> None:
    """Mask the lost rollouts in a generator's output, in place.

    Their tokens leave the loss. Their reward becomes the mean reward of their group's other rollouts (of all others, if
    none is left), which leaves the group's mean unchanged.

    Args:
        output: The output of a generator: a row for each rollout, or, of step-wise trajectories, one for each turn.
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
    """The group in which each row is compared; a lost row gets a group of its own.

    The filled-in mean keeps a group's mean, but not its standard deviation, so a lost row has to leave its group. If
    fewer than two other rows are left it stays, because a lone row has no baseline and its reward would count in full.
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
        # The reward goes to the first token: SkyRL counts a rollout as passed by the reward of its last token.
        output["rewards"][row] = [reward, *[0.0] * (size - 1)]
    else:
        output["rewards"][row] = reward


def total(reward: float | Sequence[float]) -> float:
    """The total of a reward that may be given for each token."""
    return float(reward) if isinstance(reward, int | float) else float(sum(reward))


class TooManyLost(RuntimeError):
    """Too many rollouts were lost for the run to go on; the message has the reasons."""


class LostRolloutLimit:
    """Counts lost rollouts and their reasons, and compares them with the share that may be lost."""

    def __init__(self, share: float) -> None:
        """Allow `share` of the rollouts to be lost."""
        self._share = share
        self._rollouts = 0
        self._reasons: Counter[str] = Counter()

    def begin(self, rollouts: int) -> None:
        """Begin a batch of so many rollouts. Earlier rollouts count only if they were too few to judge."""
        if self._rollouts >= FEWEST:
            self._rollouts = 0
            self._reasons.clear()
        self._rollouts += rollouts

    def lose(self, reason: str) -> None:
        """Count a lost rollout."""
        self._reasons[reason] += 1

    @property
    def exceeded(self) -> bool:
        """Whether too many are lost; a batch with fewer than `FEWEST` rollouts counts as one of `FEWEST`."""
        return self._reasons.total() > self._share * max(self._rollouts, FEWEST)

    def check(self) -> None:
        """Raise `TooManyLost` if too many are lost."""
        if self.exceeded:
            common = "; ".join(f"{count} x {reason}" for reason, count in self._reasons.most_common(5))
            lost = f"{self._reasons.total()} of {self._rollouts} rollouts were lost"
            raise TooManyLost(f"{lost} (limit {self._share:.0%}): {common}")
