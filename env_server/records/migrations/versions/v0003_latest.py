"""An index that finds a caller's newest episode."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_episodes_caller", "episodes", ["caller", "created_at"])
