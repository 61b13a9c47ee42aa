"""The listings of servers get a name among the recordings. No tool can have this name."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the listings. Their two digests are equal, which those of a call are not."""
    op.execute(
        "UPDATE recordings SET tool = '(listing)' WHERE tool = 'tools/list' AND arguments = tool_version AND after = ''"
    )
