"""The frames of OpenEnv's WebSocket, and the conversion of this server's replies to them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from agent_env_schemas import RESPOND, ErrorCode, OpenEnvAction, Problem
from env_server.api.respond import ARGUMENTS, SPEAK
from env_server.errors import ProblemError

Frame = dict[str, Any]


class Code(StrEnum):
    """The OpenEnv error codes that this server uses. Its own code is in `problem.code` of the same frame."""

    INVALID_JSON = "INVALID_JSON"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    EXECUTION_ERROR = "EXECUTION_ERROR"
    SESSION_ERROR = "SESSION_ERROR"


_FAILURES = {"unknown_tool": "tool_not_found", "bad_arguments": "invalid_args", "not_executed": "execution_error"}
"""Maps the server's call errors to OpenEnv's. In both, a tool's own refusal is a result and not an error."""


def observation(seen: Frame, metadata: Frame, *, reward: float | None = None, done: bool = False) -> Frame:
    """Return an `observation` frame."""
    return {"type": "observation", "data": {"observation": seen, "reward": reward, "done": done, "metadata": metadata}}


def stepped(reply: Mapping[str, Any], sent: OpenEnvAction) -> Frame:
    """Return a step's reply as a frame."""
    seen = _seen(reply)
    if sent.tool_name is not None:
        seen |= _called(reply, sent.tool_name)
    kept = {name: reply[name] for name in ("terminated", "truncated", "stop_reason", "state_hash", "info")}
    return observation(seen, kept, reward=reply["reward"], done=reply["done"])


def begun(reply: Mapping[str, Any]) -> Frame:
    """Return a reset's reply as a frame."""
    kept = {name: reply[name] for name in ("state_hash", "mcp_url", "agent_token", "info")}
    return observation({**_seen(reply), "tools": reply["tools"]}, {**kept, "resumed": False})


def resumed(record: Mapping[str, Any], access: Mapping[str, str]) -> Frame:
    """Return a trajectory as a frame: its newest observation, and the data that a restarted client needs.

    `access` is the URL and token with which an agent plays on over MCP.
    """
    where, parts = record["episode"], [part for turn in record["turns"] for part in turn["parts"]]
    newest = parts[-1] if parts else record
    seen = {
        "episode_id": where["episode_id"],
        "turn": where["turn"],
        "messages": newest["observation"],
        "awaiting_user": where["awaiting_user"],
        "tools": record["tools"],
    }
    reward = newest["reward"] if parts else None
    return observation(seen, {**where, **access, "resumed": True}, reward=reward, done=where["done"])


def listed(episode_id: str, turn: int, tools: list[dict[str, Any]]) -> Frame:
    """Return the tools as a frame."""
    shown = [
        {"name": f["name"], "description": f.get("description", ""), "input_schema": f["parameters"]}
        for f in (tool["function"] for tool in tools)
    ]
    shown.append({"name": RESPOND, "description": SPEAK, "input_schema": ARGUMENTS})
    return observation({"episode_id": episode_id, "turn": turn, "messages": [], "tools": shown}, {})


def standing(summary: Mapping[str, Any]) -> Frame:
    """Return a `state` frame."""
    return {"type": "state", "data": {**summary, "step_count": summary["turn"]}}


def failure(code: Code, problem: Problem | Mapping[str, Any]) -> Frame:
    """Return an `error` frame. OpenEnv's client shows the message and the code; the problem document is for others."""
    fields = problem.model_dump(mode="json") if isinstance(problem, Problem) else dict(problem)
    return {"type": "error", "data": {"message": fields["detail"], "code": code, "problem": fields}}


def code_of(error: ProblemError) -> Code:
    """Return OpenEnv's code for a problem."""
    if error.code in (ErrorCode.INVALID_REQUEST, ErrorCode.NOT_FOUND):
        return Code.VALIDATION_ERROR
    return Code.SESSION_ERROR if error.code is ErrorCode.EPISODE_NOT_FOUND else Code.EXECUTION_ERROR


def _seen(reply: Mapping[str, Any]) -> Frame:
    return {
        "episode_id": reply["episode_id"],
        "turn": reply["turn"],
        "messages": reply["observation"],
        "awaiting_user": reply["info"].get("awaiting_user", False),
    }


def _called(reply: Mapping[str, Any], tool_name: str) -> Frame:
    messages, calls = reply["observation"], reply["info"].get("calls") or [{}]
    said = messages[0]["content"] if messages else ""
    kind = _FAILURES.get(calls[0].get("error") or "")
    error = None if kind is None else {"error_type": kind, "message": said}
    return {"tool_name": tool_name, "result": said if error is None else None, "error": error}
