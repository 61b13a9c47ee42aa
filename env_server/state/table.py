"""Table declarations: the row type, its key, and the indexes that look-ups need."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

R = TypeVar("R")  # a TypedDict: the type of one row


@dataclass(frozen=True)
class Index(Generic[R]):
    """An index. `values` returns the values under which a row is found; there may be several, such as tags."""

    name: str
    values: Callable[[R], Iterable[Hashable]]


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A table of rows of TypedDict `row`, with the text field `key` as its key.

    Rows are JSON objects. `coerce` converts stored values to the declared types (such as an int where a float is
    declared). Only hashing and the loading of public data need that. It never changes a row that an agent reads.
    """

    name: str
    row: type[R]
    key: str
    indexes: tuple[Index[R], ...] = ()
    _adapter: TypeAdapter[R] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Build the row validator once."""
        with_config(ConfigDict(extra="allow"))(self.row)
        object.__setattr__(self, "_adapter", TypeAdapter(self.row))

    @property
    def fields(self) -> tuple[str, ...]:
        """Declared field names, in order."""
        return tuple(get_type_hints(self.row))

    def key_of(self, row: R) -> str:
        """Return the key of `row` as text."""
        return str(cast(dict[str, Any], row)[self.key])

    def coerce(self, row: R) -> R:
        """Return `row` with its values converted to the declared types; `row` itself if the conversion fails."""
        try:
            return self._adapter.validate_python(row)
        except ValidationError:
            return row

    def validate(self, row: object) -> R:
        """Return `row` after validation and type conversion.

        Raises:
            pydantic.ValidationError: if it is not a row of this table.
        """
        return self._adapter.validate_python(row)
