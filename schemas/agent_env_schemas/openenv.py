"""OpenEnv's protocol (0.10): the messages over `WS /ws` in both directions, and the replies to requests before it."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from agent_env_schemas.base import Metadata, Wire
from agent_env_schemas.episodes import EpisodeSummary
from agent_env_schemas.messages import RESPOND, Message
from agent_env_schemas.step import StepRequest


def _required(schema: dict[str, Any]) -> None:
    """Name `action` as the required field: clients put a model's plain text there."""
    schema["required"] = ["action"]


class OpenEnvAction(Wire):
    """An action: `{action}` with the model's text or message, or OpenEnv's own `call_tool` and `list_tools`.

    A model's JSON needs no wrapper: `{content?, tool_calls?}`, or `{name, arguments}` for one call, is an action too.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, json_schema_extra=_required)

    action: str | dict[str, Any] | None = None
    """The raw text of the model, or its message `{content?, tool_calls?}`. Any other JSON value is taken as text."""
    type: Literal["call_tool", "list_tools"] | None = None
    """`call_tool` calls one tool. `list_tools` lists the tools and is not a turn."""
    tool_name: str | None = None
    arguments: dict[str, Any] = {}
    turn: Annotated[int, Field(ge=1, le=10**9)] | None = None
    """The number of the turn. The default is the next turn. With a number, a retry of the step is not played again."""
    metadata: Metadata | None = None
    """Data of the caller that is stored with the turn."""

    @model_validator(mode="before")
    @classmethod
    def _plain_reply(cls, given: Any) -> Any:
        """Read what clients make of a model's JSON: the message itself, or any value as the action."""
        if not isinstance(given, dict):
            return given
        ours = {name: value for name, value in given.items() if name in ("turn", "metadata")}
        if "action" in given and not isinstance(given["action"], str | dict | None):
            try:
                return {**given, "action": json.dumps(given["action"])}
            except RecursionError:
                return given  # the field refuses it
        if given.keys() & {"content", "tool_calls"} and not given.keys() & {"action", "type"}:
            return {**ours, "action": {name: value for name, value in given.items() if name not in ours}}
        if "name" in given and not given.keys() - {"name", "arguments", "id", "turn", "metadata"}:
            call = {name: value for name, value in given.items() if name not in ours}
            return {**ours, "action": {"tool_calls": [call]}}
        return given

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        if (self.action is None) == (self.type is None):
            raise ValueError("give either `action` or `type`, and not both")
        if (self.type == "call_tool") != (self.tool_name is not None):
            raise ValueError("`tool_name` belongs to the type `call_tool`")
        return self

    def request(self, episode_id: str, turn: int) -> StepRequest:
        """The step that plays this action; `turn` is its number unless the action has its own."""
        action: Any = self.action
        if self.tool_name == RESPOND and self.arguments.keys() == {"message"}:
            action = {"content": str(self.arguments["message"])}
        elif self.tool_name is not None:
            action = {"tool_calls": [{"name": self.tool_name, "arguments": self.arguments}]}
        fields = {"episode_id": episode_id, "turn": self.turn or turn, "action": action}
        return StepRequest.model_validate({**fields, "metadata": self.metadata or None})


class OpenEnvToolError(Wire):
    """Why a call was not executed, in the terms of OpenEnv."""

    error_type: Literal["tool_not_found", "invalid_args", "execution_error"]
    message: str


class OpenEnvObservation(Wire):
    """What an agent sees. `reward`, `done` and `metadata` are beside it in the frame."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    episode_id: str
    turn: int
    """The number of the newest turn. It is 0 after a reset."""
    messages: list[Message]
    """Chat messages, as in `/step`."""
    awaiting_user: bool = False
    """Whether the episode waits for the user's part, by `POST /episodes/{id}/user`."""
    tools: list[dict[str, Any]] | None = None
    """After a reset: OpenAI function schemas. After `list_tools`: `{name, description, input_schema}`."""
    tool_name: str | None = None
    result: str | None = None
    """After `call_tool`: the result of the tool."""
    error: OpenEnvToolError | None = None
    """After `call_tool`: why the tool was not executed."""


class OpenEnvState(EpisodeSummary):
    """The present state of the episode."""

    step_count: int
    """The same as `turn`."""


class OpenEnvHealth(Wire):
    """The server can play episodes."""

    status: Literal["healthy"]


class OpenEnvSchema(Wire):
    """The JSON schemas of the messages over the WebSocket."""

    action: dict[str, Any]
    observation: dict[str, Any]
    state: dict[str, Any]


class OpenEnvMetadata(Wire):
    """The name and description of the environment."""

    name: str
    description: str
    version: str
