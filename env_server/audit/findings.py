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
    WORLD_VARIES = "world_varies"
    WORLD_UNSOUND = "world_unsound"
    RULE_UNTESTED = "rule_untested"
    POLICY_TOO_WEAK = "policy_too_weak"


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
    Kind.WORLD_VARIES: "the world, made again, is another one",
    Kind.WORLD_UNSOUND: "something is wrong in the world before anybody acts",
    Kind.POLICY_TOO_WEAK: "a crawler does not find what refusals rest on, so that its rate proves nothing",
    Kind.RULE_UNTESTED: "a rule of the policy names a template that does not exist",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one task, about a split (`task_id` is empty) or about the whole pack (so is `split`)."""

    kind: Kind
    split: str
    task_id: str
    detail: str
    fault: bool = True
    """Whether it is wrong; if not, it is worth knowing."""
