"""`heard`: the user was told everything that the task requires.

The value is 1 when every due of the task was told. A due is a refusal that names the wish and the deciding fact, after
the look-ups that show it; the reason for a transfer, before the transfer; or a value in a sentence that says what it is
a value of. The value is 0 when the user gave up, was told too many numbers, or was last told that a change that was
made is impossible.
"""

import json
from collections.abc import Mapping
from typing import Any

from env_server.domains.kit import Due, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, lines_or_fine
from env_server.rewards.conduct.events import MOST_TOLD
from env_server.rewards.conduct.ledger import Ledger
from env_server.rewards.score_inputs import ScoreInputs


def heard_value(task: Task, ledger: Ledger) -> dict[str, Any]:
    """Return the component `heard` with the missing dues."""
    missing = [_missing(due, early=i in ledger.early) for i, due in enumerate(task.dues) if i not in ledger.heard]
    too_many = len(ledger.amounts) > MOST_TOLD
    denied = sorted({place.wish + 1 for place in ledger.denied})
    value = float(not missing and not ledger.gave_up and not too_many and not denied)
    return {
        "value": value,
        "missing": missing,
        "gave_up": ledger.gave_up,
        "too_many_numbers": too_many,
        "done_but_refused": denied,
    }


def _missing(due: Due, *, early: bool) -> dict[str, Any]:
    """Return a due that was not told. Wishes are numbered from 1."""
    return {
        "kind": due.kind,
        "wish": due.wish + 1,
        **({"value": due.value} if due.value is not None else {"because": due.says}),
        **({"said_before_looked_up": True} if early else {}),
    }


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    assert inputs.ledger is not None  # else no component of conduct is computed
    return heard_value(task, inputs.ledger)


def _explain(part: Mapping[str, Any]) -> list[Line]:
    wrong = [_due(due) for due in part.get("missing", ())]
    wrong += ["the user gave up after too many messages that did not help"] if part.get("gave_up") else []
    wrong += ["more different numbers were told than an episode may have"] if part.get("too_many_numbers") else []
    wrong += [f"refused although it was made: wish {wish}" for wish in part.get("done_but_refused", ())]
    return lines_or_fine("", wrong, "the user was told what they had to hear")


def _due(due: Mapping[str, Any]) -> str:
    """Return a due that the agent did not meet: its kind, and what had to be said."""
    said = due["value"] if "value" in due else due.get("because")
    words = said if isinstance(said, str) else json.dumps(said)
    late = "; it was said before it was looked up" if due.get("said_before_looked_up") else ""
    wish = f"wish {due.get('wish')}"
    match due.get("kind"):
        case "refuse":
            return f"{wish} was not refused with its reason: {words}{late}"
        case "transfer":
            return f"the user did not hear why {wish} leads to a transfer: {words}{late}"
        case _:
            return f"the user was not told {words} (for {wish}){late}"


COMPONENT = RewardComponent(
    "heard", order=70, part=_part, explain=_explain, title="what the user had to hear", of_conduct=True
)
