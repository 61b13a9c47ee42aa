"""Playing an evaluation: many episodes side by side, each result kept as soon as there is one."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from env_server.errors import ProblemError
from env_server.evals.outcome import Outcome
from env_server.evals.patience import may_pass
from env_server.evals.plan import Planned, Spec
from env_server.evals.play import play
from env_server.evals.seat import Seat
from env_server.game import Game
from env_server.models import ModelUnavailable

HOPELESS = 16
"""Episodes in a row that an outage stopped, after which no further one is begun."""

Key = tuple[str, int]
"""A task and a trial."""


class Results(Protocol):
    """Where the results of one run are kept."""

    def all(self) -> Mapping[Key, Outcome]:
        """Those that there are."""

    async def put(self, outcome: Outcome) -> None:
        """Keep one for good."""


@dataclass(frozen=True)
class Evaluation:
    """A run, where it is played, who plays and where its results go."""

    run: str
    spec: Spec
    game: Game
    seat: Seat
    results: Results


@dataclass
class Report:
    """What came of playing."""

    outcomes: list[Outcome] = field(default_factory=list)
    """All finished episodes, also those of earlier starts, by task and trial."""

    left: int = 0
    """Episodes that have no result yet."""

    reasons: Counter[str] = field(default_factory=Counter)
    """Why, as far as they were begun."""


async def evaluate(
    evaluation: Evaluation,
    planned: Sequence[Planned],
    concurrency: int,
    finished: Callable[[Outcome], None] = lambda _outcome: None,
) -> Report:
    """Play what has no result yet, `concurrency` episodes at a time; `finished` is called after each of them."""
    known = evaluation.results.all()
    queue = [episode for episode in planned if episode.key not in known]
    todo, reasons, outage = iter(queue), Counter[str](), _Outage()

    async def worker() -> None:
        for episode in todo:
            if outage.lasts:
                return
            try:
                outcome = await play(evaluation.game, evaluation.seat, evaluation.run, evaluation.spec, episode)
            except (ProblemError, ModelUnavailable) as e:
                reasons[_reason(e)] += 1
                outage.seen(e)
                continue
            await evaluation.results.put(outcome)
            outage.over()
            finished(outcome)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(queue))):
            group.create_task(worker())
    found = evaluation.results.all()
    outcomes = [found[episode.key] for episode in sorted(planned, key=lambda p: p.key) if episode.key in found]
    return Report(outcomes, len(planned) - len(outcomes), reasons)


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


def _reason(error: ProblemError | ModelUnavailable) -> str:
    return f"{error.code}: {error.detail}" if isinstance(error, ProblemError) else str(error)
