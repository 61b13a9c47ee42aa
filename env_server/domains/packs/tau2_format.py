"""The format of tau2-bench's task objects, as far as episodes need it."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from env_server.errors import PackError

MOST_FUNCTIONS = 200
"""The maximum number of set-up functions and of assertions. A task may come with a request, and its functions run while
other requests wait.
"""


class _Lenient(BaseModel):
    """Part of a public object. Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Action(_Lenient):
    """One gold call."""

    name: str
    arguments: dict[str, Any] = {}
    requestor: Literal["assistant", "agent", "user"] = "assistant"
    compare_args: tuple[str, ...] | None = None


class Function(_Lenient):
    """A call of a function of the environment, tool or not."""

    env_type: Literal["user", "assistant"] = "assistant"
    func_name: str
    arguments: dict[str, Any] = {}

    @property
    def side(self) -> Literal["agent", "user"]:
        """The side that the function belongs to."""
        return "user" if self.env_type == "user" else "agent"


class Assertion(Function):
    """The expected answer of a function of the environment at the end."""

    assert_value: bool = True


class Criteria(_Lenient):
    """The criteria of the reward. A component in the basis counts even if it has no entries here."""

    actions: tuple[Action, ...] = ()
    env_assertions: tuple[Assertion, ...] = ()
    communicate_info: tuple[str, ...] = ()
    nl_assertions: tuple[str, ...] = ()
    reward_basis: tuple[str, ...] = ("DB", "COMMUNICATE")

    @field_validator("actions", "env_assertions", "communicate_info", "nl_assertions", mode="before")
    @classmethod
    def _null_is_empty(cls, value: Any) -> Any:
        return value if value is not None else ()


class Instructions(_Lenient):
    """The user's instructions in parts."""

    reason_for_call: str
    known_info: str | None = None
    unknown_info: str | None = None
    task_instructions: str = ""


class Scenario(_Lenient):
    """The user's persona and instructions."""

    persona: str | None = None
    instructions: Instructions | str

    def prose(self) -> str:
        """Return the scenario as one text; the parts are upstream's, word for word."""
        told = self.instructions
        parts = {"Persona": self.persona}
        if isinstance(told, str):
            parts["Instructions"] = told
        else:
            parts["Reason for call"] = told.reason_for_call
            parts["Known info"] = told.known_info
            parts["Unknown info"] = told.unknown_info
            parts["Task instructions"] = told.task_instructions
        given = {label: text for label, text in parts.items() if text}
        return given["Instructions"] if list(given) == ["Instructions"] else _sections(given)


class InitialData(_Lenient):
    """Changes to the tables before the episode begins."""

    agent_data: dict[str, dict[str, dict[str, Any]]] | None = None
    user_data: dict[str, dict[str, Any]] | None = None


class InitialState(_Lenient):
    """The changes and the conversation before the episode begins."""

    initialization_data: InitialData | None = None
    initialization_actions: tuple[Function, ...] | None = None
    message_history: tuple[dict[str, Any], ...] | None = None


class Tau2Task(_Lenient):
    """A task object."""

    id: str
    user_scenario: Scenario
    ticket: str | None = None
    initial_state: InitialState | None = None
    evaluation_criteria: Criteria = Criteria(reward_basis=())

    @field_validator("evaluation_criteria", mode="before")
    @classmethod
    def _none_scores_1(cls, value: Any) -> Any:
        """Return an empty basis if there are no criteria: upstream gives 1 to such a task, an empty product."""
        return value if value is not None else {"reward_basis": ()}

    def refuse_unsupported(self) -> None:
        """Check that the task has no earlier conversation and at most `MOST_FUNCTIONS` functions to run.

        Raises:
            PackError: naming the unsupported part.
        """
        for name, functions in {
            "initialization_actions": self.set_up(),
            "env_assertions": self.evaluation_criteria.env_assertions,
        }.items():
            if len(functions) > MOST_FUNCTIONS:
                raise PackError(f"task {self.id!r} has {len(functions)} {name}; at most {MOST_FUNCTIONS} are run")
        if (self.initial_state or InitialState()).message_history:
            raise PackError(f"task {self.id!r} needs message_history, which this server does not offer")

    def set_up(self) -> tuple[Function, ...]:
        """Return the functions to run before the episode begins, in order."""
        return (self.initial_state or InitialState()).initialization_actions or ()

    def initial_data(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Return the initial changes, table -> key -> the fields to change; the user's own rows are table `user`."""
        data = (self.initial_state or InitialState()).initialization_data or InitialData()
        return {**(data.agent_data or {}), **({"user": data.user_data} if data.user_data else {})}


def _sections(parts: Mapping[str, str]) -> str:
    return "\n\n".join(f"{label}:\n{text}" for label, text in parts.items())
