"""Tables of calls to the outside (effects), and of recorded results."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the two tables."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "effects",
        sa.Column("id", number, primary_key=True),
        sa.Column("episode", number, nullable=False),
        sa.Column("turn", number, nullable=False),
        sa.Column("seq", number, nullable=False),
        sa.Column("phase", number, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("effect", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.UniqueConstraint("episode", "turn", "seq", "phase", name="uq_effects_position"),
    )
    op.create_table(
        "recordings",
        sa.Column("tag", sa.Text, primary_key=True),
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, primary_key=True),
        sa.Column("arguments", sa.Text, primary_key=True),
        sa.Column("after", sa.Text, primary_key=True),
        sa.Column("seq", number, primary_key=True),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("is_error", sa.Boolean, nullable=False),
        sa.Column("tool_version", sa.Text, nullable=False),
        sa.Column("latency_s", sa.Double, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
