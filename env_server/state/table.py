"""Declaring tables: a row type, its key, and the indexes that look-ups need."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

R = TypeVar("R")  # a TypedDict: the type of one row


@dataclass(frozen=True)
class Index(Generic[R]):
    """Finds rows by what `values` says of each of them (several values allowed, as for tags)."""

    name: str
    values: Callable[[R], Iterable[Hashable]]


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A table of rows of TypedDict `row`, keyed by the text field `key`.

    Rows are JSON objects. `coerce` brings stored values to the declared types, which matters only for hashing and
    for loading public data (an int where a float is declared); it never changes a row that an agent reads.
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
        """The declared field names, in order."""
        return tuple(get_type_hints(self.row))

    def key_of(self, row: R) -> str:
        """The key of `row`, as text."""
        return str(cast(dict[str, Any], row)[self.key])

    def coerce(self, row: R) -> R:
        """`row` with its values in the declared types; `row` itself where they cannot be brought there."""
        try:
            return self._adapter.validate_python(row)
        except ValidationError:
            return row

    def validate(self, row: object) -> R:
        """`row` checked and coerced.

        Raises:
            pydantic.ValidationError: if it is not a row of this table.
        """
        return self._adapter.validate_python(row)
