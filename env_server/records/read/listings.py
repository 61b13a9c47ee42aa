"""Queries over many episodes: the paged list, idle episodes, and the uptimes of server processes."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, bindparam, func, select

from env_server.records import tables
from env_server.records.read.read_connections import Readers
from env_server.records.unit_of_work import EpisodeRow

_e, _x, _t = tables.episodes, tables.endings, tables.turns


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Filter of the episode list. None means no restriction."""

    run: str | None = None
    group_id: str | None = None
    domain: str | None = None
    done: bool | None = None
    forks: bool | None = None


class EpisodeSummary(NamedTuple):
    """One entry of the list: the episode, the names behind its keys, its last turn and its ending."""

    episode: EpisodeRow
    domain: str
    pack: str
    task_id: str
    turn: int
    stop_reason: str | None
    reward: float | None
    scored: bool | None


class EpisodePage(NamedTuple):
    """One page of the list, newest key first, and the number of all matching episodes."""

    episodes: list[EpisodeSummary]
    total: int


class IdleEpisode(NamedTuple):
    """A live episode and the time of its last activity, in seconds since the epoch."""

    id: int
    episode_id: str
    last_at: float


class Uptime(NamedTuple):
    """The period in which a server process is known to have run, in seconds since the epoch."""

    process: str
    started: float
    seen: float


def _joined() -> FromClause:
    packs, tasks = tables.packs, tables.tasks
    return (
        _e.join(packs, packs.c.id == _e.c.pack)
        .join(tasks, tasks.c.id == _e.c.task)
        .outerjoin(_x, _x.c.episode == _e.c.id)
    )


def _conditions(wanted: EpisodeFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.run is not None:
        conditions.append(_e.c.run == wanted.run)
    if wanted.group_id is not None:
        conditions.append(_e.c.group_id == wanted.group_id)
    if wanted.domain is not None:
        conditions.append(tables.packs.c.domain == wanted.domain)
    if wanted.done is not None:
        conditions.append(_x.c.episode.is_not(None) if wanted.done else _x.c.episode.is_(None))
    if wanted.forks is False:
        conditions.append(_e.c.parent.is_(None))
    return conditions


def count_statement(wanted: EpisodeFilter) -> Select[*tuple[Any, ...]]:
    """Return the statement that counts the matching episodes."""
    return select(func.count()).select_from(_joined()).where(*_conditions(wanted))


def page_statement(wanted: EpisodeFilter, limit: int, before: int | None) -> Select[*tuple[Any, ...]]:
    """Return the statement for one page: the episode's own columns first, then those of EpisodeSummary."""
    last = select(func.max(_t.c.turn)).where(_t.c.episode == _e.c.id).scalar_subquery()
    columns = [_e.c[name] for name in EpisodeRow._fields]
    more = [tables.packs.c.domain, tables.packs.c.name, tables.tasks.c.task_id, func.coalesce(last, 0)]
    page = (
        select(*columns, *more, _x.c.stop_reason, _x.c.reward, _x.c.scored)
        .select_from(_joined())
        .where(*_conditions(wanted))
        .order_by(_e.c.id.desc())
        .limit(limit)
    )
    return page if before is None else page.where(_e.c.id < before)


_last_turn_at = select(func.max(_t.c.at)).where(_t.c.episode == _e.c.id).scalar_subquery()
_last_at = func.coalesce(_last_turn_at, _e.c.created_at)
IDLE = (
    select(_e.c.id, _e.c.episode_id, _last_at)
    .select_from(_e.outerjoin(_x, _x.c.episode == _e.c.id))
    .where(_x.c.episode.is_(None), _e.c.created_at < bindparam("before"), _last_at < bindparam("before"))
    .order_by(_e.c.id)
    .limit(bindparam("limit"))
)
OPEN = (
    select(func.count())
    .select_from(_e.outerjoin(_x, _x.c.episode == _e.c.id))
    .where(_e.c.caller == bindparam("caller"), _x.c.episode.is_(None))
)
UPTIMES = select(tables.uptime.c.process, tables.uptime.c.started, tables.uptime.c.seen).order_by(
    tables.uptime.c.started
)


class Listings:
    """Queries that scan tables. Call them from a worker thread if there are many episodes.

    Each raises StorageUnavailable when the database cannot answer.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def episodes(
        self, wanted: EpisodeFilter = EpisodeFilter(), *, limit: int = 50, before: int | None = None
    ) -> EpisodePage:
        """Return the newest `limit` matching episodes. The next page takes the last one's integer key as `before`."""
        total = self._readers.all(count_statement(wanted))[0][0]
        width = len(EpisodeRow._fields)
        rows = self._readers.all(page_statement(wanted, limit, before))
        return EpisodePage([EpisodeSummary(EpisodeRow(*row[:width]), *row[width:]) for row in rows], total)

    def open_of(self, caller: str) -> int:
        """Return the number of episodes of `caller` that have not ended."""
        return int(self._readers.all(OPEN, {"caller": caller})[0][0])

    def newest(self, limit: int, *, before: int | None = None, group_id: str | None = None) -> list[EpisodeRow]:
        """Return the newest `limit` episodes, of one group if it is given. Reads no more rows than it returns."""
        page = select(*(_e.c[name] for name in EpisodeRow._fields)).order_by(_e.c.id.desc()).limit(limit)
        page = page if before is None else page.where(_e.c.id < before)
        page = page if group_id is None else page.where(_e.c.group_id == group_id)
        return [EpisodeRow._make(row) for row in self._readers.all(page)]

    def unfinished_idle(self, before: float, limit: int = 1_000) -> list[IdleEpisode]:
        """Return at most `limit` live episodes whose last committed part (or start) is older than `before`."""
        rows = self._readers.all(IDLE, {"before": before, "limit": limit})
        return [IdleEpisode._make(row) for row in rows]

    def uptimes(self) -> list[Uptime]:
        """Return the period in which each server process ran, sorted by start."""
        return [Uptime._make(row) for row in self._readers.all(UPTIMES)]
