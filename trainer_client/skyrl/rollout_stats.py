"""The counts of one episode while it is played, and the metrics of a batch of episodes."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from agent_env_schemas import StepReply

_NOBODYS = ("not_executed", "outage")
"""The errors of calls that came after the end of the episode, or whose server failed. They count as no mistake."""


@dataclass(slots=True)
class RolloutStats:
    """The counts of one episode."""

    domain: str
    turns: int = 0
    """Messages of the agent."""
    empty: int = 0
    """Messages without any text."""
    parse_failures: int = 0
    """Messages with a call that could not be parsed."""
    calls: int = 0
    """Calls that could be parsed, without outages."""
    errors: int = 0
    """Calls that failed by the policy's mistake."""
    outages: int = 0
    """Calls that failed because a tool's server failed."""
    mask_outages: bool = False
    """Whether an outage makes the rollout a lost one."""
    env_seconds: float = 0.0
    """Time that the rollout waited for the environment."""
    stop_reason: str | None = None
    reward: float | None = None
    scored: bool = False
    failure: str | None = None
    """Why the rollout was given up, if it was."""
    env_failed: bool = False
    """Whether the environment caused `failure`; otherwise the engine did, for example."""

    def step(self, action: str, reply: StepReply) -> None:
        """Count a turn and the reply to it."""
        self.turns += 1
        self.empty += not action.strip()
        self.parse_failures += reply.info.parse_failure is not None
        executed = [call for call in reply.info.calls if call.error not in _NOBODYS]
        self.calls += len(executed)
        self.outages += reply.info.outages or 0
        self.errors += sum(call.error is not None for call in executed)
        self.ended(reply)

    def ended(self, reply: StepReply) -> None:
        """Store the result of the episode if `reply` is the last one."""
        if reply.done:
            self.stop_reason = reply.stop_reason
            self.scored = bool(reply.info.scored)
            self.reward = reply.reward

    def fail(self, error: BaseException, *, environment: bool) -> None:
        """Give the rollout up; only the first reason is kept."""
        if self.failure is None:
            told = f"{type(error).__name__}: {error}"[:200]
            self.failure = told if environment else f"outside the environment: {told}"
            self.env_failed = environment

    @property
    def lost(self) -> bool:
        """Whether the reward says nothing about the policy: the rollout was given up, or the episode was not scored.

        If outages are masked, the rollout is also lost after an outage of a tool's server.
        """
        return self.failure is not None or not self.scored or (self.mask_outages and self.outages > 0)

    @property
    def loss(self) -> str:
        """Why a lost rollout is lost."""
        if self.failure is not None:
            return self.failure
        return f"not scored: {self.stop_reason}" if not self.scored else "a tool's server failed"

    def metrics(self) -> dict[str, Any]:
        """The counts as plain data."""
        return asdict(self)


def aggregate(episodes: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The metrics of many episodes, given by `RolloutStats.metrics`: over all, and `domain/...` for each domain.

    Rows without counts (turns before the last, in step-wise trajectories) are skipped. A share of nothing, such as the
    success of a domain whose episodes are all lost, is left out, because it is not 0.
    """
    counted = [RolloutStats(**episode) for episode in episodes if episode]
    by_domain: dict[str, list[RolloutStats]] = defaultdict(list)
    for stats in counted:
        by_domain[f"{stats.domain}/"].append(stats)
    groups = {"": counted, **dict(sorted(by_domain.items()))} if counted else {}
    found = {f"{of}{name}": compute(ts) for of, ts in groups.items() for name, compute in METRICS.items()}
    return {name: value for name, value in found.items() if value is not None}


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _success(all_stats: Sequence[RolloutStats]) -> float | None:
    kept = [t for t in all_stats if not t.lost]
    return _share(sum((t.reward or 0.0) >= 1.0 for t in kept), len(kept))


def _accuracy(all_stats: Sequence[RolloutStats]) -> float | None:
    tried = sum(t.calls + t.parse_failures for t in all_stats)
    return _share(sum(t.calls - t.errors for t in all_stats), tried)


METRICS: Mapping[str, Callable[[Sequence[RolloutStats]], float | None]] = {
    "success_rate": _success,
    "parse_failure_rate": lambda ts: _share(sum(t.parse_failures for t in ts), sum(t.turns for t in ts)),
    "empty_response_rate": lambda ts: _share(sum(t.empty for t in ts), sum(t.turns for t in ts)),
    "tool_error_rate": lambda ts: _share(sum(t.errors for t in ts), sum(t.calls for t in ts)),
    "tool_use_accuracy": _accuracy,
    "outages": lambda ts: float(sum(t.outages for t in ts)),
    "outage_rate": lambda ts: _share(sum(t.outages > 0 for t in ts), len(ts)),
    "conversation_length": lambda ts: fmean(t.turns for t in ts),
    "env_seconds": lambda ts: fmean(t.env_seconds for t in ts),
    "env_failures": lambda ts: float(sum(t.env_failed for t in ts)),
    "rollout_failures": lambda ts: float(sum(t.failure is not None and not t.env_failed for t in ts)),
    "unscored": lambda ts: float(sum(t.failure is None and not t.scored for t in ts)),
}
"""Metric -> its computation. Success is a share of the rollouts that are not lost. A call that could not be parsed
counts as a call that was tried."""
