"""Memos: texts that are computed once and stored by name.

Examples are answers of models, verdicts and the purpose of a run. Results of evaluations are stored here too.
"""

from collections.abc import Mapping, Sequence
from time import time
from typing import NamedTuple

from sqlalchemy import Column, Connection, Table, bindparam, select

from env_server.records import tables
from env_server.records.read.read_connections import Readers
from env_server.records.statements import insert_once
from env_server.records.write.writer import Writer

ANSWER = "answer"
"""Kind of the memos that hold answers of models."""


class Result(NamedTuple):
    """The result of one episode of an evaluation."""

    task_id: str
    trial: int
    result: str


_m = tables.memos
_r = tables.results
_text: Column[str] = _m.c.text
MEMO = select(_text).where(_m.c.kind == bindparam("kind"), _m.c.key == bindparam("key"))
MEMO_KEYS = select(_m.c.key).where(_m.c.kind == bindparam("kind")).order_by(_m.c.at, _m.c.key)
RESULTS = (
    select(_r.c.task_id, _r.c.trial, _r.c.result).where(_r.c.run == bindparam("run")).order_by(_r.c.task_id, _r.c.trial)
)
NEWEST_RESULTS = (
    select(_r.c.task_id, _r.c.trial, _r.c.result).where(_r.c.run == bindparam("run")).order_by(_r.c.at.desc())
)


class Memos:
    """Texts by kind and key, and results of runs. The first value stored under a key stays.

    Reads raise StorageUnavailable.
    """

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def get(self, kind: str, key: str) -> str | None:
        """Return the text under `key`, or None."""
        row = self._readers.first(MEMO, {"kind": kind, "key": key})
        return None if row is None else str(row[0])

    def keys(self, kind: str) -> list[str]:
        """Return all keys of a kind, oldest first."""
        return [row[0] for row in self._readers.all(MEMO_KEYS, {"kind": kind})]

    async def keep(self, kind: str, key: str, text: str) -> str:
        """Store `text` unless the key exists. Return the stored text, which may come from another process."""
        values = {"kind": kind, "key": key, "text": text, "at": time()}
        return await self._writer.run(lambda connection: _keep(connection, values))

    async def put_result(self, run: str, result: Result) -> None:
        """Store the result of an episode of `run`. If a result exists already, keep it."""
        values = {"run": run, **result._asdict(), "at": time()}
        await self._writer.run(lambda connection: _insert(connection, _r, values))

    def results(self, run: str) -> Sequence[Result]:
        """Return all results of `run` so far, sorted by task and trial."""
        return [Result._make(row) for row in self._readers.all(RESULTS, {"run": run})]

    def newest_results(self, run: str, limit: int) -> Sequence[Result]:
        """Return the newest `limit` results of `run`."""
        return [Result._make(row) for row in self._readers.all(NEWEST_RESULTS.limit(limit), {"run": run})]


def _insert(connection: Connection, table: Table, values: Mapping[str, object]) -> None:
    connection.execute(insert_once(connection.dialect, table), values)


def _keep(connection: Connection, values: Mapping[str, object]) -> str:
    _insert(connection, _m, values)
    return str(connection.execute(MEMO, {"kind": values["kind"], "key": values["key"]}).scalar_one())
