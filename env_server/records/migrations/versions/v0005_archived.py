"""A table of the episodes in archive files."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "archived",
        sa.Column("episode", number, primary_key=True, autoincrement=False),
        sa.Column("episode_id", sa.Text, nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.UniqueConstraint("episode_id"),
    )
