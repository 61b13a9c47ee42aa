"""The store of record: one object per process that owns the database, the writer and the readers."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar, cast

from sqlalchemy import Connection, Engine, select

from env_server.records import tables, turn_claims
from env_server.records.archive.look_up import ArchiveReader
from env_server.records.catalog import Catalog
from env_server.records.engine import SameFile, Synchronous, commits_are_slow, make_engine, make_read_only_engine
from env_server.records.errors import StorageUnavailable
from env_server.records.ids import IdBlocks, reserve
from env_server.records.memos import ANSWER, Memos
from env_server.records.migrations import pending, upgrade
from env_server.records.read.listings import Listings
from env_server.records.read.looks import BY_INDEX, AskedLook, Key, Look, Looks
from env_server.records.read.read_connections import Readers
from env_server.records.read.reads import Reads
from env_server.records.read.runs import RunReads
from env_server.records.read.standing import NEWS, STANDING, TURN_BY_ID, News, Standing
from env_server.records.recordings import Recordings
from env_server.records.statements import conflict_insert, insert_once
from env_server.records.unit_of_work import Claim, TurnRow, Unit
from env_server.records.write.writer import Writer

T = TypeVar("T")

CHECK_S = 3.0
"""Seconds within which the database has to answer a check."""


class Store:
    """The data that must outlive the process.

    Writes are coroutines and return after their commit. Call them from one event loop only. Reads (`reads`, `listings`,
    `runs`, and the look-ups of `catalog`) are plain calls from any thread. Both raise StorageUnavailable, which is
    retryable.
    """

    def __init__(self, engine: Engine, *, threaded: bool, archive: Path | None = None) -> None:
        self._engine = engine
        file = SameFile(engine)
        self._readers = Readers(engine, file)
        # SQLite's connections are shared, because each has a page cache.
        self._lookers = Readers(engine, file, BY_INDEX) if engine.dialect.name == "postgresql" else self._readers
        self._looks = Looks(self._lookers, engine.dialect)
        self._writer = Writer(engine, file, threaded=threaded)
        self._episode_ids = IdBlocks(self._writer, "episodes")
        self.reads = Reads(self._readers, None if archive is None else ArchiveReader(self._readers, archive))
        self.listings = Listings(self._readers)
        self.runs = RunReads(self._readers)
        self.catalog = Catalog(self._writer, self._readers)
        self.memos = Memos(self._writer, self._readers)
        self.recordings = Recordings(self._writer, self._readers)

    @classmethod
    def open(
        cls,
        url: str,
        synchronous: Synchronous = "NORMAL",
        archive: Path | None = None,
        statement_timeout_s: float | None = None,
    ) -> Self:
        """Open `sqlite:///file` or `postgresql://...`. Create or upgrade the tables first.

        `synchronous` is SQLite's setting: with NORMAL, commits survive a killed process; with FULL, they also survive a
        power loss. `archive` is the folder of archive files whose episodes are read too. Raise ValueError for another
        kind of URL, StorageUnavailable when the database cannot be reached, and ImportError without pyarrow if there is
        an archive. `statement_timeout_s` limits statements of PostgreSQL, but not those of an upgrade.
        """
        engine = make_engine(url, synchronous)
        upgrade(engine)
        if statement_timeout_s is not None:
            engine = make_engine(url, synchronous, statement_timeout_s)
        return cls(engine, threaded=commits_are_slow(engine, synchronous), archive=archive)

    @classmethod
    def open_read_only(cls, url: str) -> Self:
        """Open an existing database and change nothing in it; each write raises StorageUnavailable.

        Raise ValueError for another kind of URL, and StorageUnavailable when the database cannot be reached or has
        another schema.
        """
        engine = make_read_only_engine(url)
        if pending(engine):
            raise StorageUnavailable("an older program wrote it; run `env-server migrate` on it, or on a copy")
        return cls(engine, threaded=True)

    async def check(self) -> None:
        """Check that the database answers, and that it takes commits.

        If the last commit succeeded, that is enough. If it failed, or if a commit is running now, another one is made.

        Raises:
            StorageUnavailable: if it does not answer, or takes no commit.
            TimeoutError: if it does either only after `CHECK_S`.
        """
        async with asyncio.timeout(CHECK_S):
            await asyncio.to_thread(self.listings.uptimes)
            if self._writer.failure is not None or self._writer.is_committing:
                await self._writer.run(lambda connection: reserve(connection, "checks", 1))

    async def close(self) -> None:
        """Commit the queued work and close every connection. Later writes raise StorageUnavailable."""
        await self._writer.close()
        self._readers.close()
        self._lookers.close()
        self._engine.dispose()

    async def commit(self, unit: Unit) -> None:
        """Commit all of `unit` in one transaction with other queued work. Return after the commit.

        Raise Conflict when another commit took one of its keys or its claim was lost. Raise StorageUnavailable when the
        database is unavailable. In both cases nothing of it is stored, unless the connection breaks during COMMIT (see
        StorageUnavailable). A caller that is cancelled while it waits does not know the outcome.
        """
        await self._writer.commit(unit)

    async def episode_ids(self, count: int = 1) -> range:
        """Return `count` consecutive integer keys for new episodes. No other caller gets them."""
        return await self._episode_ids.take(count)

    async def claim(
        self, episode: int, turn: int, part: int, owner: str, lease_s: float, now: float, seq: int = 0, over: str = ""
    ) -> int:
        """Claim a part of a turn until `now + lease_s`. Return the fence for the `Claim` of the commit.

        An expired lease is taken over with the next fence, so that the older attempt cannot commit. So is a lease of
        the same owner, or of `over`, an owner that no longer runs. Raise Claimed while another owner's lease is valid.
        Raise Conflict when part `seq` of the turn is committed already or the episode is over.
        """
        wanted = Claim(episode, turn, part, owner, fence=1)
        outcome = await self._writer.run(
            lambda connection: turn_claims.take(connection, wanted, seq=seq, lease_s=lease_s, now=now, over=over)
        )
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def release(self, claim: Claim) -> None:
        """Release a claim without a commit, so that another attempt does not wait for the lease to end."""
        await self._writer.run(lambda connection: turn_claims.release(connection, claim))

    async def news(self, episode: int, turn: int, part: int, seq: int) -> News | None:
        """Return the rows committed to an episode after a part of a turn; None if that part is not in the database."""
        return await self._look(NEWS, (episode, turn, part, seq))

    async def standing(self, episode_id: str) -> Standing | None:
        """Return an episode with its newest part, rows and ending; None if the id is unknown. Archives are read too."""
        found = await self._look(STANDING, (episode_id,))
        if found is not None or not self.reads.has_archive:
            return found
        row = self.reads.episode_by_id(episode_id)
        last = None if row is None else self.reads.last_turn(row.id)
        if row is None or last is None:
            return None
        return Standing(row, last, self.reads.row_versions(row.id), self.reads.ending(row.id))

    async def turn(self, episode_id: str, turn: int, part: int) -> TurnRow | None:
        """Return the first piece of a part of a turn, by the episode's public id; None if there is none."""
        found = await self._look(TURN_BY_ID, (episode_id, turn, part))
        if found is not None or not self.reads.has_archive:
            return found
        row = self.reads.episode_by_id(episode_id)
        return None if row is None else self.reads.turn(row.id, turn, part)

    async def _look(self, look: Look[T], key: Key) -> T:
        if self._looks.at_once:
            return cast(T, await self._writer.look(AskedLook(self._looks, look, key)))
        return self._looks.answer(look, [key])[key]

    async def secret(self, name: str, make: Callable[[], str]) -> str:
        """Return the secret stored under `name`. If there is none, store the value of `make()` first."""
        value = make()
        return await self._writer.run(lambda connection: _put_secret(connection, name, value))

    async def spend(self, run: str, tokens: int) -> None:
        """Add `tokens` to the count of tokens that the simulated users of `run` have used."""
        if tokens > 0:
            await self._writer.run(lambda connection: reserve(connection, _spending(run), tokens))

    def spent(self, run: str) -> int:
        """Return the number of tokens that the simulated users of `run` have used, in all processes."""
        return self.reads.counted(_spending(run))

    async def spend_by(self, caller: str, day: str, tokens: int) -> None:
        """Add `tokens` to the count of tokens that the models of `caller` have used on a day."""
        if tokens > 0:
            await self._writer.run(lambda connection: reserve(connection, _spending_by(caller, day), tokens))

    def spent_by(self, caller: str, day: str) -> int:
        """Return the number of tokens that the models of `caller` have used on a day, in all processes."""
        return self.reads.counted(_spending_by(caller, day))

    def recall(self, digest: str) -> str | None:
        """Return a model's stored answer, or None."""
        return self.memos.get(ANSWER, digest)

    async def keep(self, digest: str, text: str) -> None:
        """Store a model's answer. If an answer exists already, keep it."""
        await self.memos.keep(ANSWER, digest, text)

    async def shrink(self) -> None:
        """Free the memory of the connections' page caches. The store stays usable."""
        self._readers.close()
        self._lookers.close()
        if self._engine.dialect.name == "sqlite":
            await self._writer.run(lambda connection: connection.exec_driver_sql("PRAGMA shrink_memory"))

    async def beat(self, process: str, started: float, now: float) -> None:
        """Record that the process which started at `started` still runs at `now`."""
        await self._writer.run(lambda connection: _beat(connection, process, started, now))


def _spending(run: str) -> str:
    return f"user_tokens/{run}"


def _spending_by(caller: str, day: str) -> str:
    return f"caller_tokens/{day}/{caller}"


def _put_secret(connection: Connection, name: str, value: str) -> str:
    table = tables.secrets
    connection.execute(insert_once(connection.dialect, table), {"name": name, "value": value})
    stored: str = connection.execute(select(table.c.value).where(table.c.name == name)).scalar_one()
    return stored


def _beat(connection: Connection, process: str, started: float, now: float) -> None:
    statement = conflict_insert(connection.dialect, tables.uptime)
    upsert = statement.on_conflict_do_update(
        index_elements=[tables.uptime.c.process], set_={"seen": statement.excluded.seen}
    )
    connection.execute(upsert, {"process": process, "started": started, "seen": now})
