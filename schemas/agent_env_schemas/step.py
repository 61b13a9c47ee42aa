"""`POST /step` and `POST /episodes/{id}/user`."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from agent_env_schemas.base import OPEN, EpisodeId, Metadata, Wire
from agent_env_schemas.messages import Action, Message, ToolCalls
from agent_env_schemas.reasons import StopReason
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
    """The caller's count, 1 for the first. It makes a retry safe; without it the call means the next turn."""
    action: str | Action
    """The model's raw text, or its message."""
    metadata: Metadata | None = None


class UserRequest(Wire):
    """Supply the user's part of the awaited turn."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={"examples": [{"content": "Hi, I would like to cancel an order."}]},
    )

    turn: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """The turn that waits for the user; 0 before the first message."""
    content: str | None = None
    """What the user says. The bare line `###STOP###` ends the episode; under the tau packs it may stand anywhere, as in
    recorded conversations."""
    tool_calls: ToolCalls | None = None
    """Calls of the user's own tools; without `content` the episode goes on waiting."""
    seq: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """Which piece of the user's part of the turn this is, 0 for the first. Without it, a body that equals the newest
    piece's is taken for a retry of it."""

    def plain(self) -> dict[str, Any]:
        """What the user does, as plain data, without the turn."""
        return Action(content=self.content, tool_calls=self.tool_calls).plain()


class CallInfo(Wire):
    """How one call went."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    error: str | None = None
    """`unknown_tool`, `bad_arguments`, `tool_error` or `not_executed`; null if it went well."""


class UserCallInfo(CallInfo):
    """One call that the simulated user made with tools of their own."""

    arguments: dict[str, Any] = {}


class StepInfo(Wire):
    """What a step says beside the observation."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: str | None = None
    """The format in which the action was found."""
    parse_failure: str | None = None
    """Why no call could be read from it."""
    calls: list[CallInfo] = []
    awaiting_user: bool = False
    user_observation: list[Message] | None = None
    """Results of the user's own calls."""
    user_calls: list[UserCallInfo] | None = None
    """What the simulated user did with tools of their own before they answered."""
    user_usage: UserUsage | None = None
    """What the user's message cost, where a language model made it."""
    judge_usage: UserUsage | None = None
    """On the last turn: what the judge's verdicts cost, where one was asked."""
    awaiting_judge: bool | None = None
    """In trajectories: the last turn is committed and waits for a judge; send it again, or close the episode."""
    scored: bool | None = None
    """On the last turn: whether the reward counts; if not, `reward` is null and clients mask the episode."""
    reward_breakdown: dict[str, dict[str, Any]] | None = None
    """On the last turn: component -> `{value, ...}`."""
    user_understood: float | None = None
    """On the last turn, where conduct is looked at: the share of the agent's messages that the user could read."""
    would_be: float | None = None
    """On the last turn of an episode that a limit ended: the reward it would have had."""
    partial: bool | None = None
    """On the last turn: whether a component of the basis could not be judged and was left out."""
    row_diff: list[dict[str, Any]] | None = None
    """On the last turn: rows in which the final state differs from gold's, `{table, key, expected, actual}`."""
    drifted: bool | None = None
    """Whether the tools changed under this episode and the operator let it go on."""


class StepReply(Wire):
    """The environment's whole reply to a turn."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    turn: int
    observation: list[Message]
    reward: float | None
    """0.0 before the last turn; null where an ended episode is not scored."""
    terminated: bool
    truncated: bool
    done: bool
    """`terminated or truncated`."""
    stop_reason: Annotated[StopReason | None, OPEN]
    state_hash: str
    info: StepInfo
