"""The oracle: an agent that knows the reference solution and plays it."""

from collections.abc import Iterator, Sequence

from schemas import Action, GoldSpec, ToolCall

REPEATS = 10
"""How often it says that it is done before it gives up waiting for the user to agree."""

FINISHED = "All done.{outputs} Is there anything else?"
AGAIN = "That is done as well. Is there anything else?"
FIRST_WORDS = "Hello, I need some help."
STOP = "###STOP###"
"""With this line an external user ends the episode."""


def actions(gold: GoldSpec) -> Iterator[Action]:
    """The oracle's messages: the agent's gold calls one per turn, then all outputs at once, then that it is done."""
    for call in gold.actions:
        if call.requestor == "agent":
            yield Action(tool_calls=[ToolCall(name=call.name, arguments=call.arguments)])
    yield Action(content=finished(gold.outputs))
    for _ in range(REPEATS):
        yield Action(content=AGAIN)


def finished(outputs: Sequence[str]) -> str:
    """The message that tells the user every output."""
    return FINISHED.format(outputs="".join(f" {output}." for output in outputs))


class Oracle:
    """The player who follows gold; where the user is played from outside, it greets and, once all is done, stops."""

    def __init__(self, gold: GoldSpec) -> None:
        """Play `gold`."""
        self._actions = actions(gold)
        self._spoken = False

    def act(self) -> Action | None:
        """The next message; None when there is nothing left to say."""
        return next(self._actions, None)

    def speak(self) -> str:
        """The external user's words: a greeting, then the stop."""
        words = STOP if self._spoken else FIRST_WORDS
        self._spoken = True
        return words
