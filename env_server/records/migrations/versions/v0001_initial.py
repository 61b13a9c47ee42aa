"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Int = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create all tables."""
    _create_catalog()
    _create_history()
    _create_coordination()


def _create_catalog() -> None:
    """Create the tables of data that episodes share."""
    op.create_table(
        "blobs",
        sa.Column("digest", sa.Text(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("id", Int, primary_key=True),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("state_hash", sa.Text(), nullable=False),
        sa.Column("hash_version", Int, nullable=False),
        sa.UniqueConstraint("digest"),
    )
    op.create_table(
        "base_rows",
        sa.Column("snapshot", Int, primary_key=True),
        sa.Column("pos", Int, primary_key=True),
        sa.Column("tbl", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("row", sa.Text(), nullable=False),
    )
    op.create_table(
        "packs",
        sa.Column("id", Int, primary_key=True),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("snapshot", Int, nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("tools_digest", sa.Text(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.UniqueConstraint("version"),
    )
    op.create_table(
        "tasks",
        sa.Column("id", Int, primary_key=True),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("task_id", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.UniqueConstraint("digest"),
    )
    op.create_table(
        "golds",
        sa.Column("task", sa.Text(), primary_key=True),
        sa.Column("tools_digest", sa.Text(), primary_key=True),
        sa.Column("snapshot", sa.Text(), primary_key=True),
        sa.Column("result", sa.Text(), nullable=False),
    )


def _create_history() -> None:
    """Create the tables of episodes and their histories."""
    op.create_table(
        "episodes",
        sa.Column("id", Int, primary_key=True, autoincrement=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("pack", Int, nullable=False),
        sa.Column("task", Int, nullable=False),
        sa.Column("run", sa.Text()),
        sa.Column("purpose", sa.Text()),
        sa.Column("group_id", sa.Text()),
        sa.Column("parent", Int),
        sa.Column("parent_turn", Int),
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("seed", Int, nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.UniqueConstraint("episode_id"),
    )
    op.create_index("ix_episodes_run", "episodes", ["run"])
    op.create_index("ix_episodes_group_id", "episodes", ["group_id"])
    op.create_table(
        "turns",
        sa.Column("id", Int, primary_key=True),
        sa.Column("episode", Int, nullable=False),
        sa.Column("turn", Int, nullable=False),
        sa.Column("part", Int, nullable=False),
        sa.Column("seq", Int, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("carry", sa.Text(), nullable=False),
        sa.Column("metadata", sa.Text()),
        sa.Column("at", sa.Double(), nullable=False),
        sa.UniqueConstraint("episode", "turn", "part", "seq", name="uq_turns_position"),
    )
    op.create_table(
        "row_versions",
        sa.Column("id", Int, primary_key=True),
        sa.Column("episode", Int, nullable=False),
        sa.Column("turn", Int, nullable=False),
        sa.Column("part", Int, nullable=False),
        sa.Column("seq", Int, nullable=False),
        sa.Column("tbl", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("row", sa.Text()),
    )
    op.create_index("ix_row_versions_episode", "row_versions", ["episode"])
    op.create_table(
        "endings",
        sa.Column("episode", Int, primary_key=True, autoincrement=False),
        sa.Column("turn", Int, nullable=False),
        sa.Column("stop_reason", sa.Text(), nullable=False),
        sa.Column("reward", sa.Double()),
        sa.Column("scored", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )


def _create_coordination() -> None:
    """Create the tables that coordinate callers and processes."""
    op.create_table(
        "keys",
        sa.Column("scope", sa.Text(), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("body_digest", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )
    op.create_table(
        "claims",
        sa.Column("episode", Int, primary_key=True),
        sa.Column("turn", Int, primary_key=True),
        sa.Column("part", Int, primary_key=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("fence", Int, nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("next", Int, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )
    op.create_table(
        "uptime",
        sa.Column("process", sa.Text(), primary_key=True),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
    )
