"""A pack's dialect: the rules and texts in which one source of tasks differs from another.

Tools, dispatch and rewards read these rules; no code tests the pack's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import USER_OUT_OF_SCOPE, USER_STOP, USER_TRANSFERRED


@dataclass(frozen=True)
class Dialect:
    """Rules and texts common to all domains; a domain extends it with the texts of its own tools."""

    tools: tuple[str, ...] | None = None
    """The agent's tools by name, in display order; None for all tools of the domain, including the shared ones."""

    user_tools: tuple[str, ...] | None = None
    """The user's own tools by name, in display order; None for all tools of the domain."""

    argument_types: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Tool -> argument -> the type in its schema in place of the signature's."""

    aliases: bool = True
    """Whether aliases of tools and arguments are accepted."""

    checks_types: bool = True
    """Whether arguments are checked against the signature's types (else only against its names)."""

    crash_is_observation: bool = False
    """Whether any exception of a tool is an observation, as in the public benchmarks; else it is a server error."""

    coerces: bool = True
    """Whether values are coerced to the declared types: before hashing, in public data, in a call's new records."""

    unset_as_null: bool = False
    """Whether rows of public data show every declared field, unset ones as null."""

    gold_has_consequences: bool = True
    """Whether the domain's `after_call` also runs after gold's calls."""

    vets_tasks: bool = True
    """Whether a task in a request is refused if a call of its gold fails, or if an agent that does
    nothing solves it.
    """

    transfer_ends: bool = True
    """Whether `transfer_to_human_agents` ends the episode; else it is an ordinary call."""

    transfer_needs_gold: bool = True
    """Whether an episode that ends by a transfer scores 0 if gold has no transfer."""

    called_arguments_match: bool = False
    """Whether an action is compared with gold on the argument names that the *caller* passed (else on gold's own)."""

    stops: tuple[str, ...] = ()
    """The tokens by which an external user ends the episode. They count anywhere in the user's words, as in recorded
    conversations. Without tokens, `###STOP###` on a line of its own ends it.
    """

    outputs_as_substrings: bool = False
    """Whether a required value counts as said if it is a substring of a message (else: as a whole value)."""

    error: str = "Error: {message}"
    """The format of a tool's error."""

    unknown_tool: str = "Error: there is no tool named {name!r}. The tools are: {known}."
    """The observation for a call of an unknown tool."""

    bad_expression: str = "the expression may hold only numbers, + - * / ( ) . and spaces"
    """The message of `calculate` for other characters."""

    bad_calculation: str = "cannot calculate {expression!r}: {error}"
    """The message of `calculate` for an expression without a value; `error` is Python's own text."""


TAU2_RULES: Mapping[str, Any] = {
    "aliases": False,
    "checks_types": False,
    "crash_is_observation": True,
    "unset_as_null": True,
    "gold_has_consequences": False,
    "vets_tasks": False,
    "transfer_ends": False,
    "called_arguments_match": True,
    "stops": (USER_STOP, USER_TRANSFERRED, USER_OUT_OF_SCOPE),
    "outputs_as_substrings": True,
    "unknown_tool": "Error: Tool '{name}' not found.",
    "bad_expression": "Invalid characters in expression",
    "bad_calculation": "{error}",
}
"""The common rules of all domains of tau2-bench."""

TAU1_RULES: Mapping[str, Any] = {
    "aliases": False,
    "checks_types": False,
    "crash_is_observation": True,
    "coerces": False,
    "vets_tasks": False,
    "stops": (USER_STOP,),
    "outputs_as_substrings": True,
    "transfer_needs_gold": False,
    "unknown_tool": "Unknown action {name}",
    "bad_expression": "invalid characters in expression",
    "bad_calculation": "{error}",
}
"""The common rules of both domains of tau-bench."""
