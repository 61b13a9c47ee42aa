"""Trainers, server processes and PostgreSQL, each of which is killed; nothing is lost and nothing runs twice."""

import asyncio
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.pool import NullPool

from env_server.domains.discovery import domains
from tests.e2e.databases import VARIABLE, address_of
from tests.e2e.players import Trainer, comparable
from tests.e2e.server import ROOT, Server
from tests.e2e.test_kill import Trial, check_record, check_retries, perform
from tests.postgres.immediate import interrupt

pytestmark = pytest.mark.postgres

WAITING = ["sh", "-c", f'echo "${VARIABLE}"; cat']


@pytest.fixture
def postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder of a PostgreSQL server for this test alone. When the server is killed, it is started again."""
    command = [os.environ["POSTGRES_PYTHON"], str(ROOT / "tests" / "postgres" / "beside.py"), *WAITING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        monkeypatch.setenv(VARIABLE, url)
        yield Path(parse_qs(urlsplit(url).query)["host"][0])
        process.communicate()


@pytest.fixture
def servers(postgres: Path, tmp_path: Path) -> Iterator[list[Server]]:
    """Two server processes on one database, and one on another database."""
    hosted = {"DOMAINS": ",".join(domains())}
    found = [Server(tmp_path / f"{name}.db", hosted, fresh=True) for name in ("shared", "shared", "quiet")]
    for server in found:
        server.start()
    yield found
    for server in found:
        server.kill()


def test_a_database_that_hangs_is_an_outage(postgres: Path, tmp_path: Path) -> None:
    """While another connection holds a lock, the turn is refused and may be retried. Then it is played once."""
    server = Server(tmp_path / "locked.db", {"DOMAINS": "retail", "STATEMENT_TIMEOUT_S": "0.5"}, fresh=True).start()
    try:
        begun = server.call("POST", "/reset", {"domain": "retail", "split": "test", "index": 0}).json()
        action = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}
        step = {"episode_id": begun["episode_id"], "turn": 1, "action": action}
        url = make_url(address_of(server.database)).set(drivername="postgresql+psycopg")
        with create_engine(url, poolclass=NullPool).begin() as connection:
            connection.execute(text("LOCK TABLE turns IN ACCESS EXCLUSIVE MODE"))
            refused = server.call("POST", "/step", step)
            assert (refused.status_code, refused.json()["code"]) == (503, "storage_unavailable")
            assert refused.json()["retryable"]
        assert server.call("POST", "/step", step).json()["turn"] == 1
        record = server.call("GET", f"/episodes/{begun['episode_id']}/trajectory").json()
        assert [turn["turn"] for turn in record["turns"]] == [1]
    finally:
        server.kill()


async def strike(trainer: Trainer, data: Path, servers: Sequence[Server], after: Sequence[int]) -> None:
    """Interrupt PostgreSQL and kill a server in turn, each once that many requests were acknowledged."""
    for number, count in enumerate(after):
        while len(trainer.exchanges) < count:
            await asyncio.sleep(0.001)
        if number % 2:
            server = servers[number // 2 % len(servers)]
            server.kill()
            await asyncio.to_thread(server.start)
        else:
            await asyncio.to_thread(interrupt, data)


async def test_a_database_that_restarts_loses_nothing(postgres: Path, servers: list[Server]) -> None:
    """Trainers only send unanswered requests again, and rewards, records and hashes are as without a fault."""
    *both, quiet = servers
    trial = Trial([*domains()], 24, 4)
    tasks = trial.tasks()
    async with Trainer([quiet.url]) as undisturbed:
        wanted = await perform(undisturbed, tasks)
    total = len(undisturbed.exchanges)
    strikes = [total * (i + 1) // (trial.kills + 2) for i in range(trial.kills)]
    async with Trainer([server.url for server in both]) as trainer:
        played, _ = await asyncio.gather(perform(trainer, tasks), strike(trainer, postgres, both, strikes))
        assert trainer.broken
        assert len(trainer.exchanges) == total
        for replies, expected in zip(played, wanted, strict=True):
            assert comparable(replies) == comparable(expected)
        await check_retries(trainer)
        await asyncio.gather(*(check_record(trainer, replies) for replies in played))
    found = await asyncio.to_thread(both[0].verified)
    assert (found["ok"], found["episodes"]) == (True, 2 * len(tasks))
