"""What an audit can find."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """One kind of finding; the value is its name on the wire."""

    GOLD_CHANGES_NOTHING = "gold_changes_nothing"
    NOTHING_SOLVES_IT = "nothing_solves_it"
    GOLD_ERRORS = "gold_errors"
    USER_SAYS_OUTPUT = "user_says_output"
    EMPTY_COMPONENT = "empty_component"
    SPLITS_OVERLAP = "splits_overlap"
    UNPLAYABLE = "unplayable"
    ORACLE_FAILS = "oracle_fails"
    SOLVED_BLINDLY = "solved_blindly"


MEANING = {
    Kind.GOLD_CHANGES_NOTHING: "the reference solution leaves every row as it was",
    Kind.NOTHING_SOLVES_IT: "an agent that does nothing earns the whole reward",
    Kind.GOLD_ERRORS: "a call of the reference solution fails",
    Kind.USER_SAYS_OUTPUT: "the user says a value that the agent has to find out",
    Kind.EMPTY_COMPONENT: "the basis names a component with nothing to count",
    Kind.SPLITS_OVERLAP: "a task has something in common with one of another split",
    Kind.UNPLAYABLE: "the task cannot be made or played",
    Kind.ORACLE_FAILS: "the reference solution, played, does not earn the whole reward",
    Kind.SOLVED_BLINDLY: "a policy that does not know the task earns the whole reward",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one task."""

    kind: Kind
    split: str
    task_id: str
    detail: str
    fault: bool = True
    """Whether it is wrong; if not, it is worth knowing."""
