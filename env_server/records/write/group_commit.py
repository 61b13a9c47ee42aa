"""Group commit: one transaction for all queued work.

If it fails, only the work that caused the failure gets an error.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, exc

from env_server.records import tables, turn_claims
from env_server.records.driver import insert_many
from env_server.records.engine import SameFile
from env_server.records.errors import Busy, Conflict, StorageUnavailable, is_victim, translate
from env_server.records.statements import COPY_ROWS, COPY_TURNS, insert_once, prepare_inserts
from env_server.records.unit_of_work import Unit
from env_server.records.write.one_statement import OneStatement, fits

IMPATIENT_MS = 20
"""Milliseconds that a commit on the event loop waits for another process's write lock. The writer retries later."""

Job = Callable[[Connection], object]
"""SQL that runs inside a group's transaction. It may run again after a rollback, so it must have no other effects."""

Work = Unit | Job


class CommitOutcome(NamedTuple):
    """The outcome of one piece of work: the job's value (None for a unit), or the error to raise."""

    value: object = None
    error: Exception | None = None


class GroupCommitter:
    """Commits groups of work over one connection that stays open. Not thread-safe: one caller at a time."""

    def __init__(self, engine: Engine, file: SameFile, *, patient: bool) -> None:
        """Store the engine and prepare the inserts. `patient` says whether a commit may wait long for a write lock."""
        self._engine = engine
        self._file = file
        self._patient = patient
        self._inserts = prepare_inserts(engine.dialect)
        self._whole = OneStatement(engine.dialect) if engine.dialect.name == "postgresql" else None
        self._connection: Connection | None = None

    def run(self, works: Sequence[Work]) -> list[CommitOutcome]:
        """Commit `works` in one transaction. Return an outcome for each of them; never raise an Exception.

        If the transaction fails because of some of the works, commit each of them alone.
        """
        try:
            return self._transact(works)
        except Exception as error:
            failure = translate(error)
            if not isinstance(failure, Conflict | Busy):
                self.close()
            unavailable = isinstance(failure, StorageUnavailable) and not is_victim(error)
            if len(works) == 1 or unavailable:
                return [CommitOutcome(error=translate(error)) for _ in works]
        return self._each_alone(works)

    def close(self) -> None:
        """Close the connection. The next group opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(exc.DBAPIError):
                connection.close()

    def _each_alone(self, works: Sequence[Work]) -> list[CommitOutcome]:
        outcomes: list[CommitOutcome] = []
        for work in works:
            # After an outage, the remaining works fail at once instead of waiting for the database one by one.
            last = outcomes[-1].error if outcomes else None
            down = isinstance(last, StorageUnavailable)
            outcomes.append(CommitOutcome(error=StorageUnavailable(str(last))) if down else self.run([work])[0])
        return outcomes

    def _transact(self, works: Sequence[Work]) -> list[CommitOutcome]:
        self._file.check()
        connection = self._connection or self._connect()
        units = [work for work in works if isinstance(work, Unit)]
        if self._whole is not None and all(map(fits, works)):
            self._whole.commit(connection, units)
            return [CommitOutcome() for _ in works]
        with connection.begin():
            self._insert(connection, units)
            return [CommitOutcome() if isinstance(work, Unit) else CommitOutcome(work(connection)) for work in works]

    def _connect(self) -> Connection:
        connection = self._connection = self._engine.connect()
        if not self._patient and self._engine.dialect.name == "sqlite":
            raw = connection.connection.dbapi_connection
            assert raw is not None
            raw.execute(f"PRAGMA busy_timeout={IMPATIENT_MS}")
        return connection

    def _insert(self, connection: Connection, units: Sequence[Unit]) -> None:
        """Write all units table by table, so that a hundred ordinary turns need two statements."""
        for unit in units:
            if unit.claim is not None:
                (turn_claims.check if unit.holds_claim else turn_claims.settle)(connection, unit.claim)
        sql = self._inserts
        _insert_many(connection, sql.episodes, [row for unit in units for row in unit.episodes])
        for copy in [copy for unit in units for copy in unit.copies]:
            # Turns are copied last. If they still exist, no pruning has deleted the row versions before.
            connection.execute(COPY_ROWS, copy._asdict())
            if connection.execute(COPY_TURNS, copy._asdict()).rowcount == 0:
                raise Conflict(f"episode {copy.src} was pruned")
        _insert_many(connection, sql.turns, [row for unit in units for row in unit.turns])
        _insert_many(connection, sql.rows, [row for unit in units for row in unit.rows])
        _insert_many(connection, sql.endings, [row for unit in units for row in unit.endings])
        _insert_many(connection, sql.keys, [row for unit in units for row in unit.keys])
        _insert_many(connection, sql.effects, [row for unit in units for row in unit.effects])
        recordings = [row._asdict() for unit in units for row in unit.recordings]
        if recordings:
            connection.execute(insert_once(connection.dialect, tables.recordings), recordings)
        memos = [row._asdict() for unit in units for row in unit.memos]
        if memos:
            connection.execute(insert_once(connection.dialect, tables.memos), memos)


def _insert_many(connection: Connection, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        insert_many(connection, sql, rows)
