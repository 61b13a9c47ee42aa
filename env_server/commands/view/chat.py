"""Converts conversations of other programs, which are chat messages, to the records of this project."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

NO_RESULT = "(no result was recorded)"


class ChatCall(BaseModel):
    """A call of a tool. `arguments` may be JSON text, and OpenAI's nesting under `function` is read, too."""

    model_config = ConfigDict(extra="ignore")

    id: str = ""
    name: str
    arguments: Any = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("function"), dict):
            return {**value["function"], "id": value.get("id") or ""}
        return {**value, "id": value.get("id") or ""} if isinstance(value, dict) else value

    @field_validator("arguments")
    @classmethod
    def _read(cls, value: Any) -> Any:
        if isinstance(value, str):
            try:
                value = json.loads(value or "{}")
            except (ValueError, RecursionError):
                return {"(no JSON)": value}
        return value if isinstance(value, dict) else {} if value is None else {"(no object)": value}


class ChatMessage(BaseModel):
    """A message, with the parts that a reader looks at."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | None = None
    tool_calls: list[ChatCall] | None = None
    tool_call_id: str | None = None
    id: str | None = None
    requestor: str = "assistant"
    error: bool = False

    @field_validator("content", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        if isinstance(value, list):
            return "\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in value)
        return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    @property
    def answers(self) -> str | None:
        """The id of the call that this result belongs to."""
        return self.tool_call_id or self.id


def record_of(messages: Sequence[ChatMessage], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of an episode: each message of the agent is a turn, and the opening precedes the first."""
    first = next((i for i, message in enumerate(messages) if message.role == "assistant"), len(messages))
    turns: list[dict[str, Any]] = []
    for message, later in _turns(messages[first:]):
        turns.append({"turn": len(turns) + 1, "parts": _parts(message, later)})
    opening = [_said(message) for message in messages[:first]]
    return {"episode": dict(about) | {"turn": len(turns)}, "observation": opening, "tools": [], "turns": turns}


def calls_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the agent's calls of a record, with their names and errors."""
    parts = [part for turn in record["turns"] for part in turn["parts"] if part["part"] == "agent"]
    return [call for part in parts for call in part["info"]["calls"]]


def _turns(messages: Sequence[ChatMessage]) -> Iterator[tuple[ChatMessage, list[ChatMessage]]]:
    starts = [i for i, message in enumerate(messages) if message.role == "assistant"]
    for start, end in pairwise([*starts, len(messages)]):
        yield messages[start], list(messages[start + 1 : end])


def _parts(agent: ChatMessage, later: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    calls = agent.tool_calls or []
    results = _results(calls, [m for m in later if m.role in ("tool", "function") and m.requestor != "user"])
    made = [{"name": c.name, "error": "error" if r.error else None} for c, r in zip(calls, results, strict=True)]
    heard = [{"role": "tool", "content": result.content or ""} for result in results]
    parts = [_part("agent", agent, heard, {"calls": made, "parse_failure": None})]
    own = [m for m in later if m.role in ("tool", "function") and m.requestor == "user"]
    for message in later:
        if message.role != "user":
            continue
        if message.tool_calls or len(parts) > 1:
            seen = _results(message.tool_calls or [], own)
            own = own[len(seen) :]
            parts.append(_part("user", message, [], {"user_observation": [{"content": m.content or ""} for m in seen]}))
        else:
            heard.append(_said(message))
    return parts


def _results(calls: Sequence[ChatCall], found: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the result of each call: the one with its id, else the one at its place."""
    known = {message.answers: message for message in reversed(found) if message.answers}
    none = ChatMessage(role="tool", content=NO_RESULT)
    placed = [*found, *[none] * len(calls)]
    return [known.get(call.id, placed[i]) if call.id else placed[i] for i, call in enumerate(calls)]


def _part(part: str, message: ChatMessage, heard: list[dict[str, Any]], info: dict[str, Any]) -> dict[str, Any]:
    calls = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls or ()]
    action = {"content": message.content or "", "tool_calls": calls}
    return {"part": part, "action": action, "observation": heard, "info": info, "state_hash": "", "at": 0.0}


def _said(message: ChatMessage) -> dict[str, Any]:
    role = "system" if message.role == "developer" else message.role
    return {"role": role, "content": message.content or ""}
