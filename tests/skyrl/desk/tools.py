"""The tools of the switchboard."""

from env_server.domains.kit import READ, WRITE, Db, Dialect, ToolError, tool

from .tables import LINES, Line

NAMES = ("red", "green", "blue", "white")


@tool(kind=WRITE, transfers=True)
def connect(db: Db[Dialect], line: str) -> Line:  # noqa: D417  # the server hands in `db`
    """Put the caller through, which ends the call.

    Args:
        line: The name of the line.
    """
    if line not in db[LINES]:
        raise ToolError(f"there is no line {line!r}")
    row = db[LINES].edit(line)
    row["busy"] = True
    return db[LINES].put(row)


@tool(kind=READ)
def lines(db: Db[Dialect]) -> list[Line]:
    """List the lines."""
    return [row for name in NAMES if (row := db[LINES].get(name)) is not None]
