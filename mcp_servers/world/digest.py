"""What tells two worlds apart: a digest of all rows."""

import hashlib
import json
from typing import Any

from mcp_servers.world.rows import TABLES
from mcp_servers.world.store import Store, Table


def digest(store: Store) -> str:
    """SHA-256 over the rows of all tables in their order, each as JSON with sorted keys; 64 hexadecimal digits."""
    found = hashlib.sha256()
    tables: tuple[Table[Any], ...] = TABLES
    for table in tables:
        found.update(f"{table.name}\n".encode())
        for row in store.rows(table):
            found.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode())
            found.update(b"\n")
    return found.hexdigest()
