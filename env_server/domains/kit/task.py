"""A task: the user's wish, the behaviour of the simulated user, and the gold that scores the episode."""

import hashlib
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from math import isfinite
from typing import Any, Literal

from pydantic import Field, model_validator

from env_server.domains.kit.frozen import Frozen
from env_server.domains.kit.sample import TaskSample
from env_server.state import Change


class NoSuchTask(LookupError):
    """There is no task at the requested position, or with the requested id; the message says which exist."""


class Component(StrEnum):
    """The components of the reward that the domains and packs here name in a basis.

    A basis may name any component of `env_server/rewards/components`, also one that is not listed here.
    """

    STATE = "state"
    COMMUNICATE = "communicate"
    ACTIONS = "actions"
    ENV_ASSERTIONS = "env_assertions"
    NL_ASSERTIONS = "nl_assertions"
    RUBRIC = "rubric"
    ANSWER = "answer"
    EVIDENCE = "evidence"
    SUCCESS = "success"


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
    """A fact that must hold of the final state, checked by a function of the domain."""

    name: str
    arguments: dict[str, Any] = {}
    requestor: Literal["agent", "user"] = "agent"
    """The side that the function belongs to."""

    expected: bool = True


class Weights(Frozen):
    """The weights of a rubric's marks in their mean."""

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
    """The points and weights by which a judge marks an answer (`rubric`)."""

    question: str | None = Field(default=None, min_length=1)
    """The question to answer; by default the task's instruction."""

    points: tuple[str, ...] = ()
    """The points of a complete answer."""

    weights: Weights = Weights()


class OwnCheck(Frozen):
    """The call by which a user with own tools checks that a request is settled."""

    name: str
    """The own tool to call."""

    arguments: dict[str, Any] = {}
    says: str = Field(min_length=1)
    """Text that its output contains once the request is settled. It is not empty, since every output contains the empty
    text.
    """


Form = str | tuple[str, ...]
"""One notation of a value: a text, or several texts that all have to stand in the message."""


class Value(Frozen):
    """A value that the user knows, with the forms by which they recognise it in an agent's words."""

    says: tuple[Form, ...] = Field(min_length=1)
    """The forms of which any one names it; numbers, dates, times and codes are recognised in any notation."""

    others: tuple[str, ...] = ()
    """Values of the same kind that the user knows to be wrong: other items of the order, other cards of theirs."""


class Shape(Frozen):
    """A call that makes a change, with the arguments that the user would know."""

    name: str
    arguments: dict[str, Any] = {}


class WantedChange(Frozen):
    """One change that the user wants, with the forms by which they recognise a proposal of it. Policy rules do not
    matter here.
    """

    plan: str
    """The change in words that follow "I will", naming all of `names`: `cancel order #W1 because it was a mistake`."""

    done: str
    """The change as a clause after it was made: `order #W1 has been cancelled`."""

    verbs: tuple[str, ...] = Field(min_length=1)
    """Beginnings of words of which any one names the action (`cancel`, `call off`)."""

    names: tuple[str, ...] = ()
    """The topics of the request's `values` that a proposal has to name; the agent chooses the other values."""

    calls: tuple[Shape, ...] = ()
    """The calls that one yes covers, each once."""


class Want(Frozen):
    """A value that the user waits for. They know only its kind."""

    kind: Literal["number", "date", "time", "text"] = "number"
    of: tuple[Form, ...] = Field(min_length=1)
    """Names of the thing that the value belongs to. One of them has to stand in the sentence that tells it."""


class Request(Frozen):
    """One wish of the scripted user. It holds the wish and the user's knowledge, and nothing of gold."""

    later = frozenset({"until", "again", "values", "changes", "revised", "instead"})

    ask: str
    """The user's first wording, without the details that an agent has to ask for."""

    again: tuple[str, ...] = ()
    """Other wordings of `ask`, for repetitions."""

    details: dict[str, str] = {}
    """The user's answer to a question about a topic (`order`, `items`, `reason`, `payment`, ...)."""

    values: dict[str, Value] = {}
    """The values of the details, by topic; a proposal is compared with them."""

    changes: tuple[WantedChange, ...] = ()
    """The changes that the user agrees to, each by a yes of its own; empty for a question."""

    revise: str | None = None
    """The user's words in place of the first yes, if they change their mind."""

    revised: dict[str, Value] = {}
    """The values that differ from then on."""

    wants: tuple[Want, ...] = ()
    """The values that the user waits for before the request is settled."""

    instead: bool = False
    """Whether the user wants this only if the request before was refused."""

    until: OwnCheck | None = None
    """The output that the user's own tools must show before the request is settled."""

    def known(self, *, revised: bool) -> dict[str, Value]:
        """Return the values by topic, before or after the user has changed their mind."""
        return {**self.values, **self.revised} if revised else self.values


STYLES = ("plain", "chatty", "terse", "upset", "unsure", "foreign")
"""The styles of users."""


class UserScript(Frozen):
    """The scripted user's agenda: who they are, what they know, what they want, in order."""

    later = frozenset({"at_once", "aside"})

    facts: dict[str, str] = {}
    """The user's facts about themselves by topic (`name`, `zip`, `email`, ...), in their own words."""

    unknown: tuple[str, ...] = ()
    """Topics the user says they do not remember."""

    requests: tuple[Request, ...] = Field(min_length=1)
    style: Literal["plain", "chatty", "terse", "upset", "unsure", "foreign"] = "plain"
    at_once: bool = False
    """Whether the user says all wishes in the first message, except those that depend on a refusal."""

    aside: str | None = None
    """An unrelated question that the user asks once, in between."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the script. It decides the user's wordings, so that twins use the same ones."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class Due(Frozen):
    """A fact that the agent has to tell the user; `heard` is scored by it. The user does not know it."""

    wish: int
    """The index of the script's request that it belongs to."""

    kind: Literal["refuse", "transfer", "tell"]
    says: str = ""
    """One natural wording: the fact as a clause (`the order was delivered on May 3`), or the sentence that tells the
    value.
    """

    about: tuple[Form, ...] = ()
    """Names of the wish, or of the thing that a told value belongs to; any one is enough. Empty: the
    verbs of the wish.
    """

    because: Value | None = None
    """The deciding fact, and wrong facts of the same kind."""

    value: str | None = None
    """The value to tell."""

    after: tuple[int, ...] = ()
    """The indices of gold's look-ups that show it."""


_KINDS = {"number": "a finite number", "text": "a text", "list": "a list of texts", "date": "a date like 2026-03-02"}


def _is_of(kind: str, value: float | str | tuple[str, ...]) -> bool:
    """Return whether a right answer is of its kind. A number may be written as a text."""
    if kind == "list" or isinstance(value, tuple):
        return kind == "list" and isinstance(value, tuple)
    try:
        if kind == "number":
            return isfinite(float(value))
        if kind == "date":
            date.fromisoformat(str(value))
    except ValueError:
        return False
    return isinstance(value, str)


class Answer(Frozen):
    """The answer that an agent has to submit, and how a submitted one is compared with it (`answer`)."""

    kind: Literal["number", "text", "list", "date"]
    value: float | str | tuple[str, ...] | None = None
    """The right answer: a number; a text; texts in order; or an ISO date. None if it cannot be known."""

    unit: str = ""
    """The unit of a number, such as `USD` or `%`."""

    tolerance: float = Field(default=0.0, ge=0, le=0.005, allow_inf_nan=False)
    """The largest relative error of a number."""

    also: tuple[str, ...] = ()
    """Other spellings of a text that count as the same."""

    missing: tuple[str, ...] = ()
    """If the answer cannot be known: words of which one has to stand in the fact that the agent names as missing."""

    @model_validator(mode="after")
    def _fits(self) -> "Answer":
        """Refuse a value that is none of its kind, with which no answer could be compared."""
        if self.value is not None and not _is_of(self.kind, self.value):
            raise ValueError(f"`value` is {self.value!r}, and `kind` says that it is {_KINDS[self.kind]}")
        return self


class ShownFact(Frozen):
    """A fact that the answer needs. One result of a look-up has to show it before the answer (`evidence`)."""

    shows: tuple[str, ...] = Field(min_length=1)
    """Values that stand together in that result: numbers and dates in any notation, or phrases."""


class Task(Frozen):
    """One task of a pack. Its digest is its identity: stored episodes keep the task they began with."""

    later = frozenset(
        {
            "env_assertions",
            "ticket",
            "rubric",
            "dues",
            "answer",
            "evidence",
            "now",
            "max_turns",
            "tools",
            "servers",
            "alone",
            "sample",
        }
    )

    task_id: str = Field(pattern=r"^[A-Za-z0-9_.:\-\[\]|]+$", max_length=400)
    domain: str
    pack: str = "builtin"
    split: str | None = None
    template: str | None = None
    difficulty: int = 1
    """From 1 (one look-up and one write) to 5; see `measured`."""

    instruction: str
    """The user's wish in prose, for people and language models who play the user."""

    user: UserScript | None = None
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    """Changes to the base before the episode begins: table -> key -> row, or null to delete."""

    gold: Gold = Gold()
    basis: tuple[str, ...] = (Component.STATE.value,)
    """The components that are multiplied into the reward, by name."""

    dues: tuple[Due, ...] = ()
    """The facts that the agent has to tell the user (`heard`)."""

    assertions: tuple[str, ...] = ()
    """Statements for a judge (`nl_assertions`)."""

    env_assertions: tuple[EnvAssertion, ...] = ()
    """Assertions on the final state (`env_assertions`)."""

    rubric: Rubric | None = None
    """The judge's criteria for the agent's answer (`rubric`); None uses the defaults."""

    ticket: str | None = None
    """The text for an agent without a user, in place of `instruction`."""

    answer: Answer | None = None
    """The answer to submit; None for a task without one."""

    evidence: tuple[ShownFact, ...] = ()
    """The facts that look-ups have to show before the answer."""

    now: str | None = None
    """The time at which the task takes place, in ISO format with a zone; None in domains without one. Rows of a later
    time do not exist for tools from servers.
    """

    max_turns: int | None = None
    """The limit of turns of a reset that names none; None for the server's own."""

    tools: tuple[str, ...] = ()
    """Names of the tools of servers that the agent may use; empty for all that the domain offers."""

    servers: tuple[str, ...] = ()
    """Names of the servers whose tools the agent may use; empty for all."""

    alone: bool = False
    """Whether no user takes part, unless the reset names one."""

    sample: TaskSample | None = None
    """The further fields of a row of a training set: its plan, its limits, and the requirements on its answer."""

    slots: dict[str, Any] = {}
    """The values that fill the template; (template, slots) identifies a generated task."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the task."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @cached_property
    def moment(self) -> datetime | None:
        """The time of the task."""
        return None if self.now is None else datetime.fromisoformat(self.now)

    @cached_property
    def size(self) -> int:
        """The size of the task as JSON, in characters."""
        return len(self.model_dump_json())

    @property
    def measured(self) -> int | None:
        """The difficulty, if the task's author has set it. Public tasks have none."""
        return self.difficulty if "difficulty" in self.model_fields_set else None

    @cached_property
    def shows_conduct(self) -> bool:
        """Whether the task defines good conduct: changes that the user agrees to, with their calls, or
        dues to be told.
        """
        requests = self.user.requests if self.user is not None else ()
        return bool(self.dues) or any(change.calls for request in requests for change in request.changes)

    def spoken(self) -> tuple[str, ...]:
        """Return the texts that the user may say, each once: every text of the script, and the lines of the
        instruction.
        """
        texts = list(self.instruction.splitlines())
        if self.user is not None:
            texts += self.user.facts.values()
            for request in self.user.requests:
                texts += [request.ask, *request.again, *request.details.values(), request.revise or ""]
        return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))

    def changes(self) -> list[Change]:
        """Return `initial` as changes to apply in order."""
        return [Change(table, key, row) for table, rows in self.initial.items() for key, row in rows.items()]
