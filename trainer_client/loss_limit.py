"""When so many rollouts are lost that a run must stop: an outage must not look like a quiet run."""

from collections import Counter

FEWEST = 32
"""Rollouts that are judged together. A batch with less, as an evaluation's last, is judged with those that follow."""


class TooManyLost(RuntimeError):
    """So many rollouts were lost that the run must not go on; the message says why they were."""


class LossLimit:
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
