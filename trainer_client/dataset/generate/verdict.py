"""The verdict on a candidate: a task that is kept, or the reason why it is left out."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Rejection(StrEnum):
    """Why a candidate is left out."""

    MODEL_FAILED = "model_failed"
    """The model gave no answer."""

    UNREADABLE = "unreadable"
    """The answer, or a task in it, does not have the form that was asked for."""

    OVER_LIMITS = "over_limits"
    """It takes more calls or servers than allowed."""

    UNKNOWN_TOOL = "unknown_tool"
    """A step names a server or tool that does not exist, or refers to no earlier step."""

    TWICE = "duplicate"
    """A task that was kept has the same instruction."""

    REFUSED = "refused"
    """The server refuses the task."""

    CALL_FAILS = "call_fails"
    """A call is answered with an error, or a reference has nothing to refer to."""

    ANSWER_NOT_SHOWN = "answer_not_shown"
    """The answer stands in no result."""

    ANSWER_IN_INSTRUCTION = "answer_in_instruction"
    """The answer stands in the instruction, so that nothing has to be looked up."""

    NO_EVIDENCE = "no_evidence"
    """No look-up shows what the answer relies on."""

    SCORES_0 = "scores_0"
    """The server does not accept the answer after the calls."""

    NEEDS_NOTHING = "needs_nothing"
    """The answer scores without any look-up."""


class Rejected(Exception):
    """A candidate is left out."""

    def __init__(self, reason: Rejection, detail: str) -> None:
        """Take the reason, and details, which are shortened to one line."""
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = " ".join(detail.split())[:300]


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one candidate."""

    reply: int
    """The number of the model's answer, 0 for the first."""

    place: int
    """The candidate's place in it."""

    task: dict[str, Any] | None = None
    """The task as a line of a task file; None if it is left out."""

    reason: Rejection | None = None
    detail: str = ""
