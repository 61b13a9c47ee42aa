"""Building blocks of results: fields with other names in the API, times and tables."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from mcp_servers.kit.pages import page
from mcp_servers.kit.text import inline, lines, table

DAY_MS = 86_400_000
UNIX = date(1970, 1, 1).toordinal()


def _time(value: object) -> object:
    """Return milliseconds or nanoseconds since 1970 as ISO text."""
    if type(value) is not int:
        return inline(value) if isinstance(value, str) else value
    days, rest = divmod(value if value < 10**14 else value // 10**6, DAY_MS)
    if not 0 <= days < 1_000_000:
        return str(value)
    seconds = rest // 1000
    return f"{_date(days)}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"


def _day(value: object) -> object:
    """Return the UTC date of milliseconds or nanoseconds since 1970.

    A day begins at midnight in New York or in UTC. Both moments have the same UTC date.
    """
    if type(value) is int and 0 <= value < 10**14:
        return _date(value // DAY_MS)
    return _time(value)


@lru_cache(maxsize=16_384)
def _date(days: int) -> str:
    return date.fromordinal(UNIX + days).isoformat()


Time = Annotated[str, BeforeValidator(_time)]
"""A time in UTC. The API sends milliseconds or nanoseconds."""

Day = Annotated[str, BeforeValidator(_day)]
"""A UTC date. The API sends milliseconds or nanoseconds."""


def also(*names: str | AliasPath, **more: Any) -> Any:
    """Return a field of a model that the API sends under one of `names`."""
    return Field(validation_alias=AliasChoices(*names), **more)


class Model(BaseModel):
    """A result."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, use_attribute_docstrings=True)


def as_table(rows: Iterable[BaseModel], columns: Sequence[str]) -> str:
    """Return models as a table of some of their fields."""
    return table((vars(row) for row in rows), columns)


def as_page(rows: Iterable[BaseModel], columns: Sequence[str], cursor: str | None, title: str = "") -> str:
    """Return the models of a page as a table, below an optional title."""
    names = " | ".join(columns)
    return page(as_lines(rows, columns), cursor, head=f"{title}\n{names}" if title else names)


def as_lines(rows: Iterable[BaseModel], columns: Sequence[str]) -> list[str]:
    """Return the lines of the table of `as_table`."""
    return lines((vars(row) for row in rows), columns)
