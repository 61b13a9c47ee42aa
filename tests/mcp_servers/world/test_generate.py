"""The same seed makes the same world, in every process and for everybody who asks."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from mcp_servers.world import base
from mcp_servers.world import world as generated
from mcp_servers.world.digest import digest
from mcp_servers.world.rows import COMPANIES, MESSAGES, TABLES
from mcp_servers.world.store import MemoryStore, Table

ROOT = Path(__file__).parents[3]
PRINT = "from mcp_servers.world import world; from mcp_servers.world.digest import digest; print(digest(world()))"


def digest_elsewhere(hash_seed: str) -> str:
    """The digest of the default world in a process of its own."""
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT], env=env, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


def test_two_processes_make_the_same_bytes(world: MemoryStore) -> None:
    """Whatever a process hashes by, its world is the same as this one's."""
    assert {digest_elsewhere("1"), digest_elsewhere("2"), digest(world)} == {digest(world)}


def test_another_seed_makes_another_world(world: MemoryStore) -> None:
    """Seeds share the names of companies and nothing else."""
    other = generated(1)
    assert digest(other) != digest(world)
    assert [row["ticker"] for row in other.rows(COMPANIES)] == [row["ticker"] for row in world.rows(COMPANIES)]
    assert not {row["text"] for row in other.rows(MESSAGES)} >= {row["text"] for row in world.rows(MESSAGES)}


def test_everybody_gets_a_store_of_their_own(world: MemoryStore) -> None:
    """Two stores share the base, and what one writes the other does not see."""
    one, two = generated(), generated()
    before = digest(two)
    message = next(iter(one.rows(MESSAGES)))
    one.rows(MESSAGES).put({**message, "id": "new", "text": "changed"})
    one.rows(MESSAGES).delete(message["id"])
    assert base(0) is base(0)
    assert digest(two) == before == digest(world)
    assert digest(one) != before


def test_rows_have_the_declared_shape(world: MemoryStore) -> None:
    """Every row is a JSON object with the fields and types of its table, and no other."""
    tables: tuple[Table[Any], ...] = TABLES
    for table in tables:
        rows = list(world.rows(table))
        assert rows, table.name
        TypeAdapter(list[table.row], config=None).validate_python(rows, strict=True)  # type: ignore[name-defined]
        allowed = set(table.row.__annotations__)
        assert all(set(row) <= allowed for row in rows), table.name
