"""The kinds of findings of an audit."""

from dataclasses import dataclass
from enum import StrEnum


class FindingKind(StrEnum):
    """One kind of finding. The value is its name in JSON."""

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
    FindingKind.GOLD_CHANGES_NOTHING: "the reference solution leaves every row as it was",
    FindingKind.NOTHING_SOLVES_IT: "an agent that does nothing earns the whole reward",
    FindingKind.GOLD_ERRORS: "a call of the reference solution fails",
    FindingKind.USER_SAYS_OUTPUT: "the user says a value that the agent has to find out",
    FindingKind.EMPTY_COMPONENT: "the basis names a component with nothing to count",
    FindingKind.SPLITS_OVERLAP: "a task has something in common with one of another split",
    FindingKind.UNPLAYABLE: "the task cannot be made or played",
    FindingKind.ORACLE_FAILS: "playing the reference solution does not earn the whole reward",
    FindingKind.SOLVED_BLINDLY: "a policy that does not know the task earns the whole reward",
    FindingKind.WORLD_VARIES: "the world differs when it is generated again",
    FindingKind.WORLD_UNSOUND: "something is wrong in the world before anybody acts",
    FindingKind.POLICY_TOO_WEAK: "a crawler does not find what refusals rest on, so that its rate proves nothing",
    FindingKind.RULE_UNTESTED: "a rule of the policy names a template that does not exist",
}


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A finding about a task, a split (`task_id` is empty) or the whole pack (`split` is empty, too)."""

    kind: FindingKind
    split: str
    task_id: str
    detail: str
    fault: bool = True
    """Whether the finding is a fault. If not, it is only a note."""
