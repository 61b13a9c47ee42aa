"""The server's application with two small domains, in a process that kills itself at a commit.

`LEDGER_OUTSIDE` is the port of the server outside. `LEDGER_KILL` is `before 37` or `after 37`: the process is killed in
transaction 37, or in the next one that succeeds, before or after its COMMIT. A transaction that is one statement of
PostgreSQL has no COMMIT: `before` is then any moment from the sending of the statement on. Without
`LEDGER_KILL`, the process is not killed.
`LEDGER_CACHE_KIB` is the size of SQLite's page cache of a connection.
"""

import asyncio
import os
import random
import signal
import threading
from collections.abc import Sequence
from itertools import count
from unittest.mock import patch

from fastapi import FastAPI
from sqlalchemy import Connection, Engine, event

from env_server import app as server
from env_server import assembly
from env_server.records import engine
from env_server.records.unit_of_work import Unit
from env_server.records.write.group_commit import CommitOutcome, GroupCommitter, Work
from env_server.records.write.one_statement import OneStatement
from tests.faults.play.desk import Outside, sources

STATEMENT_S = 0.002
"""Seconds after the sending of a statement within which a process is killed `before` its COMMIT."""


class FarAway(Outside):
    """The server outside, on a port of this machine."""

    async def reach(self, name: str, text: str) -> None:
        """Send one line, and wait for another."""
        reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ["LEDGER_OUTSIDE"]))
        try:
            writer.write(f"{name} {text}\n".encode())
            await reader.readline()
        finally:
            writer.close()


def create_app() -> FastAPI:
    """Return the application. Its domains replace the server's own."""
    when, _, number = os.environ.get("LEDGER_KILL", "").partition(" ")
    if when:
        _die(when, int(number))
    if size := os.environ.get("LEDGER_CACHE_KIB"):
        patch.object(engine, "CACHE_KIB", int(size)).start()
    found = sources(FarAway())
    patch.object(assembly, "hosted", lambda *_: found).start()
    return server.create_app()


def _die(when: str, number: int) -> None:
    """Kill this process in a transaction of its writer: in the first from `number` on that is committed."""
    numbers, transact, commit = count(1), GroupCommitter._transact, OneStatement.commit
    current = 0

    def counted(self: GroupCommitter, works: Sequence[Work]) -> list[CommitOutcome]:
        nonlocal current
        current = next(numbers)
        outcomes = transact(self, works)
        if when == "after" and current >= number:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcomes

    def committing(_connection: Connection) -> None:
        if when == "before" and current >= number:
            os.kill(os.getpid(), signal.SIGKILL)

    def sent(self: OneStatement, connection: Connection, units: Sequence[Unit]) -> None:
        if when == "before" and current >= number:
            threading.Timer(random.uniform(0, STATEMENT_S), os.kill, (os.getpid(), signal.SIGKILL)).start()
        commit(self, connection, units)

    patch.object(GroupCommitter, "_transact", counted).start()
    patch.object(OneStatement, "commit", sent).start()
    event.listen(Engine, "commit", committing)
