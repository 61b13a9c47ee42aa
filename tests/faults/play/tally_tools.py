"""The tools of both domains: a number that only grows."""

from typing_extensions import TypedDict

from env_server.domains.kit import READ, WRITE, Db, Dialect, Table, tool


class Total(TypedDict):
    """The number."""

    name: str
    value: int


TOTALS = Table("totals", Total, key="name")


@tool(kind=WRITE)
def add(db: Db[Dialect], amount: int, note: str) -> str:  # noqa: D417 -- `db` is not the model's to give
    """Add to the total, and return it.

    Args:
        amount: How much.
        note: Any text.
    """
    row = db[TOTALS].edit("sum")
    row["value"] += amount
    db[TOTALS].put(row)
    return f"{note}: {row['value']}"


@tool(kind=READ)
def total(db: Db[Dialect], note: str) -> str:  # noqa: D417 -- `db` is not the model's to give
    """Return the total.

    Args:
        note: Any text.
    """
    return f"{note}: {db[TOTALS].get('sum')['value']}"  # type: ignore[index]
