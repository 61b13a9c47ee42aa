"""A person at the terminal, on either side of an episode."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import Action, Message, UserRequest
from env_server.commands.play.keyboard import Keyboard
from env_server.commands.play.screen import Screen
from env_server.commands.play.typed import Command, TypingError, completions, understand
from env_server.policies import AgentMove

CALLS = (
    ('tool_name {"argument": "value"}', "call a tool"),
    ("tool_name argument=value other=1,2", "the same, with less typing"),
)
LEAVE = ("quit", "q", "exit")
HELP = ("help", "h", "")


@dataclass(frozen=True)
class Side:
    """What a person can do on one side."""

    name: str
    colour: int
    """Of the prompt, as terminals number colours."""

    hears: str
    """Whom the words go to."""

    functions: Mapping[str, Mapping[str, Any]]
    """The side's tools: name -> OpenAI function."""

    commands: Mapping[str, tuple[str, Callable[[], None]]]
    """Name -> what it is for, and what shows it."""

    leaving: str
    """What `:quit` does."""

    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Name of a command -> what it is for, and the words it stands for."""

    @property
    def parameters(self) -> dict[str, Mapping[str, Any]]:
        """Name of a tool -> schema of its parameters."""
        return {name: function["parameters"] for name, function in self.functions.items()}

    @property
    def help(self) -> list[tuple[str, str]]:
        """What may be typed."""
        shown = [(f":{name}", meaning) for name, (meaning, _) in (*self.commands.items(), *self.words.items())]
        calls = CALLS if self.functions else ()
        return [
            ("words", f"say them to the {self.hears}"),
            *calls,
            *shown,
            (":help", "this list"),
            (":quit", self.leaving),
        ]


class Person:
    """Whoever types on one side: the policy of the agent's, the customer of the user's."""

    def __init__(self, keyboard: Keyboard, screen: Screen, side: Side) -> None:
        """Ask at `keyboard` for what `side` does; what is asked for is shown on `screen`."""
        self._keyboard = keyboard
        self._screen = screen
        self._side = side

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:  # noqa: ARG002 -- the screen has shown it
        """The agent's next message as typed; None to leave."""
        action = self._typed()
        return None if action is None else AgentMove(action)

    def told(self, move: AgentMove) -> None:
        """The screen has shown it."""

    async def part(self) -> UserRequest | None:
        """The user's next words or call as typed; None to leave."""
        action = self._typed()
        if action is None:
            return None
        calls = action.tool_calls
        return UserRequest(tool_calls=calls) if calls else UserRequest(content=str(action.content))

    def _typed(self) -> Action | None:
        side = self._side
        known = completions(side.parameters, (*side.commands, *side.words, "help", "quit"))
        while True:
            line = self._keyboard.ask(f"{side.name} > ", side.colour, known)
            if line is None:
                return None
            try:
                meant = understand(line, side.parameters)
            except TypingError as e:
                self._screen.hint(str(e))
                continue
            if isinstance(meant, Command):
                if meant.name in LEAVE:
                    return None
                meant = self._obeyed(meant)
            if meant is not None:
                return meant

    def _obeyed(self, command: Command) -> Action | None:
        """Show what was asked for; the words that the command stands for, if it does."""
        side = self._side
        if command.name in side.words:
            return Action(content=side.words[command.name][1])
        if command.name in side.commands:
            side.commands[command.name][1]()
        elif command.name in HELP:
            self._screen.commands(side.help)
        else:
            self._screen.hint(f"there is no command :{command.name}; :help lists them")
        return None
