"""Shaped rewards: their weights, and what a reply reports of them."""

from typing import Annotated

from pydantic import ConfigDict, Field

from agent_env_schemas.base import Wire

ShapingWeight = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]


class ShapingWeights(Wire):
    """What each event of an episode adds to the reward. An event whose weight is left out adds nothing.

    `extract`, `accept`, `right_tool` and the terms of the last turn need a task with a plan, such as a row of a
    training set. In other tasks they are 0, except for `judge`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    extract: ShapingWeight = 0.0
    """Added once for each value that the plan needs, when a result gives it."""
    accept: ShapingWeight = 0.0
    """Added once for each step of the plan, when its conditions hold."""
    right_tool: ShapingWeight = 0.0
    """Added for the first successful call of the tool that has to be called."""
    valid: ShapingWeight = 0.0
    """Added for each call of an existing tool."""
    invalid: ShapingWeight = 0.0
    """Added for each call of a tool that does not exist, or that the task does not allow."""
    error: ShapingWeight = 0.0
    """Added for each call that its tool refuses, because of the arguments or of the state."""
    repeat: ShapingWeight = 0.0
    """Added for each call that repeats an earlier call with equal arguments."""
    parse_failure: ShapingWeight = 0.0
    """Added for each message that cannot be read."""
    forced_action: ShapingWeight = 0.0
    """Added for each message by which the trainer has replaced the model's (`forced_action` of `/step`)."""
    heuristic: ShapingWeight = 0.0
    """Added on the last turn, multiplied by the weighted sum of three marks of the answer. Each mark is from 0 to 1.
    The next three weights are those of the marks."""
    coverage: ShapingWeight = 0.5
    """The weight, within `heuristic`, of this mark: which share of the required contents the answer includes."""
    grounding: ShapingWeight = 0.4
    """The weight, within `heuristic`, of this mark: which share of the values that support the answer it states."""
    length: ShapingWeight = 0.1
    """The weight, within `heuristic`, of this mark: 1 if the answer's number of words is in the task's range, else
    0."""
    judge: ShapingWeight = 0.0
    """Added on the last turn, multiplied by the product of the judge's scores, which are from 0 to 1."""
    success: ShapingWeight = 0.0
    """Added on the last turn if the tool that has to be called was called without an error, or if the task names no
    such tool."""
    no_success: ShapingWeight = 0.0
    """Added on the last turn if that tool was not called without an error."""


class ShapingInfo(Wire):
    """The shaped part of a turn's reward."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    terms: dict[str, float] = {}
    """What each weight has added in this turn, by its name. Terms of 0 are left out."""
    total: float
    """The sum of `terms`. The turn's `reward` includes it."""
    reward: float | None
    """The turn's reward without `total`. Null if the ended episode is not scored, or not scored yet."""
    partial: bool = False
    """Whether the judge's part is missing, because the server has no judge or did not ask it."""
