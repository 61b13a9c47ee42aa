"""An agent of rules: it looks up what the user's words point at, and does what they ask for.

It reads ids, names and dates out of the user's words by their shape, makes every look-up whose arguments it has, takes
the change whose words are most like the user's, asks for what that lacks and whether it may, and makes it. It knows no
domain and no task.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent_env_schemas import Message
from env_server.policies.base import AgentMove, Brief, Policy, calls, says
from env_server.policies.rules.extraction import agrees, stems
from env_server.policies.rules.known import Json, KnownValues, is_id

WHO = "Gladly. To find you, could you please tell me your {wanted}?"
WHAT = "What exactly would you like me to do? Please tell me every detail."
MAY_I = "I would do this: {what}. Shall I go ahead (yes/no)?"
LACKS = "To {what} I still need to know: {missing}. Could you please tell me?"
DONE = "That is done. {answer} Is there anything else I can do for you?"
FAILED = "I am sorry, that did not work: {answer} Is there anything else I can do for you?"
FOUND = "This is what I found: {answer} Is there anything else I can do for you?"

READS = frozenset(["calculate", "check", "find", "get", "list", "look", "quote", "search", "think"])
"""The first words of the names of tools that change nothing."""

PERSONAL = ("email", "phone", "phone_number", "first_name", "last_name", "full_name", "zip", "dob", "user_id")
"""The arguments by which people are found."""

LOOKUPS, EACH = 14, 5
"""Look-ups for one request at most, and of them with one tool."""

ENOUGH = 0.35
"""How much of a change's name the user's words must have."""


def heuristic(brief: Brief) -> Policy:
    """Plays by rules that know no domain; of the brief it reads the tools and which of them hand the user over."""
    tools = [tool["function"] for tool in brief.tools if tool["function"]["name"] not in brief.transfers]
    reads = [tool for tool in tools if tool["name"].partition("_")[0] in READS]
    return _Heuristic(reads, [tool for tool in tools if tool not in reads])


@dataclass
class _Heuristic:
    reads: Sequence[Json]
    writes: Sequence[Json]
    known: KnownValues = field(default_factory=KnownValues)
    made: list[tuple[str, str]] = field(default_factory=list)
    """The calls made: name, arguments as text."""

    questions: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """The changes for which the user was asked what was missing."""

    proposed: tuple[str, Json] | None = None
    """The change that waits for a yes."""

    changing: bool = False
    """Whether the last message was a change."""

    answer: str = ""
    """The newest answer of a tool."""

    def __post_init__(self) -> None:
        names = [name for tool in self.reads for name in _required(tool) if name in PERSONAL]
        wanted = ", ".join(dict.fromkeys(name.replace("_", " ") for name in names))
        self.questions = [WHO.format(wanted=wanted or "name"), WHAT]

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """The outcome of a change, the change itself, a look-up, a question or a proposal: the first that is due."""
        said = " ".join(m.content for m in heard if m.role == "user")
        self._listen(heard, said)
        if self.changing:
            self.changing = False
            return says((FAILED if self.answer.startswith("Error") else DONE).format(answer=self.answer), last=True)
        if self.proposed is not None:
            (name, arguments), self.proposed = self.proposed, None
            if agrees(said):
                self.changing = True
                return self._call(name, arguments)
        return self._ask() or self._look_up() or self._propose() or says(FOUND.format(answer=self.answer), last=True)

    def _listen(self, heard: Sequence[Message], said: str) -> None:
        self.known.hear(said)
        for message in heard:
            if message.role == "tool":
                self.answer = message.content
                self.known.learn(message.name or "", message.content)

    def _call(self, name: str, arguments: Json) -> AgentMove:
        self.made.append((name, _text(arguments)))
        return calls(name, arguments)

    def _look_up(self) -> AgentMove | None:
        """The next call of a tool that only reads."""
        for tool in self.reads:
            name = tool["name"]
            if len(self.made) >= LOOKUPS or sum(made == name for made, _ in self.made) >= EACH:
                continue
            for arguments in self._ways(tool["parameters"], _required(tool)):
                if (name, _text(arguments)) not in self.made:
                    return self._call(name, arguments)
        return None

    def _ways(self, parameters: Json, required: Sequence[str]) -> Iterator[Json]:
        """The arguments that a look-up can take: of one id any that is known, of all else the best."""
        known = {name: self.known.values(name, parameters["properties"][name]) for name in required}
        if known and all(known.values()):
            several = max(known, key=lambda name: len(known[name]) if is_id(name) else 0)
            for value in known[several]:
                yield {name: value if name == several else values[0] for name, values in known.items()}

    def _ask(self) -> AgentMove | None:
        return says(self.questions.pop(0)) if self.questions else None

    def _propose(self) -> AgentMove | None:
        """The question whether to make the change that the user's words are most like, or for what it lacks."""
        likeness = {tool["name"]: self._likeness(tool) for tool in self.writes}
        for tool in sorted(self.writes, key=lambda tool: -likeness[tool["name"]]):
            name, words = tool["name"], tool["name"].replace("_", " ")
            if likeness[name] < ENOUGH:
                break
            known = {n: self.known.values(n, tool["parameters"]["properties"][n]) for n in _required(tool)}
            missing = [n.replace("_", " ") for n, values in known.items() if not values]
            if missing and name not in self.asked:
                self.asked.append(name)
                return says(LACKS.format(what=words, missing=", ".join(missing)))
            arguments = {n: values[0] for n, values in known.items() if values}
            if not missing and (name, _text(arguments)) not in self.made:
                self.proposed = name, arguments
                return says(MAY_I.format(what=f"{words} ({', '.join(f'{k}: {v}' for k, v in arguments.items())})"))
        return None

    def _likeness(self, tool: Json) -> float:
        """How much of a change's name the user's words have, rare words first, and of what it does, at half weight."""
        wanted, names = stems(self.known.words), [stems(write["name"]) for write in self.writes]
        rarity = {stem: 1 / sum(stem in name for name in names) for stem in stems(tool["name"])}
        does = stems(tool["description"].partition(".")[0])
        named = sum(rarity[stem] for stem in rarity.keys() & wanted) / max(1, sum(rarity.values()))
        return named + 0.5 * len(does & wanted) / max(1, len(does))


def _required(tool: Json) -> Sequence[str]:
    required: Sequence[str] = tool["parameters"].get("required", ())
    return required


def _text(arguments: Json) -> str:
    return json.dumps(arguments, sort_keys=True)
