"""Random arguments for a call, from its schema and from known values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from random import Random
from typing import Any

from env_server.policies.rules.values import Values, matching, singular

CLOSE = 0.85
"""The probability that a value comes from the near values, if there is one."""

MOST_ITEMS = 2
"""The maximum number of elements of a drawn list."""

WORDS = ("please", "1 + 1", "the customer asked for it")
"""Texts for arguments without a known value."""


@dataclass(frozen=True)
class Drawing:
    """A generator of arguments that fit a schema."""

    rng: Random
    world: Values
    """Values by name, for arguments without a near value."""

    def arguments(self, parameters: Mapping[str, Any], near: Values | None = None) -> dict[str, Any]:
        """Return arguments for the JSON schema `parameters`; an optional one is left out half of the time."""
        return self._object(parameters, parameters.get("$defs", {}), near or {})

    def _object(self, schema: Mapping[str, Any], defs: Mapping[str, Any], near: Values) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self._value(name, inner, defs, near)
            for name, inner in schema.get("properties", {}).items()
            if name in required or self.rng.random() < 0.5
        }

    def _value(self, name: str, schema: Mapping[str, Any], defs: Mapping[str, Any], near: Values) -> Any:
        if "$ref" in schema:
            return self._value(name, defs[schema["$ref"].rpartition("/")[2]], defs, near)
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            chosen = [option for option in options if option.get("type") != "null"]
            return self._value(name, self.rng.choice(chosen or options), defs, near)
        if "const" in schema or "enum" in schema:
            return self.rng.choice(schema.get("enum") or [schema["const"]])
        if schema.get("type") == "array":
            return self._several(name, schema, defs, near)
        if schema.get("type") == "object":
            return self._object(schema, defs, near)
        return self._scalar(name, schema, near)

    def _several(self, name: str, schema: Mapping[str, Any], defs: Mapping[str, Any], near: Values) -> list[Any]:
        """Return some values, without duplicates unless that would be too few."""
        low, high = schema.get("minItems", 1), schema.get("maxItems", MOST_ITEMS)
        drawn = [
            self._value(singular(name), schema.get("items", {}), defs, near)
            for _ in range(self.rng.randint(low, max(low, min(high, MOST_ITEMS))))
        ]
        distinct = [value for i, value in enumerate(drawn) if value not in drawn[:i]]
        return distinct if len(distinct) >= low else drawn

    def _scalar(self, name: str, schema: Mapping[str, Any], near: Values) -> Any:
        kind = schema.get("type", "string")
        near_first = self.rng.random() < CLOSE
        for values in (near, self.world) if near_first else (self.world, near):
            known = [value for value in matching(values, name) if _fits(value, kind, schema)]
            if known:
                return self.rng.choice(known)
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind in ("integer", "number"):
            low, high = _bounds(schema)
            return self.rng.randint(low, max(low, high))
        return None if kind == "null" else self.rng.choice(WORDS)


def _fits(value: Any, kind: str, schema: Mapping[str, Any]) -> bool:
    """Return whether a known value has the type and the bounds of a schema."""
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, str):
        return kind == "string" and re.search(schema.get("pattern", ""), value) is not None
    if kind not in ("integer", "number") or (kind == "integer" and not isinstance(value, int)):
        return False
    return bool(
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        and schema.get("exclusiveMinimum", value - 1) < value < schema.get("exclusiveMaximum", value + 1)
    )


def _bounds(schema: Mapping[str, Any]) -> tuple[int, int]:
    """Return the least and the greatest whole number to draw: a few numbers from the lower bound up."""
    low = ceil(schema.get("minimum", floor(schema["exclusiveMinimum"]) + 1 if "exclusiveMinimum" in schema else 0))
    high = schema.get("maximum", ceil(schema["exclusiveMaximum"]) - 1 if "exclusiveMaximum" in schema else low + 3)
    return low, min(floor(high), low + 3)
