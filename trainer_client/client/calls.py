"""The requests of the API: plain functions from arguments to a call, for the sync and the async client alike."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, Literal, TypedDict, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter, ValidationError

from agent_env_schemas import (
    Action,
    CloseRequest,
    Diff,
    DomainList,
    EpisodeList,
    EpisodeReply,
    EpisodeSummary,
    Expect,
    ForkRequest,
    GroupReply,
    InlineTask,
    ResetRequest,
    ShapingWeights,
    StateReply,
    StepReply,
    TaskDetail,
    TaskList,
    TokenReply,
    ToolOptions,
    ToolPrompt,
    Trajectory,
    UserSpec,
    Wire,
)
from agent_env_schemas.base import ANY_VERSION
from trainer_client.client.errors import BadAnswer, Damaged

R = TypeVar("R", bound=Wire)

ActionLike = str | Mapping[str, Any] | BaseModel | None
"""A message of the agent: raw text, plain data, or a pydantic model of an SDK (OpenAI's, `agent_env_schemas.Action`).
SDKs use None where a model said nothing; it stands for an empty text."""

ResetLike = ResetRequest | Mapping[str, Any]
"""One reset of a batch; plain data is checked as `ResetRequest`."""

_REQUESTS = TypeAdapter(list[ResetRequest])

About = Mapping[str, object]
"""Field of a reply (dotted if it is nested) -> the value that it must have in the reply to this request."""

OK = 200

LATEST = "latest"
"""The id that stands for the caller's newest episode; replies carry the episode's own id."""


class ResetOptions(TypedDict, total=False):
    """The options of a reset, for type checkers and editors; `agent_env_schemas.ResetRequest` explains and checks them.

    They are the fields of `/reset` without `domain` and `n`, which are arguments of their own.
    """

    pack: str
    task_id: str | None
    split: str | None
    index: int | None
    difficulty: int | str | None
    task: InlineTask | dict[str, Any] | None
    seed: int
    user: UserSpec | dict[str, Any]
    max_turns: int
    max_errors: int
    max_calls: int
    deadline_s: float | None
    trial: int
    vary_user: bool
    run: str | None
    purpose: Literal["train", "eval"] | None
    group_id: str | None
    tool_prompt: ToolPrompt
    observation_role: Literal["tool", "user"]
    max_observation_chars: int | None
    tools: ToolOptions | dict[str, Any] | None
    conduct: Literal["score", "report", "off"] | None
    reward_shaping: Literal["none", "mcp_tool_env", "first_tool"] | ShapingWeights | dict[str, Any]
    expect: Expect | dict[str, Any] | None
    idempotency_key: str | None
    metadata: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ApiCall(Generic[R]):
    """One request and the type of its reply. The body is made once: every retry sends the same bytes."""

    method: str
    path: str
    reply: type[R]
    body: bytes | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    about: About = field(default_factory=dict)

    def read(self, content: bytes, url: str) -> R:
        """Parse the answer that came from `url`; see `understood`."""
        return understood(self.reply, content, self.about, f"{self.method} {url}")


def understood(reply: type[R], came: bytes | Mapping[str, Any], about: About, asked: str) -> R:
    """Parse an answer. Fields that a newer server added are ignored; enum values that only it knows stay text.

    Raises:
        BadAnswer: if it is no `reply`, or is about another episode or turn; `asked` describes the request.
    """
    read = reply.model_validate_json if isinstance(came, bytes) else reply.model_validate
    try:
        found = read(came, extra="ignore", context=ANY_VERSION)  # type: ignore[arg-type]  # each takes its own
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        kind = Damaged if first["type"] == "json_invalid" else BadAnswer
        said = ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
        raise kind(OK, f"{asked} gave no {reply.__name__}: {said}") from error
    for name, wanted in about.items():
        if (told := attrgetter(name)(found)) != wanted:
            raise BadAnswer(OK, f"{asked} gave another {reply.__name__}: {name} is {told!r}, not {wanted!r}")
    return found


def reset(request: ResetRequest) -> ApiCall[EpisodeReply]:
    """Begin an episode."""
    if request.n is not None:
        raise ValueError("a group is begun by reset_group")
    return ApiCall("POST", "/reset", EpisodeReply, _dump(with_key(request)))


def reset_group(request: ResetRequest) -> ApiCall[GroupReply]:
    """Begin the `n` episodes of a group."""
    return ApiCall("POST", "/reset", GroupReply, _dump(with_key(request)))


def members(reply: GroupReply, n: int) -> list[EpisodeReply]:
    """The episodes of a group of `n`.

    Raises:
        BadAnswer: if there are more or fewer; the error names them.
    """
    begun = reply.episodes
    if len(begun) != n:
        named = [episode.episode_id for episode in begun]
        raise BadAnswer(OK, f"/reset gave {len(begun)} episodes for a group of {n}: {named}")
    return begun


def with_key(request: ResetRequest) -> ResetRequest:
    """`request` with an idempotency key, a new one unless it has its own, so that it may be sent again."""
    if request.idempotency_key is not None:
        return request
    return request.model_copy(update={"idempotency_key": new_key()})


def new_key() -> str:
    """A new idempotency key, different from every other."""
    return f"client-{secrets.token_hex(16)}"


def step(
    episode_id: str, turn: int, action: ActionLike, metadata: Mapping[str, Any] | None, forced_action: bool = False
) -> ApiCall[StepReply]:
    """Play a turn."""
    fields = step_fields(episode_id, turn, action, metadata)
    body = encoded({**fields, "forced_action": True} if forced_action else fields)
    return ApiCall("POST", "/step", StepReply, body, about=_about(episode_id, turn=turn))


def step_fields(episode_id: str, turn: int, action: ActionLike, metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """The body of a step. The server checks the action: a wrong one is answered with an observation."""
    fields: dict[str, Any] = {"episode_id": episode_id, "turn": turn, "action": plain(action)}
    return fields if metadata is None else {**fields, "metadata": dict(metadata)}


def plain(action: ActionLike) -> str | dict[str, Any]:
    """An action as plain data.

    Raises:
        TypeError: if it is no message: another type, or data with neither `content` nor `tool_calls`.
    """
    if action is None or isinstance(action, str):
        return action or ""
    if isinstance(action, Action):
        return action.plain()
    if isinstance(action, BaseModel):
        return _message(action.model_dump(exclude_none=True), set(type(action).model_fields))
    if isinstance(action, Mapping):
        return _message(dict(action), set(action))
    raise TypeError(f"an action is text, a message with `content` or `tool_calls`, or None; {action!r} is none of them")


def _message(fields: dict[str, Any], known: set[str]) -> dict[str, Any]:
    if known.isdisjoint(("content", "tool_calls")):
        raise TypeError(f"an action has `content` or `tool_calls`; this one has only {sorted(map(str, known))}")
    return fields


def step_items(steps: Sequence[tuple[str, int, ActionLike]]) -> list[dict[str, Any]]:
    """The items of a batch of steps.

    Raises:
        ValueError: if an episode is named twice: the order of its turns would be undefined.
    """
    if len({episode_id for episode_id, _, _ in steps}) < len(steps):
        raise ValueError("a batch plays one turn of each episode")
    return [step_fields(episode_id, turn, action, None) for episode_id, turn, action in steps]


def reset_items(requests: Sequence[ResetLike]) -> list[dict[str, Any]]:
    """The items of a batch of resets, each with a key.

    Raises:
        ValueError: if one asks for a group; if one is no request, as pydantic's `ValidationError`, which names the
            item's index and the field.
    """
    checked = _REQUESTS.validate_python([r if isinstance(r, ResetRequest) else dict(r) for r in requests])
    if any(request.n is not None for request in checked):
        raise ValueError("a group is begun by reset_group")
    return [with_key(request).model_dump(mode="json", exclude_unset=True) for request in checked]


def user(
    episode_id: str, turn: int, content: str | None, tool_calls: list[Any] | None, seq: int | None
) -> ApiCall[StepReply]:
    """Supply the user's part of a turn."""
    fields = {"turn": turn, "content": content, "tool_calls": tool_calls, "seq": seq}
    body = encoded({name: value for name, value in fields.items() if value is not None})
    return ApiCall("POST", f"{_episode(episode_id)}/user", StepReply, body, about=_about(episode_id, turn=turn))


def close(episode_id: str, reason: str | None) -> ApiCall[StepReply]:
    """End an episode."""
    body = _dump(CloseRequest(reason=reason))
    return ApiCall("POST", f"{_episode(episode_id)}/close", StepReply, body, about=_about(episode_id))


def fork(episode_id: str, turn: int, seed: int | None) -> ApiCall[EpisodeReply]:
    """Continue after a turn in a new episode."""
    request = ForkRequest(turn=turn, seed=seed, idempotency_key=new_key())
    return ApiCall("POST", f"{_episode(episode_id)}/fork", EpisodeReply, _dump(request), about={"turn": turn})


def token(episode_id: str) -> ApiCall[TokenReply]:
    """Another token for an agent."""
    return ApiCall("POST", f"{_episode(episode_id)}/token", TokenReply, about=_about(episode_id))


def episode(episode_id: str) -> ApiCall[EpisodeSummary]:
    """Where an episode stands."""
    return ApiCall("GET", _episode(episode_id), EpisodeSummary, about=_about(episode_id))


class EpisodeFilters(TypedDict, total=False):
    """The filters of the list of episodes, and its page."""

    run: str | None
    group_id: str | None
    domain: str | None
    done: bool | None
    forks: bool | None
    limit: int
    before: str | None


class TaskFilters(TypedDict, total=False):
    """The filters of the list of a domain's tasks, their order, and the page."""

    pack: str
    split: str | None
    difficulty: int | str | None
    order: Literal["id", "difficulty"]
    offset: int
    limit: int


def episodes(wanted: EpisodeFilters) -> ApiCall[EpisodeList]:
    """A page of episodes.

    Raises:
        TypeError: if there is no such filter.
    """
    return ApiCall("GET", "/episodes", EpisodeList, query=_query(_known(wanted, EpisodeFilters)))


def trajectory(episode_id: str) -> ApiCall[Trajectory]:
    """The whole record of an episode."""
    about = _about(episode_id, "episode.episode_id")
    return ApiCall("GET", f"{_episode(episode_id)}/trajectory", Trajectory, about=about)


def state(episode_id: str, turn: int | None, *, everything: bool) -> ApiCall[StateReply]:
    """The rows of an episode."""
    query = _query({"turn": turn, "everything": everything or None})
    about = _about(episode_id) if turn is None else _about(episode_id, turn=turn)
    return ApiCall("GET", f"{_episode(episode_id)}/state", StateReply, query=query, about=about)


def diff(episode_id: str, since: str, turn: int | None) -> ApiCall[Diff]:
    """Which rows differ."""
    query = _query({"since": since, "turn": turn})
    return ApiCall("GET", f"{_episode(episode_id)}/diff", Diff, query=query, about=_about(episode_id))


def domains() -> ApiCall[DomainList]:
    """The domains and their packs."""
    return ApiCall("GET", "/domains", DomainList)


def tasks(domain: str, wanted: TaskFilters) -> ApiCall[TaskList]:
    """A page of a domain's tasks.

    Raises:
        TypeError: if there is no such filter.
    """
    query = _query(_known(wanted, TaskFilters))
    return ApiCall("GET", f"/domains/{quote(domain, safe='')}/tasks", TaskList, query=query)


def task(domain: str, task_id: str, pack: str, *, gold: bool) -> ApiCall[TaskDetail]:
    """One task of a domain, with its reference solution if `gold`."""
    path = f"/domains/{quote(domain, safe='')}/tasks/{quote(task_id, safe='/')}"
    return ApiCall("GET", path, TaskDetail, query=_query({"pack": pack, "gold": gold or None}))


def encoded(body: Any) -> bytes:
    """`body` as JSON, escaped to ASCII: half a surrogate pair in a model's text must not fail here."""
    return json.dumps(body, separators=(",", ":")).encode()


def _dump(request: Wire) -> bytes:
    return encoded(request.model_dump(mode="json", exclude_unset=True))


def _episode(episode_id: str) -> str:
    return f"/episodes/{quote(episode_id, safe='')}"


def _about(episode_id: str, name: str = "episode_id", **others: object) -> About:
    return others if episode_id == LATEST else {name: episode_id, **others}


def _known(wanted: Mapping[str, object], filters: type) -> Mapping[str, object]:
    names = filters.__annotations__
    if unknown := [name for name in wanted if name not in names]:
        raise TypeError(f"there is no filter {unknown[0]!r}; the filters are {', '.join(names)}")
    return wanted


def _query(wanted: Mapping[str, object]) -> dict[str, str]:
    """Query parameters, those without a value left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in wanted.items()
        if value is not None
    }
