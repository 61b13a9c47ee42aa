"""What a task that comes with a request must be good for, beside being one that the pack can read."""

from agent_env_schemas import GOLD_FAILS, ErrorCode
from env_server.domains.kit import Component, Task
from env_server.domains.pack import Pack
from env_server.episodes.turn.ending import holds
from env_server.errors import ProblemError
from env_server.rewards import GoldOutcome
from env_server.state import State

SHOWN = 3
"""The failing calls that a problem names."""

MOST_TEXT = 500
"""The characters that it shows of what one of them was answered."""

WHAT_TO_DO = (
    "have gold change a row and count the `state`; or give `gold.outputs` (values to be told), name `actions` in the "
    "basis where gold has calls, or say what a judge is to decide (`assertions`, `rubric`); with "
    "`allow_no_effect: true` the task is played as it is"
)


def vet(pack: Pack, task: Task, beginning: State, gold: GoldOutcome, *, allow_no_effect: bool) -> None:
    """Check that the gold of `task` works, and that doing nothing does not solve it (unless that is allowed).

    Packs whose dialect says so have tasks in which neither holds, on purpose.

    Raises:
        ProblemError: `invalid_request`, with the calls that fail, or with what to do.
    """
    if not pack.dialect.vets_tasks:
        return
    if gold.errors:
        shown = "; ".join(error[:MOST_TEXT] for error in gold.errors[:SHOWN])
        more = f"; and {len(gold.errors) - SHOWN} more" if len(gold.errors) > SHOWN else ""
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"{GOLD_FAILS}: {shown}{more}")
    if not allow_no_effect and nothing_solves(pack, task, beginning, gold):
        changes = "gold changes no row" if gold.hash == beginning.hash else "the basis does not count the state"
        counted = f"the basis ({', '.join(task.basis)}) asks for nothing else"
        raise ProblemError(
            ErrorCode.INVALID_REQUEST, f"doing nothing would solve this task: {changes}, and {counted}; {WHAT_TO_DO}"
        )


def nothing_solves(pack: Pack, task: Task, beginning: State, gold: GoldOutcome) -> bool:
    """Whether each component of the basis of `task` has its full value in its `beginning`, before anybody acts."""
    return all(_earned_by_nothing(component, pack, task, beginning, gold) for component in task.basis)


def _earned_by_nothing(component: Component, pack: Pack, task: Task, beginning: State, gold: GoldOutcome) -> bool:
    match component:
        case Component.STATE:
            return gold.hash == beginning.hash
        case Component.COMMUNICATE:
            return not task.gold.outputs
        case Component.ACTIONS:
            return not task.gold.actions
        case Component.ENV_ASSERTIONS:
            return all(holds(pack, assertion, beginning) for assertion in task.env_assertions)
        case Component.NL_ASSERTIONS:
            return not task.assertions
        case Component.RUBRIC:
            return False
