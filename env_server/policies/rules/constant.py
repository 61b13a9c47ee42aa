"""Policies that do the same whatever the task: nothing, refuse at once, hand over at once."""

from collections.abc import Iterator
from itertools import repeat
from random import Random

from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy, calls, says
from env_server.policies.rules.drawing import Drawing

GREETING = "Hello! How can I help you?"
REFUSAL = "I am sorry, but I cannot help with that."
HANDED_OVER = "You are being transferred to a person. Please hold on."


def null(brief: Brief) -> Policy:  # noqa: ARG001 -- it knows nothing
    """Does nothing: sends empty messages and greets, in turn."""
    return FixedMoves(_silence())


def refuse(brief: Brief) -> Policy:  # noqa: ARG001 -- it knows nothing
    """Refuses at once, and again."""
    return FixedMoves(repeat(says(REFUSAL, last=True)))


def transfer(brief: Brief) -> Policy:
    """Hands the user over at once; where that does not end the episode, or cannot be done, it only says so."""
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
