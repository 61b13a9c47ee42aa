"""Queries over the episodes of one run. SQL adds them up, so that few rows are read however many episodes there are.

Forks are left out: they repeat turns of another episode, so they are no independent trials.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, case, func, select

from env_server.records import tables
from env_server.records.read.read_connections import Readers
from env_server.records.unit_of_work import EpisodeRow

_e, _x, _t = tables.episodes, tables.endings, tables.turns


class RunCount(NamedTuple):
    """The number of episodes of a run. Times are in seconds since the epoch."""

    purpose: str | None
    episodes: int
    ended: int
    scored: int
    solved: int
    first_at: float
    last_at: float | None


class AlikeTasks(NamedTuple):
    """The tasks that have equal numbers of scored and of solved trials. `tasks` is the number of these tasks.

    `reward` is the sum of their mean rewards, and `squares` the sum of the squares of their mean rewards.
    """

    scored: int
    solved: int
    tasks: int
    reward: float
    squares: float


class Period(NamedTuple):
    """Scored episodes that ended one after another: their number, mean reward, and share of solved ones."""

    episodes: int
    reward: float
    success: float


class Stop(NamedTuple):
    """The number of episodes that ended by one reason after one number of turns."""

    stop_reason: str
    turn: int
    episodes: int
    solved: int


class TaskTrials(NamedTuple):
    """The scored trials of one task."""

    domain: str
    pack: str
    task_id: str
    scored: int
    solved: int
    rewards: float


class Match(NamedTuple):
    """A part of a turn that may hold a text. The fields after `episode_id` are those of a turn's row."""

    episode: int
    episode_id: str
    turn: int
    part: int
    action: str
    reply: str


def _one_if(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


_SCORED = _x.c.scored.is_(True)
_SOLVED = _SCORED & (_x.c.reward == 1)
_FAILED = _SCORED & (_x.c.reward < 1)
_ENDED: FromClause = _e.join(_x, _x.c.episode == _e.c.id)

OUTCOMES: dict[str, ColumnElement[bool]] = {
    "failed": _FAILED,
    "solved": _SOLVED,
    "not scored": _x.c.episode.is_not(None) & _x.c.scored.is_(False),
    "open": _x.c.episode.is_(None),
}
"""The outcomes by which episodes can be listed."""


def _of(run: str) -> list[ColumnElement[bool]]:
    return [_e.c.run == run, _e.c.parent.is_(None)]


def names_statement(limit: int) -> Select[*tuple[Any, ...]]:
    """Return the statement for the names of the newest runs. The index gives one name after another."""
    names = select(func.min(_e.c.run).label("run")).cte("names", recursive=True)
    following = select(func.min(_e.c.run)).where(_e.c.run > names.c.run).scalar_subquery()
    names = names.union_all(select(following).where(names.c.run.is_not(None)))
    newest = select(func.max(_e.c.id)).where(_e.c.run == names.c.run).scalar_subquery().label("newest")
    runs = select(names.c.run, newest).where(names.c.run.is_not(None)).subquery()
    return select(runs.c.run).order_by(runs.c.newest.desc()).limit(limit)


class RunReads:
    """Queries over the episodes of a run. Call them from a worker thread.

    Each raises StorageUnavailable when the database cannot answer.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def names(self, limit: int) -> list[str]:
        """Return the names of at most `limit` runs. The run with the newest episode comes first."""
        return [row[0] for row in self._readers.all(names_statement(limit))]

    def count(self, run: str) -> RunCount | None:
        """Return the number of episodes, or None if there is no such run."""
        counted = (
            select(
                func.min(_e.c.purpose),
                func.count(),
                func.count(_x.c.episode),
                _one_if(_SCORED),
                _one_if(_SOLVED),
                func.min(_e.c.created_at),
                func.max(_x.c.at),
            )
            .select_from(_e.outerjoin(_x, _x.c.episode == _e.c.id))
            .where(*_of(run))
        )
        found = RunCount._make(self._readers.all(counted)[0])
        return found if found.episodes else None

    def places(self, names: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return the (domain, pack) of the episodes of each of these runs."""
        packs = tables.packs
        found = (
            select(_e.c.run, packs.c.domain, packs.c.name)
            .distinct()
            .select_from(_e.join(packs, packs.c.id == _e.c.pack))
            .where(_e.c.run.in_(names), _e.c.parent.is_(None))
            .order_by(packs.c.domain, packs.c.name)
        )
        by_run: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
        for name, domain, pack in self._readers.all(found):
            by_run[name].append((domain, pack))
        return by_run

    def alike(self, run: str) -> list[AlikeTasks]:
        """Return the tasks with scored trials, by their numbers of scored and solved trials."""
        tasks = (
            select(
                func.count().label("scored"),
                _one_if(_SOLVED).label("solved"),
                func.avg(_x.c.reward).label("reward"),
            )
            .select_from(_ENDED)
            .where(*_of(run), _SCORED)
            .group_by(_e.c.task)
            .subquery()
        )
        numbers = (tasks.c.scored, tasks.c.solved)
        sums = (func.sum(tasks.c.reward), func.sum(tasks.c.reward * tasks.c.reward))
        found = select(*numbers, func.count(), *sums).group_by(*numbers).order_by(*numbers)
        return [AlikeTasks._make(row) for row in self._readers.all(found)]

    def periods(self, run: str, number: int) -> list[Period]:
        """Return the scored episodes in the order of their ends, in `number` periods of about equal size."""
        order = func.ntile(number).over(order_by=(_x.c.at, _e.c.id)).label("period")
        solved = case((_SOLVED, 1.0), else_=0.0).label("solved")
        ended = select(order, _x.c.reward, solved).select_from(_ENDED).where(*_of(run), _SCORED).subquery()
        means = select(func.count(), func.avg(ended.c.reward), func.avg(ended.c.solved))
        return [Period._make(row) for row in self._readers.all(means.group_by(ended.c.period).order_by(ended.c.period))]

    def stops(self, run: str) -> list[Stop]:
        """Return the numbers of ended episodes by stop reason and number of turns."""
        by = (_x.c.stop_reason, _x.c.turn)
        found = select(*by, func.count(), _one_if(_SOLVED)).select_from(_ENDED).where(*_of(run))
        return [Stop._make(row) for row in self._readers.all(found.group_by(*by).order_by(*by))]

    def trials(self, run: str, limit: int) -> list[TaskTrials]:
        """Return the scored trials of at most `limit` tasks, sorted by domain, pack and task."""
        packs, tasks = tables.packs, tables.tasks
        by = (packs.c.domain, packs.c.name, tasks.c.task_id)
        found = (
            select(*by, func.count(), _one_if(_SOLVED), func.sum(_x.c.reward))
            .select_from(_ENDED.join(packs, packs.c.id == _e.c.pack).join(tasks, tasks.c.id == _e.c.task))
            .where(*_of(run), _SCORED)
            .group_by(*by)
            .order_by(*by)
            .limit(limit)
        )
        return [TaskTrials._make(row) for row in self._readers.all(found)]

    def newest(
        self, run: str, limit: int, *, outcome: str | None = None, before: int | None = None
    ) -> list[EpisodeRow]:
        """Return the newest `limit` episodes, of one of `OUTCOMES` if it is given."""
        page = (
            select(*(_e.c[name] for name in EpisodeRow._fields))
            .select_from(_e.outerjoin(_x, _x.c.episode == _e.c.id))
            .where(*_of(run))
            .order_by(_e.c.id.desc())
            .limit(limit)
        )
        page = page if outcome is None else page.where(OUTCOMES[outcome])
        page = page if before is None else page.where(_e.c.id < before)
        return [EpisodeRow._make(row) for row in self._readers.all(page)]

    def search(self, run: str | None, text: str, *, window: int, limit: int, before: int | None) -> list[Match]:
        """Return at most `limit` parts of turns whose stored JSON holds `text`, newest episode first.

        `text` is looked for in the newest `window` episodes of `run`, or of all, that are older than `before`. Upper
        and lower case of ASCII letters are the same.
        """
        within = self._window(run, before).limit(window).subquery()
        found = (
            select(_e.c.id, _e.c.episode_id, _t.c.turn, _t.c.part, _t.c.action, _t.c.reply)
            .select_from(_t.join(_e, _e.c.id == _t.c.episode))
            .where(_t.c.episode.in_(select(within.c.id)))
            .where(_t.c.action.icontains(text, autoescape=True) | _t.c.reply.icontains(text, autoescape=True))
            .order_by(_e.c.id.desc(), _t.c.turn, _t.c.part, _t.c.seq)
            .limit(limit)
        )
        return [Match._make(row) for row in self._readers.all(found)]

    def edge(self, run: str | None, *, window: int, before: int | None) -> int | None:
        """Return the key of the oldest episode in the window of `search`; None if no episode is older than that."""
        keys = [row[0] for row in self._readers.all(self._window(run, before).offset(window - 1).limit(2))]
        return keys[0] if len(keys) == 2 else None

    def _window(self, run: str | None, before: int | None) -> Select[*tuple[Any, ...]]:
        keys = select(_e.c.id).order_by(_e.c.id.desc())
        keys = keys if run is None else keys.where(_e.c.run == run)
        return keys if before is None else keys.where(_e.c.id < before)
