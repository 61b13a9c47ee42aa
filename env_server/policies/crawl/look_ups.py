"""The look-ups that are possible with the known values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from env_server.policies.crawl.records import Json, Record
from env_server.policies.crawl.seen import Seen
from env_server.policies.crawl.shapes import fillers
from env_server.policies.rules.extraction import sentences

GUESSES = 4
"""The maximum number of argument sets for one tool from one piece of the user's words."""

FURTHER = 2
"""The added depth of a look-up with an optional argument."""


@dataclass(frozen=True)
class LookUp:
    """A possible look-up."""

    tool: str
    arguments: Json
    depth: int = 0
    """The number of calls that led to its arguments."""

    likeness: float = 0.0
    """The likeness of the source of its arguments to the user's words."""

    common: bool = False
    """Whether its arguments name nothing that belongs to the user."""

    guess: bool = False
    """Whether its arguments come from the user's words."""


def ways(tool: Json, seen: Seen) -> Iterator[LookUp]:
    """Yield the calls of a tool with values that belong together: from one message of the user, or from one record."""
    name, parameters = tool["name"], tool["parameters"]
    required = parameters.get("required", ())
    schemas = {argument: parameters["properties"][argument] for argument in required}
    if not schemas:
        yield LookUp(name, {}, common=True)
        return
    for arguments in _from_words(schemas, seen):
        yield LookUp(name, arguments, likeness=1.0, guess=True)
    for record, likeness in seen.followed():
        found = _from_record(name, schemas, record, seen)
        if found is not None:
            named = any(_names_something(value) for value in found.values())
            way = LookUp(name, found, record.depth, likeness, common=not named)
            yield way
            yield from _further(way, parameters, seen)


def _further(way: LookUp, parameters: Json, seen: Seen) -> Iterator[LookUp]:
    """Yield the same look-up with an optional id."""
    for argument in parameters["properties"]:
        if argument.endswith("_id") and argument not in way.arguments:
            for value in dict.fromkeys(_others(argument, seen)):
                yield replace(way, arguments={**way.arguments, argument: value}, depth=way.depth + FURTHER, likeness=0)


def _names_something(value: Any) -> bool:
    """Return whether a value identifies a single thing rather than a kind or a place."""
    return not isinstance(value, str) or any(character.isdigit() for character in value)


def _from_words(schemas: Mapping[str, Json], seen: Seen) -> Iterator[dict[str, Any]]:
    """Yield arguments from the user's words: from one message, else from all of them. Several arguments come from one
    sentence if one has them all, since it may be about one of two people.
    """
    for text in [*reversed(seen.words), " ".join(seen.words)]:
        found = [way for part in sentences(text) for way in _said(part, schemas, seen)] if len(schemas) > 1 else []
        found = found or _said(text, schemas, seen)
        yield from found
        if found and len(schemas) > 1:
            return


def _said(text: str, schemas: Mapping[str, Json], seen: Seen) -> list[dict[str, Any]]:
    values = [_heard(text, argument, schema, seen) for argument, schema in schemas.items()]
    return [dict(zip(schemas, chosen, strict=True)) for chosen in islice(product(*values), GUESSES)]


def _heard(text: str, argument: str, schema: Json, seen: Seen) -> Sequence[Any]:
    alike = [code for code in seen.alike(argument) if code in text] if argument.endswith("_id") else []
    return list(dict.fromkeys([*fillers(text, argument, schema), *alike]))


def _from_record(name: str, schemas: Mapping[str, Json], record: Record, seen: Seen) -> dict[str, Any] | None:
    """Return arguments from a record, at least one of them its own; at most one comes from the user's words."""
    if name not in record.fits:
        record.fits[name] = _fitting(schemas, record)
    found, missing = record.fits[name]
    if not found or not missing:
        return found or None
    heard = fillers(" ".join(seen.words), missing, schemas[missing]) or _others(missing, seen)
    return {**found, missing: heard[0]} if heard else None


def _fitting(schemas: Mapping[str, Json], record: Record) -> tuple[dict[str, Any], str]:
    """Return the arguments that a record gives, and the missing one; empty if none is the record's own."""
    found: dict[str, Any] = {}
    missing: list[str] = []
    for argument, schema in schemas.items():
        value = _several(argument, record) if schema.get("type") == "object" else record.get(argument)
        if value is not None and (isinstance(value, str) or schema.get("type") != "string"):
            found[argument] = value
        else:
            missing.append(argument)
    if len(missing) == 1 and any(record.own.get(n) == v for n, v in found.items()):
        return found, missing[0]
    mine = {str(value) for value in record.own.values()}
    if missing or not any(str(value) in mine for value in found.values()):
        return {}, ""
    return found, ""


def _others(argument: str, seen: Seen) -> Sequence[Any]:
    """Return the values of other records that belong to the user or that the user means."""
    return [v for record, _ in seen.followed() if (v := record.own.get(argument)) is not None]


def _several(argument: str, record: Record) -> Any:
    """Return the ids in a record's list with their quantities, as an object argument needs them."""
    for entries in (record.lists.get(argument, ()), *record.lists.values()):
        counts = {}
        for entry in entries:
            codes = [v for k, v in entry.items() if k.endswith("id")] if isinstance(entry, Mapping) else []
            if codes:
                counts[codes[0]] = entry.get("quantity", 1)
        if counts:
            return counts
    return None
