"""Pruning: closed episodes are deleted with everything that only they use.

What episodes share (packs, tasks, texts, results of gold) stays, and so do recordings and results of evaluations. An
episode that has not ended is never touched. Episodes are deleted in small transactions with pauses, so that servers can
commit in between.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Engine, Row, Select, Text, bindparam, delete, exists, func, select, tuple_

from env_server.records import tables
from env_server.records.engine import READ_ONLY
from env_server.records.errors import translated

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

BATCH: Final = 50
"""Maximum number of episodes that one transaction deletes, and of keys that one query reads."""

PAUSE_S: Final = 0.02
"""Minimum pause after a transaction, in seconds. A writer that found the database locked retries within this time."""

_a, _e, _x, _k = tables.archived, tables.episodes, tables.endings, tables.keys
_OF_EPISODE: Final = (tables.turns, tables.row_versions, tables.effects, tables.claims, tables.endings)

CLOSED = (
    select(_x.c.episode, _e.c.episode_id)
    .join_from(_x, _e, _e.c.id == _x.c.episode)
    .where(_x.c.at < bindparam("before"), _x.c.episode > bindparam("after"))
    .order_by(_x.c.episode)
    .limit(bindparam("limit"))
)
KEYS = (
    select(_k.c.scope, _k.c.key, _k.c.reply)
    .where(
        _k.c.at < bindparam("before"),
        tuple_(_k.c.scope, _k.c.key) > tuple_(bindparam("scope"), bindparam("key"), types=[Text()] * 2),
    )
    .order_by(_k.c.scope, _k.c.key)
    .limit(bindparam("limit"))
)
CLOSED_OF = (
    select(_e.c.episode_id)
    .join(_x, _x.c.episode == _e.c.id)
    .where(_e.c.episode_id.in_(bindparam("ids", expanding=True)), _x.c.at < bindparam("before"))
)
STORED_OF = select(_e.c.episode_id).where(_e.c.episode_id.in_(bindparam("ids", expanding=True)))


class Pruned(NamedTuple):
    """Numbers of deleted rows, by kind."""

    episodes: int = 0
    turns: int = 0
    rows: int = 0
    effects: int = 0
    keys: int = 0

    def plus(self, other: "Pruned") -> "Pruned":
        """Return the sums of the numbers."""
        return Pruned(*(a + b for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class KeyNames:
    """The connection of idempotency keys to episodes: see `env_server.episodes.codec.keys`."""

    scope_of: Callable[[str], str]
    """The scope of an episode's own keys, from its id."""

    episodes_in: Callable[[str], Collection[str]]
    """The ids of the episodes that a stored reply names, for all other keys."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """Deletes the episodes that ended before a time, in seconds since the epoch."""

    engine: Engine
    before: float
    names: KeyNames
    archived_in: Sequence[str] | None = None
    """Delete only episodes that are in one of these archive files. None means no restriction."""

    def run(self, *, dry: bool = False) -> Pruned:
        """Delete the episodes. Return the numbers of deleted rows, or with `dry` what they would be.

        A transaction takes some milliseconds, and a pause that is at least as long follows it. If the work is
        interrupted, what has been deleted is complete, and the next run goes on.

        Raises:
            StorageUnavailable: if the database does not answer or is locked for too long.
        """
        do = self._count if dry else self._deleted
        done = Pruned()
        with translated():
            for found in self._closed():
                done = done.plus(do(found))
            for keys in self._spent_keys():
                done = done.plus(Pruned(keys=len(keys) if dry else self._without(keys)))
        return done

    def _closed(self) -> Iterator[dict[int, str]]:
        """Yield batches of the episodes to delete: their integer keys and ids."""
        after = 0
        while found := self._read(self._chosen(CLOSED), before=self.before, after=after, limit=BATCH):
            yield dict(found)
            after = found[-1][0]

    def _spent_keys(self) -> Iterator[list[tuple[str, str]]]:
        """Yield batches of old keys of callers whose stored replies name only episodes that are deleted, or will be."""
        last = "", ""
        while found := self._read(KEYS, before=self.before, scope=last[0], key=last[1], limit=BATCH):
            named = {(scope, key): set(self.names.episodes_in(reply)) for scope, key, reply in found}
            ids = {id for some in named.values() for id in some}
            going = {id for (id,) in self._read(self._chosen(CLOSED_OF), before=self.before, ids=list(ids))}
            staying = {id for (id,) in self._read(STORED_OF, ids=list(ids))} - going
            spent = [key for key, some in named.items() if some and not some & staying]
            if spent:
                yield spent
            last = found[-1][0], found[-1][1]

    def _chosen(self, closed: Select[*Ts]) -> Select[*Ts]:
        if self.archived_in is None:
            return closed
        return closed.where(exists().where(_a.c.episode == _x.c.episode, _a.c.file.in_(self.archived_in)))

    def _count(self, found: dict[int, str]) -> Pruned:
        turns, rows, effects = (
            self._read(select(func.count()).where(table.c.episode.in_(found)))[0][0] for table in _OF_EPISODE[:3]
        )
        keys = self._read(select(func.count()).where(_k.c.scope.in_(map(self.names.scope_of, found.values()))))[0][0]
        return Pruned(len(found), turns, rows, effects, keys)

    def _deleted(self, found: dict[int, str]) -> Pruned:
        def work(connection: Connection) -> Pruned:
            turns, rows, effects, *_ = (
                connection.execute(delete(table).where(table.c.episode.in_(found))).rowcount for table in _OF_EPISODE
            )
            scopes = map(self.names.scope_of, found.values())
            keys = connection.execute(delete(_k).where(_k.c.scope.in_(scopes))).rowcount
            gone = connection.execute(delete(_e).where(_e.c.id.in_(found))).rowcount
            return Pruned(gone, turns, rows, effects, keys)

        return self._write(work)

    def _without(self, keys: Sequence[tuple[str, str]]) -> int:
        gone = delete(_k).where(tuple_(_k.c.scope, _k.c.key).in_(keys))
        return self._write(lambda connection: connection.execute(gone).rowcount)

    def _read(self, statement: Select[*Ts], **values: object) -> Sequence[Row[*Ts]]:
        with self.engine.execution_options(isolation_level=READ_ONLY).connect() as connection:
            return connection.execute(statement, values).all()

    def _write(self, work: Callable[[Connection], T]) -> T:
        began = time.monotonic()
        with self.engine.begin() as connection:
            done = work(connection)
        time.sleep(max(PAUSE_S, time.monotonic() - began))
        return done
