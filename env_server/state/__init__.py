"""Copy-on-write tables: an immutable base snapshot that all episodes share, and the changes of each episode.

`table` declares tables, `snapshot` holds the base, `overlay` holds an episode's changes, `view` gives tools access to
both, `digest` hashes rows, `diff` compares two states.
"""

from env_server.state.diff import RowDiff, diff_states
from env_server.state.digest import HASH_VERSION, canonical, hash_hex, row_digest
from env_server.state.frozen import FrozenDict, FrozenError, freeze, merged, thaw
from env_server.state.overlay import Change
from env_server.state.snapshot import Identity, Snapshot
from env_server.state.table import Index, Table
from env_server.state.view import Db, State, TableView

__all__ = [
    "HASH_VERSION",
    "Change",
    "Db",
    "FrozenDict",
    "FrozenError",
    "Identity",
    "Index",
    "RowDiff",
    "Snapshot",
    "State",
    "Table",
    "TableView",
    "canonical",
    "diff_states",
    "freeze",
    "hash_hex",
    "merged",
    "row_digest",
    "thaw",
]
