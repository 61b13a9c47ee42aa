"""Playing an evaluation: many episodes side by side, each result kept as soon as there is one."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from env_server.clients.base import EpisodeClient
from env_server.errors import ProblemError
from env_server.evals.agent import PolicySource
from env_server.evals.episode import play
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.plan import PlannedEpisode, Run
from env_server.evals.retry import RetryPolicy, may_pass
from env_server.models import ModelUnavailable

log = structlog.get_logger(__name__)

HOPELESS = 16
"""Episodes in a row that an outage stopped, after which no further one is begun."""

Key = tuple[str, int]
"""A task and a trial."""


class Results(Protocol):
    """Where the results of one run are kept."""

    def all(self) -> Mapping[Key, EpisodeOutcome]:
        """Those that there are."""

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Keep one for good."""


@dataclass(frozen=True)
class Evaluation:
    """A run, where it is played, who plays, where its results go, and how long is waited for what may pass."""

    run: Run
    game: EpisodeClient
    seat: PolicySource
    results: Results
    patience: RetryPolicy = field(default_factory=RetryPolicy)

    async def play(self, planned: PlannedEpisode) -> EpisodeOutcome:
        """Play an episode and keep its result.

        Raises:
            ProblemError: if the game cannot go on now, or not at all.
            ModelUnavailable: if the policy's model cannot.
        """
        outcome = await play(self.game, self.seat, self.run, planned, self.patience)
        await self.patience.bear("server", lambda: self.results.put(outcome))
        return outcome


@dataclass
class RunResult:
    """What came of playing."""

    outcomes: list[EpisodeOutcome] = field(default_factory=list)
    """All finished episodes, also those of earlier starts, by task and trial."""

    left: int = 0
    """Episodes that have no result yet."""

    reasons: Counter[str] = field(default_factory=Counter)
    """Why, as far as they were begun."""


async def evaluate(
    evaluation: Evaluation,
    planned: Sequence[PlannedEpisode],
    concurrency: int,
    finished: Callable[[EpisodeOutcome], None] = lambda _outcome: None,
) -> RunResult:
    """Play what has no result yet, `concurrency` episodes at a time; `finished` is called after each of them."""
    known = evaluation.results.all()
    queue = [episode for episode in planned if episode.key not in known]
    todo, reasons, outage = iter(queue), Counter[str](), _Outage()

    async def worker() -> None:
        for episode in todo:
            if outage.lasts:
                return
            try:
                outcome = await evaluation.play(episode)
            except Exception as e:  # whatever it is, it is this episode's: the others go on
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
    """Counts episodes in a row that were stopped by something that may pass, and has not."""

    def __init__(self) -> None:
        self._in_a_row = 0

    @property
    def lasts(self) -> bool:
        """Whether the rest had better wait for another start."""
        return self._in_a_row >= HOPELESS

    def seen(self, error: Exception) -> None:
        """An episode was left because of `error`."""
        self._in_a_row += isinstance(error, ModelUnavailable) or may_pass(error)

    def over(self) -> None:
        """An episode was finished."""
        self._in_a_row = 0


def _tell(error: Exception, episode: PlannedEpisode, *, seen: bool) -> None:
    """Log what nobody expects, once of its kind, so that it can be mended."""
    if not seen and not isinstance(error, ProblemError | ModelUnavailable):
        log.error("an episode cannot be played", task_id=episode.task.task_id, trial=episode.trial, exc_info=error)


def _reason(error: Exception) -> str:
    if isinstance(error, ProblemError):
        return f"{error.code}: {error.detail}"
    return str(error) if isinstance(error, ModelUnavailable) else f"{type(error).__name__}: {error}"
