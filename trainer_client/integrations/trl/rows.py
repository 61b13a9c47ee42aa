"""Rows of a data set for TRL: their columns are fields of `/reset`."""

import json
from collections.abc import Mapping
from typing import Any, Final

from agent_env_schemas import ResetRequest

_FIELDS: Final = frozenset(ResetRequest.model_fields) - {"n", "idempotency_key"}
_NESTED: Final = frozenset({"user", "task", "tools", "expect", "metadata"})
"""Objects, or their JSON text: a column has one type, and these objects differ from row to row."""

_SHAPING: Final = "reward_shaping"
"""The name of a preset, an object with weights, or its JSON text."""


def reset_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `/reset` among a row's columns; null counts as absent, other columns are ignored."""
    found = {name: row[name] for name in _FIELDS & row.keys() if row[name] is not None}
    weights = str(found.get(_SHAPING, "")).lstrip().startswith("{")
    return {
        name: _object(value) if name in _NESTED or (name == _SHAPING and weights) else value
        for name, value in found.items()
    }


def _object(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
