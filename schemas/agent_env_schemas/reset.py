"""`POST /reset`."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from agent_env_schemas.base import NO_NUL, OPEN, EpisodeId, Label, Metadata, Wire
from agent_env_schemas.difficulty import Difficulty
from agent_env_schemas.messages import Message
from agent_env_schemas.usage import UserUsage


class UserSpec(Wire):
    """Who plays the user."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    strategy: Label | None = None
    """`scripted` (the default where the task has a script), `external` (you, by `POST /episodes/{id}/user`), `none`,
    or a language model: `llm`, `react`, `verify`, `reflection`."""
    first_message: str | None = Field(default=None, max_length=100_000)
    """Opens the conversation of an `external` user; without it the episode waits for the user first."""
    model: Label | None = None
    """The language model that plays the user; by default the operator's."""
    base_url: Annotated[str, Field(min_length=1, max_length=2_000, pattern=NO_NUL)] | None = None
    """Another endpoint than the server's own, from the operator's list; it gets no key."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    """The language model's temperature; by default the operator's."""


Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Statement = Annotated[str, Field(min_length=1, max_length=2_000)]


class GoldCallSpec(Wire):
    """One call of a reference solution."""

    name: Label
    arguments: dict[str, Any] = {}
    requestor: Annotated[Literal["agent", "user"], OPEN] = "agent"


class GoldSpec(Wire):
    """A reference solution: calls in order, and values that must be told to the user."""

    actions: list[GoldCallSpec] = Field(default=[], max_length=100)
    outputs: list[str] = Field(default=[], max_length=100)


class WeightsSpec(Wire):
    """What the marks of a rubric count for in their mean."""

    coverage: Weight = 1.0
    grounding: Weight = 1.0
    clarity: Weight = 1.0
    safety: Weight = 1.0


class RubricSpec(Wire):
    """What a judge marks the agent's answer by: four marks from 0 to 4; safety 0 makes the whole 0."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    question: str | None = Field(default=None, min_length=1, max_length=20_000)
    """What was to be answered; by default the instruction."""
    points: list[Statement] = Field(default=[], max_length=50)
    """What a complete answer covers."""
    weights: WeightsSpec = WeightsSpec()


class InlineTask(Wire):
    """A task given with the request. Names in it resolve only against the pack's declared tools and tables."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    instruction: str = Field(min_length=1, max_length=20_000)
    user: dict[str, Any] | None = None
    """The scripted user's agenda: `{facts, unknown, requests, style}`, with requests
    `{ask, details, values, changes, revise, wants}`."""
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    """Changes to the base before the episode begins: table -> key -> row, or null to delete."""
    gold: GoldSpec
    basis: Annotated[list[str], Field(min_length=1)] | None = None
    """Reward components; by default `state`, and whichever of `communicate` (outputs), `nl_assertions` (assertions) and
    `rubric` the task has something for."""
    assertions: list[Statement] = Field(default=[], max_length=50)
    """Statements about the conversation that a judge finds met or not (`nl_assertions`)."""
    rubric: RubricSpec | None = None
    """How a judge marks the agent's answer (`rubric`)."""
    allow_no_effect: bool = False
    """Whether the task is played although doing nothing solves it: gold changes no row and the basis asks for nothing
    else."""


GOLD_FAILS = "the task's gold fails"
"""How the detail of the problem begins with which an inline task is refused because a call of its gold fails."""


DEFAULT_TURNS = 36
"""Messages of the agent in an episode, unless a reset says otherwise. An agent that makes no mistake needs 70 % of them
for the longest task here."""


class Expect(Wire):
    """What the caller relies on; if it is not so, the reset is refused with `pack_changed`."""

    pack_version: Label


class ResetRequest(Wire):
    """Begin an episode, or a group of `n`. Every field but `domain` has a default."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={"examples": [{"domain": "retail", "split": "test", "index": 0}]},
    )

    domain: Label
    pack: Label = "builtin"
    task_id: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    """A listed task; without it, `split` and `index` say which; without `index`, the seed picks one."""
    split: Label | None = None
    index: Annotated[int, Field(ge=0, le=10**9)] | None = None
    difficulty: Difficulty | None = None
    """Chooses among the listed tasks of this difficulty alone: `index` counts these, or the seed picks one of them. A
    level from 1 to 5 or a range, such as `"1-3"`."""
    task: InlineTask | dict[str, Any] | None = None
    """A task of your own; under a tau pack, that benchmark's own task object."""
    seed: int = Field(default=0, ge=-(2**53), le=2**53)
    """Fixes everything random outside the policy."""
    user: UserSpec = UserSpec()
    max_turns: int = Field(default=DEFAULT_TURNS, ge=1, le=1000)
    max_errors: int = Field(default=10, ge=1, le=10_000)
    """Failed calls after which the episode ends."""
    max_calls: int = Field(default=100, ge=1, le=10_000)
    deadline_s: Annotated[float, Field(gt=0, le=10**7, allow_inf_nan=False)] | None = None
    """Seconds after which no further turn is played."""
    n: Annotated[int, Field(ge=1, le=1024)] | None = None
    """The size of the group; with it (even 1) the reply is `{group_id, episodes}`."""
    trial: int = Field(default=0, ge=0, le=10**9)
    """Which repetition of the same this is; member i of a group is `trial + i`. Kept answers of models are not shared
    between trials, so that they stay independent."""
    vary_user: bool = False
    """Whether episode i of the group gets `seed + i`."""
    run: Label | None = None
    """The label under which a trainer collects episodes."""
    purpose: Literal["train", "eval"] | None = None
    """What the run is for, said once for a run. With `train`, tasks of the `test` split are refused."""
    group_id: Label | None = None
    tool_prompt: Literal["none", "hermes", "json"] = "none"
    """Whether, and in which format, the system message also describes the tools."""
    observation_role: Literal["tool", "user"] = "tool"
    """The role of tool results, for chat templates without a tool role."""
    max_observation_chars: Annotated[int, Field(ge=100, le=10**7)] | None = None
    """Longer observations are cut, and say so."""
    conduct: Literal["score", "report", "off"] | None = None
    """Whether the components `heard` and `conduct` are multiplied into the reward, only reported in its breakdown, or
    not computed. By default they count where the scripted user plays a task that says what good conduct is."""
    expect: Expect | None = None
    idempotency_key: Label | None = None
    """Makes a retry safe: the same key and body give the same answer."""
    metadata: Metadata | None = None

    @model_validator(mode="after")
    def _one_task(self) -> "ResetRequest":
        named = [k for k in ("task_id", "index", "task") if getattr(self, k) is not None]
        if len(named) > 1:
            raise ValueError(f"name the task in one way only, not by {' and '.join(named)}")
        if self.split is not None and self.task is not None:
            raise ValueError("an inline task belongs to no split")
        if self.difficulty is not None and (self.task is not None or self.task_id is not None):
            raise ValueError(f"difficulty chooses among listed tasks, and {named[0]} says which task it is")
        return self


class ResetInfo(Wire):
    """What a reset says beside the observation."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    domain: str
    pack: str
    pack_version: str
    task_id: str
    split: str | None = None
    template: str | None = None
    seed: int
    user: str
    """The user's strategy."""
    max_turns: int
    awaiting_user: bool
    """Whether the user's first message must come first, by `POST /episodes/{id}/user`."""
    group_id: str | None = None
    parent: dict[str, Any] | None = None
    """`{episode_id, turn}` of the episode this one was forked from."""
    user_tools: list[dict[str, Any]] | None = None
    """The user's own tools as OpenAI function schemas, for whoever plays an external user that has some."""
    user_usage: UserUsage | None = None
    """What the user's first message cost, where a language model made it."""
    tool_texts: Annotated[Literal["upstream", "own", "mixed"], OPEN] | None = None
    """Whose words describe the tools of a public pack: the `upstream` checkout's or, where the directory has no sources
    to read them from, the server's `own`; `mixed` if some are these. Null for other packs."""
    drifted: bool = False
    conduct: Annotated[Literal["score", "report", "off"], OPEN] = "off"
    """Whether `heard` and `conduct` count."""
    not_judged: list[str] | None = None
    """Components of the task's basis that will not count, as this server has no judge; null if there are none."""


class EpisodeReply(Wire):
    """A new episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    turn: int
    """0; a fork has the number of the turn it was forked after."""
    observation: list[Message]
    """The system message (the policy) and the user's first message."""
    tools: list[dict[str, Any]]
    """The tools as OpenAI function schemas."""
    state_hash: str
    mcp_url: str | None
    """Where an MCP client plays this episode; null on a server without that endpoint."""
    agent_token: str
    """A credential that reaches this episode's MCP endpoint and nothing else, until it expires."""
    info: ResetInfo


class GroupReply(Wire):
    """The episodes of one group."""

    group_id: str
    episodes: list[EpisodeReply]


class TokenReply(Wire):
    """Another way in for an agent: what the reset of its episode gave, newly signed."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    mcp_url: str
    """Where an MCP client plays this episode."""
    agent_token: str
    """A credential that reaches this URL and nothing else; those given before it stay good until they expire."""
