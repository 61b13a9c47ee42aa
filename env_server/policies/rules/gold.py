"""The reference solution without a conversation: all calls, and no words that a customer needs."""

from collections.abc import Iterator, Sequence
from itertools import repeat

from agent_env_schemas import Action, GoldCallSpec, ToolCall
from env_server.domains.kit.shared import done
from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy, calls, says

FINISHED = "All done.{outputs} Is there anything else?"
AGAIN = "That is done as well. Is there anything else?"
ASKS = "Please do this on your side: {name}."


def gold(brief: Brief) -> Policy:
    """Return the policy that makes gold's calls one per turn, asks the user for the user's calls, then tells all
    outputs.

    Without a user it makes the user's calls as well, and finally declares the work done.
    """
    return FixedMoves(_alone(brief) if brief.solo else _moves(brief))


def _alone(brief: Brief) -> Iterator[AgentMove]:
    for call in brief.gold.actions:
        yield calls(call.name, call.arguments)
    if brief.gold.outputs:
        yield says(finished(brief.gold.outputs))
    yield from repeat(calls(done.name, {}))


def _moves(brief: Brief) -> Iterator[AgentMove]:
    for call in brief.gold.actions:
        yield calls(call.name, call.arguments) if call.requestor == "agent" else request(brief, call)
    yield says(finished(brief.gold.outputs), last=True)
    yield from repeat(says(AGAIN, last=True))


def request(brief: Brief, call: GoldCallSpec) -> AgentMove:
    """Return the move that asks the user for a call of their own."""
    words = brief.instruct(call) if brief.instruct is not None else ASKS.format(name=call.name.replace("_", " "))
    return AgentMove(Action(content=words), calls=(ToolCall(name=call.name, arguments=call.arguments),))


def finished(outputs: Sequence[str]) -> str:
    """Return the message that tells the user every output."""
    return FINISHED.format(outputs="".join(f" {output}." for output in outputs))
