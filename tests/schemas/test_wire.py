"""Unnoticed changes of the wire format fail: each model's JSON schema is compared with the one
stored beside this file.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pydantic.json_schema import JsonSchemaMode, models_json_schema

import agent_env_schemas
from agent_env_schemas import ErrorCode, StopReason, Wire

SNAPSHOT = Path(__file__).parent / "wire.json"
EXPORTED = {name: getattr(agent_env_schemas, name) for name in agent_env_schemas.__all__}
MODELS = {name: found for name, found in EXPORTED.items() if isinstance(found, type) and issubclass(found, Wire)}
ACCEPT = "ACCEPT_WIRE"
HOW = (
    f"the wire has changed: if clients can live with it, run `{ACCEPT}=1 pytest tests/schemas`, "
    "commit the snapshot and tell users in CHANGELOG.md"
)


def definitions() -> dict[str, Any]:
    """Return the JSON schema of every wire model, for input and output, by name."""
    modes: tuple[JsonSchemaMode, ...] = ("validation", "serialization")
    _, schema = models_json_schema([(model, mode) for model in MODELS.values() for mode in modes])
    found: dict[str, Any] = schema["$defs"]
    return found


def test_the_wire_is_as_it_was() -> None:
    """Fields, types, limits, defaults and descriptions of each wire model are the ones kept."""
    now = definitions()
    if os.environ.get(ACCEPT):
        SNAPSHOT.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    kept = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    changed = sorted(name for name in {*now, *kept} if now.get(name) != kept.get(name))
    assert {name: now.get(name) for name in changed} == {name: kept.get(name) for name in changed}, HOW


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_model_is_frozen_and_refuses_unknown_fields(model: type[Wire]) -> None:
    """Wire models are immutable. Only data written by language models may hold unknown fields."""
    open_ones = {agent_env_schemas.ToolCall: "allow", agent_env_schemas.Action: "ignore"}
    assert model.model_config["frozen"]
    assert model.model_config["extra"] == open_ones.get(model, "forbid")


def test_reasons_and_codes_are_as_they_were() -> None:
    """Clients decide by these words; one that goes away or changes breaks them."""
    assert list(StopReason) == [
        "completed",
        "user_stop",
        "transfer",
        "max_turns",
        "max_errors",
        "max_calls",
        "deadline",
        "agent_error",
        "closed",
        "user_error",
        "external_state_lost",
        "expired",
    ]
    assert list(ErrorCode) == [
        "invalid_request",
        "body_too_large",
        "unauthorized",
        "forbidden",
        "host_not_allowed",
        "not_found",
        "method_not_allowed",
        "episode_not_found",
        "episode_over",
        "turn_conflict",
        "turn_ahead",
        "awaiting_user",
        "not_awaiting_user",
        "key_conflict",
        "purpose_conflict",
        "test_task",
        "pack_changed",
        "not_forkable",
        "turn_claimed",
        "step_timeout",
        "user_unavailable",
        "tools_unavailable",
        "judge_unavailable",
        "spend_cap",
        "storage_damaged",
        "overloaded",
        "quota_exceeded",
        "storage_unavailable",
        "tool_crashed",
        "internal",
    ]
