"""The report of an audit: the success rate of each policy, and the findings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from env_server.audit.findings import AuditFinding
from env_server.audit.rollouts import Played

Z = 1.959964
"""The two-sided 95 % quantile of the normal distribution."""


def upper(hits: int, trials: int) -> float:
    """Return the upper end of Wilson's 95 % interval of a share; 1 if there are no trials."""
    if not trials:
        return 1.0
    share, spread = hits / trials, Z * Z / trials
    middle = share + spread / 2
    return min(1.0, (middle + sqrt(share * (1 - share) * spread + spread * spread / 4)) / (1 + spread))


@dataclass(frozen=True, slots=True)
class Rate:
    """The results of one policy in one split."""

    tasks: int
    solved: int
    """Number of episodes that earned the whole reward."""

    unscored: int
    """Number of episodes without a reward: they could not be played, or no component could be judged."""

    partial: int
    """Number of episodes in which a component was omitted because no judge was available."""

    turns: float
    """Mean number of agent messages per episode."""

    calls: int
    failed_calls: int

    @classmethod
    def of(cls, played: Sequence[Played]) -> "Rate":
        """Return the sums over episodes of one policy."""
        return cls(
            tasks=len(played),
            solved=sum(p.reward == 1 for p in played),
            unscored=sum(p.reward is None for p in played),
            partial=sum(p.partial for p in played),
            turns=sum(p.turns for p in played) / max(len(played), 1),
            calls=sum(p.calls for p in played),
            failed_calls=sum(p.failed for p in played),
        )

    @property
    def share(self) -> float:
        """Return the share of solved tasks, from 0 to 1."""
        return self.solved / self.tasks if self.tasks else 0.0

    @property
    def at_most(self) -> float:
        """Return the upper end of Wilson's 95 % interval of the share."""
        return upper(self.solved, self.tasks)

    def plain(self) -> dict[str, Any]:
        """Return the rate as a JSON object."""
        shares = {"rate": round(self.share, 4), "at_most": round(self.at_most, 4)}
        return {**asdict(self), "turns": round(self.turns, 2), **shares}


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of auditing a pack."""

    domain: str
    pack: str
    version: str
    tasks: Mapping[str, int]
    """Number of tasks that were read and played, by split."""

    rates: Mapping[str, Mapping[str, Rate]]
    """Rates by split and policy."""

    findings: tuple[AuditFinding, ...]

    @property
    def faults(self) -> int:
        """Return the number of findings that are faults."""
        return sum(finding.fault for finding in self.findings)

    def plain(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "domain": self.domain,
            "pack": self.pack,
            "version": self.version,
            "tasks": dict(self.tasks),
            "rates": {split: {name: r.plain() for name, r in rates.items()} for split, rates in self.rates.items()},
            "findings": [asdict(finding) for finding in self.findings],
            "faults": self.faults,
        }
