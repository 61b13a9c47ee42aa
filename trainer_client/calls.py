"""What goes to which endpoint: plain functions from arguments to a call, for the sync and the async client alike."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from schemas import (
    Action,
    CloseRequest,
    Diff,
    DomainList,
    EpisodeList,
    EpisodeReply,
    EpisodeSummary,
    ForkRequest,
    GroupReply,
    ResetRequest,
    StateReply,
    StepReply,
    TaskDetail,
    TaskList,
    Trajectory,
    Wire,
)

R = TypeVar("R", bound=Wire)

ActionLike = str | Mapping[str, Any] | BaseModel
"""A model's raw text, its chat message as plain data, or as a model of some SDK (OpenAI's, `schemas.Action`)."""


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One request and the type of its reply. The body is made once: every retry sends the same bytes."""

    method: str
    path: str
    reply: type[R]
    body: bytes | None = None
    query: Mapping[str, str] = field(default_factory=dict)

    def read(self, content: bytes) -> R:
        """The reply; fields that a newer server added are ignored.

        Raises:
            pydantic.ValidationError: if it is not what the endpoint answers.
        """
        return self.reply.model_validate_json(content, extra="ignore")


def reset(request: ResetRequest) -> Call[EpisodeReply]:
    """Begin an episode."""
    if request.n is not None:
        raise ValueError("a group is begun by reset_group")
    return Call("POST", "/reset", EpisodeReply, _dump(with_key(request)))


def reset_group(request: ResetRequest) -> Call[GroupReply]:
    """Begin the `n` episodes of a group."""
    return Call("POST", "/reset", GroupReply, _dump(with_key(request)))


def with_key(request: ResetRequest) -> ResetRequest:
    """`request` with an idempotency key, a new one unless it has its own, so that it may be sent again."""
    if request.idempotency_key is not None:
        return request
    return request.model_copy(update={"idempotency_key": new_key()})


def new_key() -> str:
    """A key that nobody else makes."""
    return f"client-{secrets.token_hex(16)}"


def step(episode_id: str, turn: int, action: ActionLike, metadata: Mapping[str, Any] | None) -> Call[StepReply]:
    """Play a turn."""
    return Call("POST", "/step", StepReply, encoded(step_fields(episode_id, turn, action, metadata)))


def step_fields(episode_id: str, turn: int, action: ActionLike, metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """The body of a step. The action is not checked here: what is wrong with it is for the episode to observe."""
    fields: dict[str, Any] = {"episode_id": episode_id, "turn": turn, "action": plain(action)}
    return fields if metadata is None else {**fields, "metadata": dict(metadata)}


def plain(action: ActionLike) -> str | dict[str, Any]:
    """An action as plain data."""
    if isinstance(action, str):
        return action
    if isinstance(action, Action):
        return action.plain()
    if isinstance(action, BaseModel):
        return action.model_dump(exclude_none=True)
    return dict(action)


def step_items(steps: Sequence[tuple[str, int, ActionLike]]) -> list[dict[str, Any]]:
    """The items of a batch of steps.

    Raises:
        ValueError: if an episode is named twice: which of its turns came first would be left to chance.
    """
    if len({episode_id for episode_id, _, _ in steps}) < len(steps):
        raise ValueError("a batch plays one turn of each episode")
    return [step_fields(episode_id, turn, action, None) for episode_id, turn, action in steps]


def reset_items(requests: Sequence[ResetRequest]) -> list[dict[str, Any]]:
    """The items of a batch of resets, each with a key.

    Raises:
        ValueError: if one asks for a group.
    """
    if any(request.n is not None for request in requests):
        raise ValueError("a group is begun by reset_group")
    return [with_key(request).model_dump(mode="json", exclude_unset=True) for request in requests]


def user(
    episode_id: str, turn: int, content: str | None, tool_calls: list[Any] | None, seq: int | None
) -> Call[StepReply]:
    """Supply the user's part of a turn."""
    fields = {"turn": turn, "content": content, "tool_calls": tool_calls, "seq": seq}
    body = encoded({name: value for name, value in fields.items() if value is not None})
    return Call("POST", f"{_episode(episode_id)}/user", StepReply, body)


def close(episode_id: str, reason: str | None) -> Call[StepReply]:
    """End an episode."""
    return Call("POST", f"{_episode(episode_id)}/close", StepReply, _dump(CloseRequest(reason=reason)))


def fork(episode_id: str, turn: int, seed: int | None) -> Call[EpisodeReply]:
    """Continue after a turn in a new episode."""
    request = ForkRequest(turn=turn, seed=seed, idempotency_key=new_key())
    return Call("POST", f"{_episode(episode_id)}/fork", EpisodeReply, _dump(request))


def episode(episode_id: str) -> Call[EpisodeSummary]:
    """Where an episode stands."""
    return Call("GET", _episode(episode_id), EpisodeSummary)


def episodes(**wanted: object) -> Call[EpisodeList]:
    """A page of episodes."""
    return Call("GET", "/episodes", EpisodeList, query=_query(wanted))


def trajectory(episode_id: str) -> Call[Trajectory]:
    """The whole record of an episode."""
    return Call("GET", f"{_episode(episode_id)}/trajectory", Trajectory)


def state(episode_id: str, turn: int | None, *, everything: bool) -> Call[StateReply]:
    """The rows of an episode."""
    query = _query({"turn": turn, "everything": everything or None})
    return Call("GET", f"{_episode(episode_id)}/state", StateReply, query=query)


def diff(episode_id: str, since: str, turn: int | None) -> Call[Diff]:
    """Which rows differ."""
    return Call("GET", f"{_episode(episode_id)}/diff", Diff, query=_query({"since": since, "turn": turn}))


def domains() -> Call[DomainList]:
    """What there is to play."""
    return Call("GET", "/domains", DomainList)


def tasks(domain: str, **wanted: object) -> Call[TaskList]:
    """A page of a domain's tasks."""
    return Call("GET", f"/domains/{quote(domain, safe='')}/tasks", TaskList, query=_query(wanted))


def task(domain: str, task_id: str, pack: str, *, gold: bool) -> Call[TaskDetail]:
    """One task."""
    path = f"/domains/{quote(domain, safe='')}/tasks/{quote(task_id, safe='/')}"
    return Call("GET", path, TaskDetail, query=_query({"pack": pack, "gold": gold or None}))


def encoded(body: Any) -> bytes:
    """`body` as JSON, escaped to ASCII: half a surrogate pair in a model's text must not fail here."""
    return json.dumps(body, separators=(",", ":")).encode()


def _dump(request: Wire) -> bytes:
    return encoded(request.model_dump(mode="json", exclude_unset=True))


def _episode(episode_id: str) -> str:
    return f"/episodes/{quote(episode_id, safe='')}"


def _query(wanted: Mapping[str, object]) -> dict[str, str]:
    """Query parameters, those without a value left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in wanted.items()
        if value is not None
    }
