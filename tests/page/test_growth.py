"""With 10,000 stored episodes, pages read no more rows than with 100, and stay small."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from env_server.bench.measures.pages import FEW, MANY, addresses, newest, play
from env_server.bench.servers.filled import multiply
from env_server.episodes.read.runs import PERIODS
from tests.api.conftest import served
from tests.page.test_runs import LIMIT

EDGE = 2
"""The number of rows that a search reads to learn whether there are older episodes."""


@contextmanager
def server(folder: Path) -> Iterator[TestClient]:
    """A server on the database of `folder`."""
    yield from served(folder)


@pytest.mark.slow
def test_pages_read_no_more_rows_with_10000_episodes_than_with_100(tmp_path: Path, read: list[int]) -> None:
    """Each kind of page reads as many rows as before, and is under 200 KB, when 9,900 episodes more are stored.

    A run of few episodes has fewer points in its curve.
    """

    def cost(client: TestClient) -> dict[str, tuple[int, int]]:
        *shown, other = newest(client, 3)
        client.get(f"/page/episodes/{other}")  # reads the pack, once in a process
        found = {}
        for name, address in addresses("retail", *shown).items():
            read.clear()
            page = client.get(address)
            assert page.status_code == 200, page.text
            found[name] = sum(read), len(page.content)
        return found

    with server(tmp_path) as client:
        play(client, "retail")
        assert client.get("/episodes?limit=1").json()["total"] == FEW
        few = cost(client)
    multiply(tmp_path / "episodes.db", MANY)
    with server(tmp_path) as client:
        assert client.get("/episodes?limit=1").json()["total"] == MANY
        many = cost(client)
    assert {
        name: rows
        for name, (rows, _) in many.items()
        if rows > few[name][0] + EDGE + (PERIODS if name == "a run" else 0)
    } == {}
    assert few["a run"][0] > few["an episode"][0] > 5
    assert max(size for _, size in many.values()) < LIMIT
