"""The SQL tables. All are append-only, except `claims`, `counters` and `uptime`, until closed episodes are pruned.

A text id is stored once, beside an integer key that other tables refer to. JSON is stored as plain text, because a
reply must be returned byte for byte and a binary JSON type does not guarantee that. There are no foreign keys: one code
path writes each row, in the same transaction as the rows it refers to or after them.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# Keys have 64 bits. SQLite makes a column an alias of the rowid only if it is declared exactly INTEGER.
Int = BigInteger().with_variant(Integer(), "sqlite")

blobs = Table(
    "blobs",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("id", Int, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("domain", Text, nullable=False),
    Column("pack", Text, nullable=False),
    Column("state_hash", Text, nullable=False),
    Column("hash_version", Int, nullable=False),
)

base_rows = Table(
    "base_rows",
    metadata,
    Column("snapshot", Int, primary_key=True),
    Column("pos", Int, primary_key=True),
    Column("tbl", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("row", Text, nullable=False),
)

packs = Table(
    "packs",
    metadata,
    Column("id", Int, primary_key=True),
    Column("version", Text, nullable=False, unique=True),
    Column("domain", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("snapshot", Int, nullable=False),
    Column("policy", Text, nullable=False),
    Column("tools", Text, nullable=False),
    Column("tools_digest", Text, nullable=False),
    Column("meta", Text, nullable=False),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Int, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("domain", Text, nullable=False),
    Column("pack", Text, nullable=False),
    Column("task_id", Text, nullable=False),
    Column("body", Text, nullable=False),
)

golds = Table(
    "golds",
    metadata,
    Column("task", Text, primary_key=True),
    Column("tools_digest", Text, primary_key=True),
    Column("snapshot", Text, primary_key=True),
    Column("result", Text, nullable=False),
)

episodes = Table(
    "episodes",
    metadata,
    Column("id", Int, primary_key=True, autoincrement=False),
    Column("episode_id", Text, nullable=False, unique=True),
    Column("pack", Int, nullable=False),
    Column("task", Int, nullable=False),
    Column("run", Text),
    Column("purpose", Text),
    Column("group_id", Text),
    Column("parent", Int),
    Column("parent_turn", Int),
    Column("caller", Text, nullable=False),
    Column("seed", Int, nullable=False),
    Column("options", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Index("ix_episodes_run", "run"),
    Index("ix_episodes_group_id", "group_id"),
    Index("ix_episodes_caller", "caller", "created_at"),
)

turns = Table(
    "turns",
    metadata,
    Column("id", Int, primary_key=True),
    Column("episode", Int, nullable=False),
    Column("turn", Int, nullable=False),
    Column("part", Int, nullable=False),
    Column("seq", Int, nullable=False),
    Column("action", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("carry", Text, nullable=False),
    Column("metadata", Text),
    Column("at", Double, nullable=False),
    UniqueConstraint("episode", "turn", "part", "seq", name="uq_turns_position"),
)

row_versions = Table(
    "row_versions",
    metadata,
    Column("id", Int, primary_key=True),
    Column("episode", Int, nullable=False),
    Column("turn", Int, nullable=False),
    Column("part", Int, nullable=False),
    Column("seq", Int, nullable=False),
    Column("tbl", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("row", Text),
    # One small index is enough: an episode has few rows, and SQLite's index ends in the rowid, so it is in commit
    # order.
    Index("ix_row_versions_episode", "episode"),
)

endings = Table(
    "endings",
    metadata,
    Column("episode", Int, primary_key=True, autoincrement=False),
    Column("turn", Int, nullable=False),
    Column("stop_reason", Text, nullable=False),
    Column("reward", Double),
    Column("scored", Boolean, nullable=False),
    Column("at", Double, nullable=False),
)

archived = Table(
    "archived",
    metadata,
    Column("episode", Int, primary_key=True, autoincrement=False),
    Column("episode_id", Text, nullable=False, unique=True),
    Column("file", Text, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("body_digest", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("at", Double, nullable=False),
)

effects = Table(
    "effects",
    metadata,
    Column("id", Int, primary_key=True),
    Column("episode", Int, nullable=False),
    Column("turn", Int, nullable=False),
    Column("seq", Int, nullable=False),
    Column("phase", Int, nullable=False),
    Column("server", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("effect", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
    UniqueConstraint("episode", "turn", "seq", "phase", name="uq_effects_position"),
)

recordings = Table(
    "recordings",
    metadata,
    Column("tag", Text, primary_key=True),
    Column("server", Text, primary_key=True),
    Column("tool", Text, primary_key=True),
    Column("arguments", Text, primary_key=True),
    Column("after", Text, primary_key=True),
    Column("seq", Int, primary_key=True),
    Column("given", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("is_error", Boolean, nullable=False),
    Column("tool_version", Text, nullable=False),
    Column("latency_s", Double, nullable=False),
    Column("at", Double, nullable=False),
)

claims = Table(
    "claims",
    metadata,
    Column("episode", Int, primary_key=True),
    Column("turn", Int, primary_key=True),
    Column("part", Int, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("fence", Int, nullable=False),
    Column("expires", Double, nullable=False),
)

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("next", Int, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

memos = Table(
    "memos",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("run", Text, primary_key=True),
    Column("task_id", Text, primary_key=True),
    Column("trial", Int, primary_key=True),
    Column("result", Text, nullable=False),
    Column("at", Double, nullable=False),
)

uptime = Table(
    "uptime",
    metadata,
    Column("process", Text, primary_key=True),
    Column("started", Double, nullable=False),
    Column("seen", Double, nullable=False),
)
