"""A digest of all rows, to compare two worlds."""

import hashlib
import json
from typing import Any

from mcp_servers.world.rows import TABLES
from mcp_servers.world.store import Store, Table


def digest(store: Store) -> str:
    """Return the SHA-256 of the rows of all tables in order, as 64 hexadecimal digits.

    Each row is hashed as JSON with sorted keys.
    """
    found = hashlib.sha256()
    tables: tuple[Table[Any], ...] = TABLES
    for table in tables:
        found.update(f"{table.name}\n".encode())
        for row in store.rows(table):
            found.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode())
            found.update(b"\n")
    return found.hexdigest()
