"""A person at the terminal, who plays one side of an episode."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import Action, Message, UserRequest
from env_server.commands.play.input import Command, TypingError, completions, understand
from env_server.commands.play.keyboard import Keyboard
from env_server.commands.play.screen import Screen
from env_server.policies import AgentMove

CALLS = (
    ('tool_name {"argument": "value"}', "call a tool"),
    ("tool_name argument=value other=1,2", "the same, with less typing"),
)
LEAVE = ("quit", "q", "exit")
HELP = ("help", "h", "")


@dataclass(frozen=True)
class Side:
    """The actions that a person has on one side."""

    name: str
    colour: int
    """ANSI colour code of the prompt."""

    hears: str
    """The side that receives this side's words."""

    functions: Mapping[str, Mapping[str, Any]]
    """The side's tools, from name to OpenAI function."""

    commands: Mapping[str, tuple[str, Callable[[], None]]]
    """Commands, from name to (description, function that shows the output)."""

    leaving: str
    """Description of `:quit`."""

    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Commands that stand for words, from name to (description, words)."""

    @property
    def parameters(self) -> dict[str, Mapping[str, Any]]:
        """Return the tools, from name to the schema of their parameters."""
        return {name: function["parameters"] for name, function in self.functions.items()}

    @property
    def help(self) -> list[tuple[str, str]]:
        """Return the possible inputs with their descriptions."""
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
    """The person on one side. As the agent it is a policy; as the user it is an external user."""

    def __init__(self, keyboard: Keyboard, screen: Screen, side: Side) -> None:
        """Read the actions of `side` from `keyboard`, and show the output of commands on `screen`."""
        self._keyboard = keyboard
        self._screen = screen
        self._side = side

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:  # noqa: ARG002 -- the screen has shown it
        """Return the agent's next message as typed, or None if the person leaves."""
        action = self._typed()
        return None if action is None else AgentMove(action)

    def told(self, move: AgentMove) -> None:
        """Do nothing: the screen has shown the move."""

    async def part(self) -> UserRequest | None:
        """Return the user's next words or call as typed, or None if the person leaves."""
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
        """Carry out a command. Return an action if the command stands for words, else None."""
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
