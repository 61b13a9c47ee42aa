"""Conversion of public data to the rows of a domain's tables."""

import types
from collections.abc import Iterable, Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import ValidationError
from typing_extensions import is_typeddict

from env_server.domains.kit.dialect import Dialect
from env_server.errors import PackError
from env_server.state import Snapshot, Table


def snapshot(tables: Iterable[Table[Any]], data: Mapping[str, Any], dialect: Dialect) -> Snapshot:
    """Return the base snapshot from `data`, table name -> rows by key or a list of rows, under the dialect's rules.

    Raises:
        PackError: if a table is missing or a row does not match its table.
    """
    declared = tuple(tables)
    rows = {table.name: [load_row(table, row, dialect) for row in _rows_of(table, data)] for table in declared}
    return Snapshot(declared, rows, coerces=dialect.coerces)


def load_row(table: Table[Any], row: Mapping[str, Any], dialect: Dialect) -> Any:
    """Return one row in the dialect's stored form: coerced or unchanged, with unset fields as null or absent.

    Raises:
        PackError: if it does not match the table.
    """
    if dialect.coerces:
        try:
            row = table.validate(row)
        except ValidationError as e:
            raise PackError(f"table {table.name!r}, row {row.get(table.key)!r}: {e}") from e
    return complete(table.row, row) if dialect.unset_as_null else row


def complete(declared: Any, value: Any) -> Any:
    """Return `value` with every field of its declared type, in that order, unset ones as None."""
    if is_typeddict(declared) and isinstance(value, Mapping):
        hints = get_type_hints(declared)
        named = {name: complete(hint, value.get(name)) for name, hint in hints.items()}
        return named | {k: v for k, v in value.items() if k not in named}
    origin, inner = get_origin(declared), get_args(declared)
    if origin is list and isinstance(value, list):
        return [complete(inner[0], element) for element in value]
    if origin is dict and isinstance(value, Mapping):
        return {k: complete(inner[1], element) for k, element in value.items()}
    if origin in (Union, types.UnionType) and value is not None:
        records = [option for option in inner if is_typeddict(option)]
        return complete(records[0], value) if len(records) == 1 else value
    return value


def _rows_of(table: Table[Any], data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the table's rows in order; a row stored without its key gets the key it is stored under."""
    stored = data.get(table.name)
    if isinstance(stored, Mapping):
        return [row if table.key in row else {table.key: key, **row} for key, row in stored.items()]
    if isinstance(stored, list):
        return stored
    raise PackError(f"the data has no table {table.name!r}")
