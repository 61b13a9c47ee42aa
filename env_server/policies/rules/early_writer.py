"""A policy that makes the changes of the reference solution before it knows the caller."""

from collections.abc import Iterator
from itertools import repeat

from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy, calls, says
from env_server.policies.rules.gold import AGAIN, finished
from env_server.policies.rules.gold import request as asks


def early_writer(brief: Brief) -> Policy:
    """Return the policy that makes gold's changes and the user's calls first, then its look-ups, then tells all
    outputs.
    """
    return FixedMoves(_moves(brief))


def _moves(brief: Brief) -> Iterator[AgentMove]:
    writes = brief.writes or ()
    early = [call for call in brief.gold.actions if call.requestor != "agent" or call.name in writes]
    late = [call for call in brief.gold.actions if call not in early]
    for call in (*early, *late):
        yield calls(call.name, call.arguments) if call.requestor == "agent" else asks(brief, call)
    yield says(finished(brief.gold.outputs), last=True)
    yield from repeat(says(AGAIN, last=True))
