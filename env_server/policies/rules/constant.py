"""Policies that act the same in every task: do nothing, refuse at once, transfer at once."""

from collections.abc import Iterator
from itertools import repeat
from random import Random

from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy, calls, says
from env_server.policies.rules.random_arguments import Drawing

GREETING = "Hello! How can I help you?"
REFUSAL = "I am sorry, but I cannot help with that."
HANDED_OVER = "You are being transferred to a person. Please hold on."


def null(brief: Brief) -> Policy:  # noqa: ARG001 -- it knows nothing
    """Return the policy that does nothing: it sends empty messages and greetings in turn."""
    return FixedMoves(_silence())


def refuse(brief: Brief) -> Policy:  # noqa: ARG001 -- it knows nothing
    """Return the policy that refuses at once, and again."""
    return FixedMoves(repeat(says(REFUSAL, last=True)))


def transfer(brief: Brief) -> Policy:
    """Return the policy that transfers the user at once.

    If the transfer does not end the episode, or there is no such tool, it only announces a transfer.
    """
    return FixedMoves(_handover(brief))


def _silence() -> Iterator[AgentMove]:
    while True:
        yield says("")
        yield says(GREETING, last=True)


def _handover(brief: Brief) -> Iterator[AgentMove]:
    drawing = Drawing(Random(brief.seed), {})
    for tool in brief.tools:
        if tool["function"]["name"] in brief.transfers:
            yield calls(tool["function"]["name"], drawing.arguments(tool["function"]["parameters"]))
    yield from repeat(says(HANDED_OVER, last=True))
