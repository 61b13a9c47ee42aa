"""Runs an evaluation: many episodes in parallel. Each result is stored as soon as it exists."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from env_server.backends.base import EpisodeBackend
from env_server.errors import ProblemError
from env_server.evals.agent import PolicySource
from env_server.evals.episode import play
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.plan import PlannedEpisode, Run
from env_server.evals.retry import RetryPolicy, may_pass
from env_server.models import ModelUnavailable

log = structlog.get_logger(__name__)

HOPELESS = 16
"""Number of consecutive episodes stopped by an outage after which no further episode is begun."""

Key = tuple[str, int]
"""A task id and a trial."""


class Results(Protocol):
    """The store of the results of one run."""

    def all(self) -> Mapping[Key, EpisodeOutcome]:
        """Return all stored results."""

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Store a result durably."""


@dataclass(frozen=True)
class Evaluation:
    """A run with its client, policy source, store of results, and retry policy."""

    run: Run
    game: EpisodeBackend
    seat: PolicySource
    results: Results
    patience: RetryPolicy = field(default_factory=RetryPolicy)

    async def play(self, planned: PlannedEpisode) -> EpisodeOutcome:
        """Play an episode and store its result.

        Raises:
            ProblemError: if the server refuses, for now or for good.
            ModelUnavailable: if the policy's model does not answer.
        """
        outcome = await play(self.game, self.seat, self.run, planned, self.patience)
        await self.patience.bear("server", lambda: self.results.put(outcome))
        return outcome


@dataclass
class RunResult:
    """The outcomes of an evaluation, and the episodes that are left without one."""

    outcomes: list[EpisodeOutcome] = field(default_factory=list)
    """All finished episodes, including those of earlier starts, sorted by task and trial."""

    left: int = 0
    """Number of episodes without a result."""

    reasons: Counter[str] = field(default_factory=Counter)
    """Counts of the errors that stopped episodes."""


async def evaluate(
    evaluation: Evaluation,
    planned: Sequence[PlannedEpisode],
    concurrency: int,
    finished: Callable[[EpisodeOutcome], None] = lambda _outcome: None,
) -> RunResult:
    """Play the episodes without a result, `concurrency` at a time. `finished` is called after each of them."""
    known = evaluation.results.all()
    queue = [episode for episode in planned if episode.key not in known]
    todo, reasons, outage = iter(queue), Counter[str](), _Outage()

    async def worker() -> None:
        for episode in todo:
            if outage.lasts:
                return
            try:
                outcome = await evaluation.play(episode)
            except Exception as e:  # an error stops only this episode; the others continue
                _tell(e, episode, seen=reasons[_reason(e)] > 0)
                reasons[_reason(e)] += 1
                outage.seen(e)
                continue
            outage.over()
            finished(outcome)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(queue))):
            group.create_task(worker())
    found = evaluation.results.all()
    outcomes = [found[episode.key] for episode in sorted(planned, key=lambda p: p.key) if episode.key in found]
    return RunResult(outcomes, len(planned) - len(outcomes), reasons)


class _Outage:
    """Counts consecutive episodes that were stopped by errors that may pass."""

    def __init__(self) -> None:
        self._in_a_row = 0

    @property
    def lasts(self) -> bool:
        """Return whether the remaining episodes should wait for another start."""
        return self._in_a_row >= HOPELESS

    def seen(self, error: Exception) -> None:
        """Count an episode that was stopped by `error`."""
        self._in_a_row += isinstance(error, ModelUnavailable) or may_pass(error)

    def over(self) -> None:
        """Reset the count, since an episode was finished."""
        self._in_a_row = 0


def _tell(error: Exception, episode: PlannedEpisode, *, seen: bool) -> None:
    """Log the first unexpected error of each kind."""
    if not seen and not isinstance(error, ProblemError | ModelUnavailable):
        log.error("an episode cannot be played", task_id=episode.task.task_id, trial=episode.trial, exc_info=error)


def _reason(error: Exception) -> str:
    if isinstance(error, ProblemError):
        return f"{error.code}: {error.detail}"
    return str(error) if isinstance(error, ModelUnavailable) else f"{type(error).__name__}: {error}"
