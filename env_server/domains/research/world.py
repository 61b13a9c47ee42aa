"""The base data: the offline world of seed 0."""

from collections.abc import Iterable, Mapping
from typing import Any

from mcp_servers.world.generate import generate

SEED = 0


def world() -> Mapping[str, Iterable[Any]]:
    """Return the rows of every table of the offline world; the same at every call."""
    return {table.name: rows for table, rows in generate(SEED).items()}
