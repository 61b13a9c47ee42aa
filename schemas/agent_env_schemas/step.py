"""`POST /step` and `POST /episodes/{id}/user`."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from agent_env_schemas.base import OPEN, EpisodeId, Metadata, Wire
from agent_env_schemas.messages import Action, Message, ToolCalls
from agent_env_schemas.reasons import StopReason
from agent_env_schemas.shaping import ShapingInfo
from agent_env_schemas.usage import UserUsage


class StepRequest(Wire):
    """Play one turn: one message of the agent."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={
            "examples": [
                {
                    "episode_id": "ep_0k3v9c2m8r7x1d5q",
                    "turn": 1,
                    "action": {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]},
                }
            ]
        },
    )

    episode_id: EpisodeId
    turn: Annotated[int, Field(ge=1, le=10**9)] | None = None
    """The number of the turn, from 1. It makes a retry safe. Without it, the request plays the next turn."""
    action: str | Action
    """The raw text of the model, or its message."""
    forced_action: bool = False
    """Whether the trainer has replaced the model's message by this one. It matters only for shaped rewards."""
    metadata: Metadata | None = None
    """Data of the caller that is stored with the turn: at most 16 KB as JSON. The server does not read it."""


class UserRequest(Wire):
    """Give the user's part of the turn that waits for it."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={"examples": [{"content": "Hi, I would like to cancel an order."}]},
    )

    turn: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """The number of the turn that waits for the user. It is 0 before the first message."""
    content: str | None = None
    """The user's message. It ends the episode if one of its lines is only `###STOP###`. In the tau packs, `###STOP###`
    may stand anywhere in the message, as in recorded conversations."""
    tool_calls: ToolCalls | None = None
    """Calls of the user's own tools. Without `content`, the episode still waits for the user's message."""
    seq: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """The user's part of a turn may come in several pieces, such as calls in one request and the message in the next.
    `seq` is the number of the piece, from 0. Without it, a body that equals the newest piece is a retry of that
    piece."""

    def plain(self) -> dict[str, Any]:
        """What the user does, as plain data, without the turn."""
        return Action(content=self.content, tool_calls=self.tool_calls).plain()


class CallInfo(Wire):
    """The outcome of one call."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    error: str | None = None
    """`unknown_tool`, `bad_arguments`, `tool_error`, `outage` or `not_executed`; null if the call succeeded."""

    failure: str | None = None
    """Why the tool's server failed, if that was no mistake of the model: `rate_limited`, `unavailable`, `timed_out`,
    `refused`, `outcome_unknown` or `not_recorded`.
    """

    structured: Any = None
    """The structured result of a tool of an MCP server."""


class UserCallInfo(CallInfo):
    """One call of the simulated user's own tools."""

    arguments: dict[str, Any] = {}


class StepInfo(Wire):
    """What a step returns beside the observation."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: str | None = None
    """The format of the agent's message, such as `openai`, `hermes` or `text`."""
    parse_failure: str | None = None
    """Why no call could be read from the action."""
    calls: list[CallInfo] = []
    """The outcomes of the agent's calls, in order."""
    awaiting_user: bool = False
    """Whether the turn waits for the user's part, by `POST /episodes/{id}/user`."""
    outages: int | None = None
    """How many calls of this turn failed because a tool's server failed. They are not counted as the model's errors."""
    user_observation: list[Message] | None = None
    """The results of the calls that an external user made of the user's own tools."""
    user_calls: list[UserCallInfo] | None = None
    """The calls that the simulated user made of the user's own tools before its answer."""
    user_usage: UserUsage | None = None
    """The cost of the user's message, if a language model wrote it."""
    judge_usage: UserUsage | None = None
    """On the last turn: the cost of the judge's verdicts, if a judge was asked."""
    awaiting_judge: bool | None = None
    """In trajectories: whether the last turn is committed and waits for a judge. Send the turn again, or close the
    episode."""
    scored: bool | None = None
    """On the last turn: whether the reward counts. If it does not, `reward` is null, and a trainer has to mask the
    episode."""
    reward_breakdown: dict[str, dict[str, Any]] | None = None
    """On the last turn: component -> `{value, ...}`."""
    user_understood: float | None = None
    """On the last turn, if conduct is computed: the share of the agent's messages that the user could understand."""
    would_be: float | None = None
    """On the last turn of an episode that a limit ended: the reward that the episode would have without the limit."""
    partial: bool | None = None
    """On the last turn: whether a component of the reward was left out because it could not be judged."""
    row_diff: list[dict[str, Any]] | None = None
    """On the last turn: the rows in which the final state differs from that of the reference solution, each as `{table,
    key, expected, actual}`."""
    drifted: bool | None = None
    """Whether the tools have changed since the episode began. The operator may allow such an episode to continue."""
    shaping: ShapingInfo | None = None
    """The shaped part of the turn's reward, if the reset asked for one."""


class StepReply(Wire):
    """The whole reply to a turn."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    turn: int
    observation: list[Message]
    """What the agent reads next: the results of its calls, or the user's message."""
    reward: float | None
    """The reward: 0.0 before the last turn, and null if the ended episode is not scored. With `reward_shaping`, the
    shaped reward of the turn is added; `info.shaping` tells them apart."""
    terminated: bool
    """Whether the conversation has ended the episode."""
    truncated: bool
    """Whether a limit has ended the episode."""
    done: bool
    """`terminated or truncated`."""
    stop_reason: Annotated[StopReason | None, OPEN]
    """Why the episode ended. Null while it goes on."""
    state_hash: str
    """A hash of all rows after the turn. Equal rows have equal hashes."""
    info: StepInfo
