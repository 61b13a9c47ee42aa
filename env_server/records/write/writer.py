"""The writer. Each process has one. It commits all queued work at once, without a timer."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar, cast

from sqlalchemy import Connection, Engine

from env_server.records.engine import BUSY_TIMEOUT_MS, SameFile
from env_server.records.errors import Busy, StorageUnavailable
from env_server.records.read.looks import AskedLook, answers
from env_server.records.unit_of_work import Unit
from env_server.records.write.group_commit import CommitOutcome, GroupCommitter, Work

RETRY_S = 0.02
"""Seconds until a commit is retried that found the database locked."""

T = TypeVar("T")
_Entry = tuple[Work | AskedLook, "asyncio.Future[object]"]


class Writer:
    """A queue of work. The writer commits all ready tasks' work in one transaction.

    `threaded` moves commits into a thread of their own. Work that arrives during a commit goes into the next one.
    Otherwise commits run on the event loop, which is faster where a commit takes microseconds. Use a writer from one
    event loop only.

    Work that is queued is committed even if its caller is cancelled while it waits.

    Attributes:
        failure: why the last transaction could not be committed; None if it was.
    """

    def __init__(self, engine: Engine, file: SameFile, *, threaded: bool) -> None:
        self._group = GroupCommitter(engine, file, patient=threaded)
        self._busy_since: float | None = None
        self.failure: StorageUnavailable | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="records-writer") if threaded else None
        self._queue: list[_Entry] = []
        self._scheduled = False
        self._committing = False
        self._closed = False

    async def commit(self, unit: Unit) -> None:
        """Commit `unit` and return. Raise Conflict or StorageUnavailable; then nothing is stored.

        If the connection breaks during COMMIT, the outcome is unknown; see StorageUnavailable.
        """
        await self._submit(unit)

    async def run(self, job: Callable[[Connection], T]) -> T:
        """Run SQL in a group's transaction. Return its value after the commit. Raise the errors of `commit`."""
        return cast(T, await self._submit(job))

    async def look(self, asked: AskedLook) -> object:
        """Answer a look together with all other waiting looks, just before the next commit.

        Raises:
            StorageUnavailable: if the database cannot answer.
        """
        return await self._submit(asked)

    @property
    def is_committing(self) -> bool:
        """Whether a thread is in the middle of a transaction."""
        return self._committing

    async def close(self) -> None:
        """Commit the queued work, refuse new work, and close the connection. A second call does nothing."""
        if self._closed:
            return
        last = self._submit(lambda _connection: None)
        self._closed = True
        with suppress(StorageUnavailable):
            await last
        if self._thread is not None:
            self._thread.shutdown()
        self._group.close()

    def _submit(self, work: Work | AskedLook) -> "asyncio.Future[object]":
        if self._closed:
            raise StorageUnavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        self._queue.append((work, future))
        if not self._scheduled:
            self._scheduled = True
            # Two iterations of the event loop: tasks that became ready in this one can still queue work before the
            # commit.
            loop.call_soon(loop.call_soon, self._flush)
        return future

    def _flush(self) -> None:
        self._scheduled = False
        if self._committing or not self._queue:
            return
        batch, self._queue = self._queue, []
        works = [work for work, _ in batch]
        if self._thread is None:
            outcomes = self._run(works)
            if not self._try_again(batch, outcomes):
                self._resolve(batch, outcomes)
            return
        self._committing = True
        commit = asyncio.get_running_loop().run_in_executor(self._thread, self._run, works)
        commit.add_done_callback(lambda done: self._committed(batch, done.result()))

    def _run(self, works: Sequence[Work | AskedLook]) -> list[CommitOutcome]:
        asked = [work for work in works if isinstance(work, AskedLook)]
        if not asked:
            return self._group.run(cast(Sequence[Work], works))
        try:
            told = {work: CommitOutcome(answer) for work, answer in answers(asked).items()}
        except StorageUnavailable as e:
            told = dict.fromkeys(asked, CommitOutcome(error=e))
        others = [work for work in works if not isinstance(work, AskedLook)]
        done = iter(self._group.run(others) if others else ())
        return [told[work] if isinstance(work, AskedLook) else next(done) for work in works]

    def _try_again(self, batch: list[_Entry], outcomes: Sequence[CommitOutcome]) -> bool:
        """Queue `batch` again if another process holds the write lock. Return whether it was queued.

        The event loop runs until the retry. There is no retry after the busy timeout, or if part of the batch has
        succeeded.
        """
        if not any(isinstance(outcome.error, Busy) for outcome in outcomes):
            self._busy_since = None
            return False
        loop = asyncio.get_running_loop()
        self._busy_since = self._busy_since or loop.time()
        if loop.time() - self._busy_since > BUSY_TIMEOUT_MS / 1000 or any(o.error is None for o in outcomes):
            self._busy_since = None
            return False
        self._queue = batch + self._queue
        self._scheduled = True
        loop.call_later(RETRY_S, self._flush)
        return True

    def _committed(self, batch: Sequence[_Entry], outcomes: Sequence[CommitOutcome]) -> None:
        self._committing = False
        self._resolve(batch, outcomes)
        self._flush()

    def _resolve(self, batch: Sequence[_Entry], outcomes: Sequence[CommitOutcome]) -> None:
        results = list(zip(batch, outcomes, strict=True))
        commits = [outcome.error for (work, _), outcome in results if not isinstance(work, AskedLook)]
        if commits:
            self.failure = next((error for error in commits if isinstance(error, StorageUnavailable)), None)
        for (_, future), outcome in results:
            if future.done():  # the caller was cancelled
                continue
            if outcome.error is None:
                future.set_result(outcome.value)
            else:
                future.set_exception(outcome.error)
