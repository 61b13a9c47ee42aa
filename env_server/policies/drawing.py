"""Drawing the arguments of a call from its schema and from known values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from env_server.policies.values import Values, matching, singular

CLOSE = 0.85
"""How often a value comes from what is near, where there is one."""

MOST_ITEMS = 2
"""Elements of a drawn list at most."""

WORDS = ("please", "1 + 1", "the customer asked for it")
"""Text where no value is known."""

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


@dataclass(frozen=True)
class Drawing:
    """Draws arguments that fit a schema."""

    rng: Random
    world: Values
    """Values by name, to draw from where nothing nearer is known."""

    def arguments(self, parameters: Mapping[str, Any], near: Values | None = None) -> dict[str, Any]:
        """Arguments of the JSON schema `parameters`; an optional one is left out half of the time."""
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
            return self._several(name, schema.get("items", {}), defs, near)
        if schema.get("type") == "object":
            return self._object(schema, defs, near)
        return self._scalar(name, schema, near)

    def _several(self, name: str, item: Mapping[str, Any], defs: Mapping[str, Any], near: Values) -> list[Any]:
        found: list[Any] = []
        for _ in range(self.rng.randint(1, MOST_ITEMS)):
            value = self._value(singular(name), item, defs, near)
            found += [value] if value not in found else []
        return found

    def _scalar(self, name: str, schema: Mapping[str, Any], near: Values) -> Any:
        kind = schema.get("type", "string")
        near_first = self.rng.random() < CLOSE
        for values in (near, self.world) if near_first else (self.world, near):
            known = _of_kind(matching(values, name), kind)
            if known:
                return self.rng.choice(known)
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind in ("integer", "number"):
            return max(int(schema.get("minimum", 0)), 0) + self.rng.randint(0, 3)
        return None if kind == "null" else self.rng.choice(WORDS)


def _of_kind(values: Sequence[Any], kind: str) -> list[Any]:
    kinds = _KINDS.get(kind, (object,))
    return [value for value in values if isinstance(value, kinds) and isinstance(value, bool) <= (kind == "boolean")]
