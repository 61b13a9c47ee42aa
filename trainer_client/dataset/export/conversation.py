"""A recorded episode as a conversation: messages in OpenAI's form, with the calls that the server read."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import Trajectory, TrajectoryPart

Message = dict[str, Any]

HERMES = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
"""The form in which most open models write a call."""


class NoConversation(ValueError):
    """An episode that cannot be written as messages; the message says why."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """An episode's messages and what it earned."""

    episode_id: str
    group: str | None
    system: str
    messages: Sequence[Message]
    """All but the system's; the first is the user's, and the last the agent's."""

    tools: Sequence[Mapping[str, Any]]
    reward: float
    conduct: float | None
    """The value of the reward's component `conduct`, if it was computed."""


def conversation(trajectory: Trajectory) -> Conversation:
    """The conversation of a finished episode.

    Raises:
        NoConversation: if an action is in a form that cannot be written as messages, a person's part is missing, or the
            episode was not scored.
    """
    about = trajectory.episode
    if not about.done or about.scored is False or about.reward is None:
        raise NoConversation("not scored")
    opening = [each.model_dump(exclude_none=True) for each in trajectory.observation]
    system = "\n\n".join(each["content"] for each in opening if each["role"] == "system")
    messages = [each for each in opening if each["role"] != "system"]
    parts = [part for turn in trajectory.turns for part in turn.parts]
    if any(part.part != "agent" for part in parts):
        raise NoConversation("an external user")
    for number, part in enumerate(parts):
        messages += _said(part, number, last=part is parts[-1])
    if not parts or not messages or messages[0]["role"] != "user":
        raise NoConversation("no message of a user at the beginning")
    breakdown = parts[-1].info.reward_breakdown or {}
    conduct = breakdown.get("conduct", {}).get("value")
    return Conversation(about.episode_id, about.group_id, system, messages, trajectory.tools, about.reward, conduct)


def _said(part: TrajectoryPart, number: int, *, last: bool) -> Iterator[Message]:
    """The agent's message and the environment's answer; for the last part the message alone."""
    calls = _calls(part.action)
    names = [call["name"] for call in calls]
    if part.info.parse_failure or names != [call.name for call in part.info.calls]:
        raise NoConversation("a message whose calls cannot be read from it again")
    ids = [f"call_{number}_{place}" for place in range(len(calls))]
    message: Message = {"role": "assistant", "content": _words(part.action)}
    if calls:
        message["tool_calls"] = [
            {"id": key, "type": "function", "function": {**call, "arguments": json.dumps(call["arguments"])}}
            for key, call in zip(ids, calls, strict=True)
        ]
    yield message
    if last:
        return
    results = iter(ids)
    for each in part.observation:
        told: Message = {"role": "tool" if calls else each.role, "content": each.content}
        if calls:
            told["tool_call_id"] = next(results, None)
        yield told
    if calls and (len(part.observation) != len(calls)):
        raise NoConversation("results that do not belong to calls one by one")


def _calls(action: Any) -> list[dict[str, Any]]:
    """The calls of an action: a message's, or those in Hermes blocks."""
    if isinstance(action, str):
        given = [_json(block) for block in HERMES.findall(action)]
    elif isinstance(action, Mapping):
        given = action.get("tool_calls") or ([action] if "name" in action else [])
    else:
        raise NoConversation("an action that is neither text nor a message")
    return [_call(each) for each in given]


def _call(given: Any) -> dict[str, Any]:
    inner = given.get("function", given) if isinstance(given, Mapping) else None
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        raise NoConversation("a call without a name")
    arguments = inner.get("arguments") or {}
    arguments = _json(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(arguments, Mapping):
        raise NoConversation("arguments that are no object")
    return {"name": inner["name"], "arguments": dict(arguments)}


def _words(action: Any) -> str:
    """The words of an action, without its calls."""
    text = action if isinstance(action, str) else action.get("content") or ""
    return HERMES.sub("", text).strip() if isinstance(text, str) else ""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise NoConversation("a call that is no JSON") from None
