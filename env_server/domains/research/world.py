"""The base data: the offline world of seed 0."""

from collections.abc import Iterable, Mapping
from typing import Any

SEED = 0


def world() -> Mapping[str, Iterable[Any]]:
    """Return the rows of every table of the offline world; the same at every call."""
    # A server whose cache folder holds the rows needs no generator, which takes long to import.
    from mcp_servers.world.generate import generate  # noqa: PLC0415

    return {table.name: rows for table, rows in generate(SEED).items()}
