"""Variants of calls: each argument in turn gets other values of its kind, mostly ones that occur in the world."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import chain, islice
from typing import Any

from env_server.domains.kit import GoldCall
from tests.contract.acts import Stage, stage

Place = tuple[str, str]
"""(table, name of the field) of a value; a key of an object counts as a value of the object's field."""

_MOST = 6
"""The most variants of one argument."""

_PLACES = 12
"""The most places of a value whose neighbours are used; further places have the same kinds of neighbours."""


class Variants:
    """The other values for the arguments of a call, from a domain's world and gold."""

    def __init__(self, on: Stage) -> None:
        """Collect the values of a domain."""
        self.on = on

    def of(self, call: GoldCall) -> Iterator[GoldCall]:
        """`call` with each argument in turn replaced by some other values."""
        tools = self.on.pack.agent_tools if call.requestor == "agent" else self.on.pack.user_tools
        parameters = tools[call.name].schema["function"]["parameters"]
        for name, value in call.arguments.items():
            schema = _resolved(parameters["properties"][name], value, parameters.get("$defs", {}))
            others = chain(self._others(value, schema, parameters.get("$defs", {})), self._given(call, name))
            for other in islice(_once(others, but=value), _MOST):
                yield call.model_copy(update={"arguments": {**call.arguments, name: other}})

    def _given(self, call: GoldCall, name: str) -> Iterator[Any]:
        """Gold's other values for an argument, without objects: these may differ only in optional keys."""
        values = self._elsewhere[call.requestor, call.name, name]
        return (value for value in values if not isinstance(value, dict))

    def _others(self, value: Any, schema: Any, definitions: Any) -> Iterator[Any]:
        """Other values than `value` of the type that a JSON schema declares."""
        if "enum" in schema:
            yield from schema["enum"]
        elif isinstance(value, bool):
            yield not value
        elif isinstance(value, int):
            yield from (value + 1, value - 1)
        elif isinstance(value, float):
            yield from (value + 1, round(value / 2, 2))
        elif isinstance(value, str):
            yield from self.neighbours(value)
        elif isinstance(value, list):
            for i, item in enumerate(value):
                yield [*value[:i], *value[i + 1 :]]
                for other in self._inner(item, schema.get("items", {}), definitions):
                    yield [*value[:i], other, *value[i + 1 :]]
        elif isinstance(value, dict):
            for name, item in value.items():
                for other in self._inner(item, schema.get("properties", {}).get(name, {}), definitions):
                    yield {**value, name: other}

    def _inner(self, value: Any, schema: Any, definitions: Any) -> Iterator[Any]:
        """Two other values for an item of a list or object."""
        found = self._others(value, _resolved(schema, value, definitions), definitions)
        return islice(_once(found, but=value), 2)

    @cached_property
    def _elsewhere(self) -> Mapping[tuple[str, str, str], list[Any]]:
        """Gold's values for an argument in the sample's tasks: (side, tool, argument) -> values."""
        found: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
        for task in self.on.tasks():
            for call in filter(self.on.writes, task.gold.actions):
                for name, value in call.arguments.items():
                    values = found[call.requestor, call.name, name]
                    if value not in values and len(values) < 3:
                        values.append(value)
        return found

    def neighbours(self, value: str) -> Iterator[str]:
        """Texts in the places of `value`: of the same row first, then of the next rows; there may be none."""
        rows, kinds = self._rows, self._kinds
        places = self._places.get(value, [])
        for key, kind in places:
            yield from rows[key][kind]
        for _, kind in places:
            alike = kinds[kind]
            at = alike[value]
            texts = list(islice(alike, at + 1, at + 4)) or list(islice(alike, 2))
            yield from texts
        if not places:
            yield f"{value}1"

    @cached_property
    def _rows(self) -> dict[str, dict[Place, list[str]]]:
        """Row -> place -> the texts in it."""
        found: dict[str, dict[Place, list[str]]] = {}
        for table, key, row in self.on.pack.snapshot:
            texts: dict[Place, list[str]] = defaultdict(list)
            for name, text in _texts(row, table):
                texts[table, name].append(text)
            found[f"{table}/{key}"] = texts
        return found

    @cached_property
    def _places(self) -> dict[str, list[tuple[str, Place]]]:
        """Text -> each (row, place) of it."""
        found: dict[str, list[tuple[str, Place]]] = defaultdict(list)
        for row, kinds in self._rows.items():
            for place, texts in kinds.items():
                for text in texts:
                    if len(found[text]) < _PLACES:
                        found[text].append((row, place))
        return dict(found)

    @cached_property
    def _kinds(self) -> dict[Place, dict[str, int]]:
        """Place -> all texts in it, in order, with their positions."""
        found: dict[Place, dict[str, int]] = defaultdict(dict)
        for kinds in self._rows.values():
            for place, texts in kinds.items():
                for text in texts:
                    found[place].setdefault(text, len(found[place]))
        return found


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every text in a row with the name of its field."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield f"{name} by", key
            yield from _texts(inner, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, name)


def _resolved(schema: dict[str, Any], value: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The part of a schema that describes `value`."""
    if "$ref" in schema:
        return _resolved(definitions[schema["$ref"].rpartition("/")[2]], value, definitions)
    kinds = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    for choice in schema.get("anyOf", ()):
        found = _resolved(choice, value, definitions)
        if found.get("type") == kinds.get(type(value)):
            return found
    return schema


def _once(values: Iterator[Any], but: Any) -> Iterator[Any]:
    """The values without repetitions and without `but`."""
    seen = [but]
    for value in values:
        if value not in seen:
            seen.append(value)
            yield value


@cache
def variants(domain: str) -> Variants:
    """The variants that a domain offers, made once."""
    return Variants(stage(domain))
