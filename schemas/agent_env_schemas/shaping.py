"""Shaped rewards: how they are weighed, and what a reply says of them."""

from typing import Annotated

from pydantic import ConfigDict, Field

from agent_env_schemas.base import Wire

ShapingWeight = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]


class ShapingWeights(Wire):
    """What each event of an episode adds to the reward. A weight that is left out is 0.

    `extract`, `accept`, `right_tool` and the terms of the last turn need a task with a plan, such as a row of a
    training set. In other tasks they are 0, except for `judge`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    extract: ShapingWeight = 0.0
    """For each value that the plan wants and a result gives, once."""
    accept: ShapingWeight = 0.0
    """For each step of the plan whose conditions hold, once."""
    right_tool: ShapingWeight = 0.0
    """For the first successful call of the tool that has to be called."""
    valid: ShapingWeight = 0.0
    """For each call of a tool that there is."""
    invalid: ShapingWeight = 0.0
    """For each call of a tool that there is not, or that the task does not allow."""
    error: ShapingWeight = 0.0
    """For each call that its tool refuses, because of its arguments or of the state."""
    repeat: ShapingWeight = 0.0
    """For each call that was made before with equal arguments."""
    parse_failure: ShapingWeight = 0.0
    """For each message that cannot be read."""
    forced_action: ShapingWeight = 0.0
    """For each message that the trainer has put in the place of the model's (`forced_action` of `/step`)."""
    heuristic: ShapingWeight = 0.0
    """Of the last turn: times the weighted sum of the three marks below, each from 0 to 1."""
    coverage: ShapingWeight = 0.5
    """In `heuristic`: the share of what the answer has to include that it includes."""
    grounding: ShapingWeight = 0.4
    """In `heuristic`: the share of the values it has to rest on that it states."""
    length: ShapingWeight = 0.1
    """In `heuristic`: 1 if the number of words is in the task's range."""
    judge: ShapingWeight = 0.0
    """Of the last turn: times the product of what a judge gave, from 0 to 1."""
    success: ShapingWeight = 0.0
    """Of the last turn, if the tool that has to be called was called without an error."""
    no_success: ShapingWeight = 0.0
    """Of the last turn, if it was not."""


class ShapingInfo(Wire):
    """The shaped part of a turn's reward."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    terms: dict[str, float] = {}
    """What each weight has added in this turn; terms of 0 are left out."""
    total: float
    """Their sum, which is in the turn's `reward`."""
    reward: float | None
    """The reward of the turn without it. Null where an ended episode is not scored, or not yet."""
    partial: bool = False
    """Whether the judge's part is missing, because the server has no judge or did not ask it."""
