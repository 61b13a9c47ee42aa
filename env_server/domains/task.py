"""A task: what the user wants, how the simulated user behaves, and the gold that scores the episode."""

import hashlib
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from env_server.state import Change


class NoSuchTask(LookupError):
    """There is no task at the place, or with the id, that was asked for; the message says what there is."""


class Component(StrEnum):
    """The parts a reward may be the product of; see `env_server/rewards`."""

    STATE = "state"
    COMMUNICATE = "communicate"
    ACTIONS = "actions"
    ENV_ASSERTIONS = "env_assertions"
    NL_ASSERTIONS = "nl_assertions"
    RUBRIC = "rubric"


class Frozen(BaseModel):
    """Plain data that never changes and refuses unknown fields.

    Fields that came to a model later are left out where they hold nothing, so that what was digested before keeps
    its digest.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    later: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_empty_later(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        dumped: dict[str, Any] = dump(self)
        return {k: v for k, v in dumped.items() if v or k not in self.later} if self.later else dumped


class GoldCall(Frozen):
    """One call of the reference solution."""

    name: str
    arguments: dict[str, Any] = {}
    requestor: Literal["agent", "user"] = "agent"
    compare: tuple[str, ...] | None = None
    """The argument names that `actions` compares; None leaves it to the pack's dialect."""


class Gold(Frozen):
    """The reference solution: calls in order, and the values that must be told to the user."""

    actions: tuple[GoldCall, ...] = ()
    outputs: tuple[str, ...] = ()


class EnvAssertion(Frozen):
    """Something that must hold of the final state, by the domain's own function."""

    name: str
    arguments: dict[str, Any] = {}
    requestor: Literal["agent", "user"] = "agent"
    """Whose side the function belongs to."""

    expected: bool = True


class Weights(Frozen):
    """What the marks of a rubric count for in their mean."""

    coverage: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    grounding: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    clarity: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    safety: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)

    @model_validator(mode="after")
    def _weigh_something(self) -> "Weights":
        if not any(self.model_dump().values()):
            raise ValueError("at least one weight must be more than 0")
        return self


class Rubric(Frozen):
    """What a judge marks an answer by (`rubric`)."""

    question: str | None = Field(default=None, min_length=1)
    """What was to be answered; by default the task's instruction."""

    points: tuple[str, ...] = ()
    """What a complete answer covers."""

    weights: Weights = Weights()


class OwnCheck(Frozen):
    """How a user with tools of their own sees that a request is settled."""

    name: str
    """The own tool to call."""

    arguments: dict[str, Any] = {}
    says: str = Field(min_length=1)
    """What its answer contains once all is well; every answer contains nothing."""


class Request(Frozen):
    """One thing the scripted user wants."""

    later = frozenset({"until"})

    ask: str
    """How the user first says it, without what an agent has to ask for."""

    details: dict[str, str] = {}
    """What the user answers when asked about a topic (`order`, `items`, `reason`, `payment`, ...)."""

    revise: str | None = None
    """Said instead of the first yes: the user has changed their mind."""

    wants: tuple[str, ...] = ()
    """Values the user waits to be told before it takes an informational request as settled."""

    until: OwnCheck | None = None
    """What their own tools must show before it takes the request as settled."""


class UserScript(Frozen):
    """The scripted user's agenda: who they are, what they know, what they want, in order."""

    facts: dict[str, str] = {}
    """What the user knows about themselves by topic (`name`, `zip`, `email`, ...), as they would say it."""

    unknown: tuple[str, ...] = ()
    """Topics the user says they do not remember."""

    requests: tuple[Request, ...] = Field(min_length=1)
    style: Literal["plain", "chatty", "terse"] = "plain"


class Task(Frozen):
    """One task of a pack. Its digest is its identity: stored episodes keep the task they began with."""

    later = frozenset({"env_assertions", "ticket", "rubric"})

    task_id: str = Field(pattern=r"^[A-Za-z0-9_.:\-\[\]|]+$", max_length=400)
    domain: str
    pack: str = "builtin"
    split: str | None = None
    template: str | None = None
    difficulty: int = 1
    """1 (one look-up and one write) to 5."""

    instruction: str
    """What the user wants, in prose, for people and language models who play the user."""

    user: UserScript | None = None
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    """Changes to the base before the episode begins: table -> key -> row, or null to delete."""

    gold: Gold = Gold()
    basis: tuple[Component, ...] = (Component.STATE,)
    assertions: tuple[str, ...] = ()
    """Statements for a judge (`nl_assertions`)."""

    env_assertions: tuple[EnvAssertion, ...] = ()
    """What must hold of the final state (`env_assertions`)."""

    rubric: Rubric | None = None
    """How a judge marks the agent's answer (`rubric`); None leaves everything at its default."""

    ticket: str | None = None
    """What an agent without a user reads instead of `instruction`."""

    slots: dict[str, Any] = {}
    """What the template was filled with; (template, slots) identifies a generated task."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything above."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @cached_property
    def size(self) -> int:
        """Characters of it as JSON."""
        return len(self.model_dump_json())

    def spoken(self) -> tuple[str, ...]:
        """What the user may say, each text once: every text of the script, and the lines of the instruction."""
        texts = list(self.instruction.splitlines())
        if self.user is not None:
            texts += self.user.facts.values()
            for request in self.user.requests:
                texts += [request.ask, *request.details.values(), request.revise or ""]
        return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))

    def changes(self) -> list[Change]:
        """`initial` as changes to apply in order."""
        return [Change(table, key, row) for table, rows in self.initial.items() for key, row in rows.items()]
