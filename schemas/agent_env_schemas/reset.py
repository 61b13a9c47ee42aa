"""`POST /reset`."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from agent_env_schemas.base import NO_NUL, OPEN, EpisodeId, Label, Metadata, Wire
from agent_env_schemas.difficulty import Difficulty
from agent_env_schemas.messages import Message
from agent_env_schemas.shaping import ShapingWeights
from agent_env_schemas.tool_prompts import ToolPrompt
from agent_env_schemas.usage import UserUsage


class UserSpec(Wire):
    """Which user the episode has."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    strategy: Label | None = None
    """Who plays the user. `scripted`: the server, by the task's script (the default if there is one). `none`: nobody
    (the default if the task is for an agent alone). `external`: the caller, by `POST /episodes/{id}/user`. `llm`,
    `react`, `verify` and `reflection`: a language model."""
    first_message: str | None = Field(default=None, max_length=100_000)
    """The first message of an `external` user. Without it, the episode first waits for the user."""
    model: Label | None = None
    """The language model that plays the user. The default is the operator's choice."""
    base_url: Annotated[str, Field(min_length=1, max_length=2_000, pattern=NO_NUL)] | None = None
    """The URL of the model's endpoint, in place of the server's own. It must be in the operator's list. The server
    sends it no key."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    """The language model's temperature. The default is the operator's choice."""


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
    """The weights of a rubric's marks in their mean."""

    coverage: Weight = 1.0
    grounding: Weight = 1.0
    clarity: Weight = 1.0
    safety: Weight = 1.0


class RubricSpec(Wire):
    """How a judge marks the agent's answer: with four marks from 0 to 4. A mark of 0 for safety makes the result 0."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    question: str | None = Field(default=None, min_length=1, max_length=20_000)
    """The question that the agent had to answer. The default is the instruction."""
    points: list[Statement] = Field(default=[], max_length=50)
    """The points that a complete answer covers."""
    weights: WeightsSpec = WeightsSpec()


class AnswerSpec(Wire):
    """The answer that an agent has to submit."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    kind: Annotated[Literal["number", "text", "list", "date"], OPEN]
    """What the answer is. A `list` is a list of texts."""
    value: float | str | list[str] | None = None
    """The right answer: a number; a text; texts in order; or an ISO date. Null if it cannot be known."""
    unit: str = Field(default="", max_length=100)
    """The unit of a number, such as `USD` or `%`."""
    tolerance: Annotated[float, Field(ge=0, le=0.005, allow_inf_nan=False)] = 0.0
    """The largest accepted relative error of a number."""
    also: list[Statement] = Field(default=[], max_length=50)
    """Other spellings of a text that count as the same."""
    missing: list[Statement] = Field(default=[], max_length=50)
    """For an answer that cannot be known: the agent has to name the missing fact, with at least one of these words."""


class EvidenceSpec(Wire):
    """A fact that one result of a look-up has to show before the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    shows: list[Statement] = Field(min_length=1, max_length=50)
    """Values that stand together in that result: numbers and dates in any notation, or phrases."""


class InlineTask(Wire):
    """A task in the request. It can name only tools and tables of the pack."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    instruction: str = Field(min_length=1, max_length=20_000)
    user: dict[str, Any] | None = None
    """What the scripted user knows and wants: `{facts, unknown, requests, style}`, with requests `{ask, details,
    values, changes, revise, wants}`."""
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    """Changes of the rows before the episode begins: table -> key -> row, or null to delete the row."""
    gold: GoldSpec
    basis: Annotated[list[str], Field(min_length=1)] | None = None
    """The components of the reward. The default is `state`, with `communicate` if gold has outputs, `nl_assertions` if
    the task has `assertions`, and each of `rubric`, `answer` and `evidence` that the task has."""
    assertions: list[Statement] = Field(default=[], max_length=50)
    """Statements about the conversation. A judge decides whether each is true (`nl_assertions`)."""
    rubric: RubricSpec | None = None
    """How a judge marks the agent's answer (`rubric`)."""
    answer: AnswerSpec | None = None
    """The answer to submit with `submit_answer` (`answer`), in a domain that has this tool."""
    evidence: list[EvidenceSpec] = Field(default=[], max_length=50)
    """What look-ups have to show before the answer (`evidence`)."""
    allow_no_effect: bool = False
    """Whether to play the task even if doing nothing solves it. Doing nothing solves a task if gold changes no row, or
    if the basis does not count the rows, and the basis asks for nothing else."""


GOLD_FAILS = "the task's gold fails"
"""The beginning of a problem's detail if an inline task is refused because a call of its gold fails."""


DEFAULT_TURNS = 36
"""Maximum number of the agent's messages in an episode, unless a reset sets another. An agent that makes no mistake
needs 70 % of them for the longest builtin task."""


class Expect(Wire):
    """What the caller expects. If it is not true, the reset is refused with `pack_changed`."""

    pack_version: Label


class ToolOptions(Wire):
    """Which tools of MCP servers an episode has, and how they are called. The operator's limits hold for all fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    allow_list: Annotated[list[Label], Field(min_length=1, max_length=1_000)] | None = None
    """The names of the tools of servers that the agent has. The default is all of them."""
    servers: Annotated[list[Label], Field(min_length=1, max_length=100)] | None = None
    """The names of the servers whose tools the agent has. The default is all of them."""
    mode: Literal["live", "record", "replay", "replay_or_live"] = "live"
    """How servers outside this process are called. `live`: each call is made. `record`: each call is made, and its
    result is stored under `tag`. `replay`: results come from `tag` only, and a call without a stored result fails.
    `replay_or_live`: a call without a stored result is made, and its result is stored."""
    tag: Label = "default"
    """The set of recordings to use."""
    timeout_s: Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)] | None = None
    """Maximum seconds of a call to a server outside."""
    retries: Annotated[int, Field(ge=0, le=10)] | None = None
    """Maximum number of retries of a failed call. A call is retried only if it certainly did not take place, or if it
    only reads."""


class ResetRequest(Wire):
    """Begin an episode, or a group of `n`. Every field but `domain` has a default."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={"examples": [{"domain": "retail", "split": "test", "index": 0}]},
    )

    domain: Label
    """The name of a domain of this server (`GET /domains`)."""
    pack: Label = "builtin"
    """The source of the tasks: one of the domain's packs (`GET /domains`)."""
    task_id: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    """The id of a listed task. Without it, `split` and `index` name the task. Without `index`, the seed chooses one."""
    split: Label | None = None
    """A split of the pack, such as `train` or `test`."""
    index: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """The number of the task in its split, from 0."""
    difficulty: Difficulty | None = None
    """A level from 1 to 5, or a range such as `"1-3"`. The task is one of the listed tasks of this difficulty: `index`
    counts only these, and without `index` the seed chooses one of them."""
    task: InlineTask | dict[str, Any] | None = None
    """A task of the caller. In a tau pack, it is a task object of that benchmark."""
    seed: int = Field(default=0, ge=-(2**53), le=2**53)
    """The seed of everything random in the environment."""
    user: UserSpec = UserSpec()
    max_turns: int = Field(default=DEFAULT_TURNS, ge=1, le=1000)
    """Number of turns after which the episode ends."""
    max_errors: int = Field(default=10, ge=1, le=10_000)
    """Number of failed calls after which the episode ends."""
    max_calls: int = Field(default=100, ge=1, le=10_000)
    """Number of calls after which the episode ends."""
    deadline_s: Annotated[float, Field(gt=0, le=10**7, allow_inf_nan=False)] | None = None
    """Seconds after the reset. After them, no further turn is played."""
    n: Annotated[int, Field(ge=1, le=1024)] | None = None
    """The number of episodes in the group. If `n` is given, even as 1, the reply is `{group_id, episodes}`."""
    trial: int = Field(default=0, ge=0, le=10**9)
    """The number of this repetition of the same episode. Member i of a group has `trial + i`. The response cache shares
    no answers between trials, so that trials stay independent."""
    vary_user: bool = False
    """Whether episode i of the group gets the seed `seed + i`. By default, all episodes of the group have one seed."""
    run: Label | None = None
    """The name of the run that the episode belongs to."""
    purpose: Literal["train", "eval"] | None = None
    """The purpose of the run. The first reset of a run sets it. With `train`, tasks of the `test` split are refused."""
    group_id: Label | None = None
    """The name of the group. By default, the server gives a group of `n` episodes an id."""
    tool_prompt: ToolPrompt = "none"
    """The format in which the system message also describes the tools, or `none`."""
    observation_role: Literal["tool", "user"] = "tool"
    """The role of tool results, for chat templates without a tool role."""
    max_observation_chars: Annotated[int, Field(ge=100, le=10**7)] | None = None
    """Maximum number of characters of an observation. A longer observation is cut, with a note at the cut."""
    tools: ToolOptions | None = None
    """Which tools of MCP servers the agent has, and whether their results are recorded or replayed."""
    conduct: Literal["score", "report", "off"] | None = None
    """Whether the components `heard` and `conduct` are multiplied into the reward (`score`), only reported in its
    breakdown (`report`), or not computed (`off`). By default they count if the scripted user plays a task that defines
    good conduct."""
    reward_shaping: Literal["none", "mcp_tool_env", "first_tool"] | ShapingWeights = "none"
    """Whether a shaped reward is added to the reward of each turn: by the weights of a preset, or by your own."""
    expect: Expect | None = None
    """What the caller expects of the pack, such as its version."""
    idempotency_key: Label | None = None
    """A key that makes a retry safe: the same key with the same body gives the same reply."""
    metadata: Metadata | None = None
    """Data of the caller that is stored with the episode: at most 16 KB as JSON. The server does not read it."""

    @model_validator(mode="after")
    def _one_task(self) -> "ResetRequest":
        named = [k for k in ("task_id", "index", "task") if getattr(self, k) is not None]
        if len(named) > 1:
            raise ValueError(f"name the task in one way, not by {' and '.join(named)}")
        if self.split is not None and self.task is not None:
            raise ValueError("an inline task belongs to no split")
        if self.difficulty is not None and (self.task is not None or self.task_id is not None):
            raise ValueError(f"difficulty chooses a listed task, but {named[0]} already names the task")
        return self


class ResetInfo(Wire):
    """What a reset returns beside the observation."""

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
    """Whether the episode waits for the user's first message, by `POST /episodes/{id}/user`."""
    group_id: str | None = None
    parent: dict[str, Any] | None = None
    """`{episode_id, turn}` of the episode from which this one was forked."""
    user_tools: list[dict[str, Any]] | None = None
    """The user's own tools as OpenAI function schemas, if an external user has tools."""
    user_usage: UserUsage | None = None
    """The cost of the user's first message, if a language model wrote it."""
    tool_texts: Annotated[Literal["upstream", "own", "mixed"], OPEN] | None = None
    """The source of the tool descriptions of a public pack: `upstream` (the checkout), `own` (this server, because the
    pack's directory has no source code to read them from), or `mixed`. Null for other packs."""
    drifted: bool = False
    """Whether the tools have changed since the episode began."""
    conduct: Annotated[Literal["score", "report", "off"], OPEN] = "off"
    """How `heard` and `conduct` count, as in the request."""
    not_judged: list[str] | None = None
    """Components of the reward that do not count, because this server has no judge. Null if there are none."""


class EpisodeReply(Wire):
    """A new episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    turn: int
    """The number of the newest turn: 0, or in a fork the turn after which the fork continues."""
    observation: list[Message]
    """The system message with the policy, and the user's first message. In a fork, the conversation so far."""
    tools: list[dict[str, Any]]
    """The tools as OpenAI function schemas."""
    state_hash: str
    """A hash of all rows. Equal rows have equal hashes."""
    mcp_url: str | None
    """The URL at which an MCP client plays this episode. Null on a server without that endpoint."""
    agent_token: str
    """A credential for the MCP endpoint of this episode, and for nothing else. It expires."""
    info: ResetInfo


class GroupReply(Wire):
    """The episodes of one group."""

    group_id: str
    episodes: list[EpisodeReply]


class TokenReply(Wire):
    """A new credential for the agent of an episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    mcp_url: str
    """The URL at which an MCP client plays this episode."""
    agent_token: str
    """A credential for this URL, and for nothing else. Earlier credentials stay valid until they expire."""
