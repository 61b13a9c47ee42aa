"""Requirements on an inline task, in addition to those on its format."""

from agent_env_schemas import GOLD_FAILS, ErrorCode
from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.episodes.turn.ending import holds
from env_server.errors import ProblemError
from env_server.rewards import GoldOutcome, ScoreInputs
from env_server.rewards.components import in_basis
from env_server.state import State

SHOWN = 3
"""Maximum number of failing calls that a problem names."""

MOST_TEXT = 500
"""Maximum characters that a problem shows of one failing call's error."""

WHAT_TO_DO = (
    "let gold change a row and count the `state`; or give `gold.outputs` (values that the user must be told), name "
    "`actions` in the basis if gold has calls, or give a judge something to decide (`assertions`, `rubric`); with "
    "`allow_no_effect: true` the task is played as it is"
)


def vet(pack: Pack, task: Task, beginning: State, gold: GoldOutcome, *, allow_no_effect: bool) -> None:
    """Check that the gold of `task` works, and that doing nothing does not solve the task (unless that is allowed).

    A pack's dialect may turn this check off, because its tasks break both rules on purpose.

    Raises:
        ProblemError: `invalid_request`, with the failing calls or with advice.
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
    """Return whether each component of the basis has its full value in `beginning`, before any action."""
    held = [holds(pack, assertion, beginning) for assertion in task.env_assertions]
    inputs = ScoreInputs(beginning.hash, gold, holds=held)
    return all(one.part(task, inputs)["value"] == 1 for one in in_basis(task.basis))
