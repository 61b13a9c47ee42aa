"""A rule-based agent: it makes look-ups from the user's words, and makes the change that they ask for.

It extracts ids, names and dates from the user's words by their shape and makes every look-up whose arguments it has. It
selects the change whose words are most like the user's, asks for missing arguments and for permission, and makes the
change. It knows no domain and no task.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent_env_schemas import Message
from env_server.policies.base import AgentMove, Brief, Policy, calls, says
from env_server.policies.rules.extraction import agrees, sentences, stems, wished
from env_server.policies.rules.known import MOST_FACTS, Json, KnownValues, is_id

WHO = "Gladly. To find you, could you please tell me your {wanted}?"
WHAT = "What exactly would you like me to do? Please tell me every detail."
MAY_I = 'You told me: "{said}" I would do this: {what}. Shall I go ahead (yes/no)?'
LACKS = "To {what} I still need to know: {missing}. Could you please tell me?"
DONE = "That is done. {answer} Is there anything else I can do for you?"
SORRY = "I am sorry"
FAILED = SORRY + ", that did not work: {answer} Is there anything else I can do for you?"
FOUND = "This is what I found: {answer} Is there anything else I can do for you?"

READS = frozenset(["calculate", "check", "find", "get", "list", "look", "quote", "search", "think"])
"""The first words of the names of tools that change nothing."""

PERSONAL = ("email", "phone", "phone_number", "first_name", "last_name", "full_name", "zip", "dob", "user_id")
"""The arguments that identify people."""

LOOKUPS, EACH = 14, 5
"""The maximum number of look-ups for one request, and of calls of one tool among them."""

TRIES = 2
"""The maximum number of proposals of one change."""

ENOUGH = 0.35
"""The minimum share of a change's name in the user's words."""


def heuristic(brief: Brief) -> Policy:
    """Return the policy. Of the brief it reads only the tools and which of them transfer the user."""
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
    """The changes for which the user was asked for missing arguments."""

    proposals: list[str] = field(default_factory=list)
    """The changes that were proposed."""

    told: list[str] = field(default_factory=list)
    """The user's words about their wish, without their questions."""

    proposed: tuple[str, Json] | None = None
    """The change that waits for a yes."""

    changing: bool = False
    """Whether the last message was a change."""

    answers: list[str] = field(default_factory=list)
    """All answers of tools."""

    outcome: str = ""
    """The message about the last change."""

    answer: str = ""
    """The newest answer of a tool."""

    def __post_init__(self) -> None:
        names = [name for tool in self.reads for name in _required(tool) if name in PERSONAL]
        wanted = ", ".join(dict.fromkeys(name.replace("_", " ") for name in names))
        self.questions = [WHO.format(wanted=wanted or "name"), WHAT]

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next move: the outcome of a change, the change itself, a look-up, a question or a proposal."""
        said = " ".join(m.content for m in heard if m.role == "user")
        self._listen(heard, said)
        if self.changing:
            self.changing = False
            self.outcome = (FAILED if self.answer.startswith("Error") else DONE).format(answer=self._told())
            return says(self.outcome, last=True)
        if self.outcome and said.endswith("?") and "done" in stems(said):
            return says(("No. " if self.outcome.startswith(SORRY) else "Yes. ") + self.outcome, last=True)
        if self.proposed is not None:
            (name, arguments), self.proposed = self.proposed, None
            if agrees(said):
                self.changing = True
                return self._call(name, arguments)
        return self._ask() or self._look_up() or self._propose() or self._answer()

    def _answer(self) -> AgentMove:
        """Return the message with the facts that the look-ups have shown about the things in the user's request."""
        facts = list(dict.fromkeys(fact for answer in self.answers for fact in self.known.facts(answer)))[:MOST_FACTS]
        return says(FOUND.format(answer=" ".join(facts) or self.answer), last=True)

    def _told(self) -> str:
        """Return the newest answer in sentences. An answer that is a sentence already is not changed."""
        return " ".join(self.known.facts(self.answer)) if self.answer.startswith(("{", "[")) else self.answer

    def _listen(self, heard: Sequence[Message], said: str) -> None:
        self.known.hear(said)
        if not self.questions and self.proposed is None:
            self.told += [s for s in sentences(said) if s and not s.endswith("?") and s not in self.told]
        for message in heard:
            if message.role == "tool":
                self.answer = message.content
                self.answers.append(message.content)
                self.known.learn(message.name or "", message.content)

    def _call(self, name: str, arguments: Json) -> AgentMove:
        self.made.append((name, _text(arguments)))
        return calls(name, arguments)

    def _look_up(self) -> AgentMove | None:
        """Return the next call of a tool that only reads."""
        for tool in self.reads:
            name = tool["name"]
            if len(self.made) >= LOOKUPS or sum(made == name for made, _ in self.made) >= EACH:
                continue
            for arguments in self._ways(tool["parameters"], _required(tool)):
                if (name, _text(arguments)) not in self.made:
                    return self._call(name, arguments)
        return None

    def _ways(self, parameters: Json, required: Sequence[str]) -> Iterator[Json]:
        """Yield the arguments for a look-up: every known value of one id, and the best value of each other argument."""
        known = {name: self.known.values(name, parameters["properties"][name]) for name in required}
        if known and all(known.values()):
            several = max(known, key=lambda name: len(known[name]) if is_id(name) else 0)
            for value in known[several]:
                yield {name: value if name == several else values[0] for name, values in known.items()}

    def _ask(self) -> AgentMove | None:
        return says(self.questions.pop(0)) if self.questions else None

    def _propose(self) -> AgentMove | None:
        """Return the proposal of the change that is most like the user's words, or a question for its missing
        arguments.
        """
        likeness = {tool["name"]: self._likeness(tool) for tool in self.writes}
        for tool in sorted(self.writes, key=lambda tool: -likeness[tool["name"]]):
            name, words = tool["name"], tool["name"].replace("_", " ")
            if likeness[name] < ENOUGH:
                break
            if self.proposals.count(name) >= TRIES:
                continue
            known = {n: self.known.values(n, tool["parameters"]["properties"][n]) for n in _required(tool)}
            missing = [n.replace("_", " ") for n, values in known.items() if not values]
            if missing and name not in self.asked:
                self.asked.append(name)
                return says(LACKS.format(what=words, missing=", ".join(missing)))
            arguments = {n: values[0] for n, values in known.items() if values}
            if not missing and (name, _text(arguments)) not in self.made:
                self.proposed = name, arguments
                self.proposals.append(name)
                what = f"{words} ({', '.join(f'{k}: {v}' for k, v in arguments.items())})"
                return says(MAY_I.format(said=" ".join(self.told), what=what))
        return None

    def _likeness(self, tool: Json) -> float:
        """Return the likeness of a change to the user's words: its name, rare words first, plus its description at half
        weight.
        """
        wanted, names = wished(self.known.words), [stems(write["name"]) for write in self.writes]
        rarity = {stem: 1 / sum(stem in name for name in names) for stem in stems(tool["name"])}
        does = stems(tool["description"].partition(".")[0])
        named = sum(rarity[stem] for stem in rarity.keys() & wanted) / max(1, sum(rarity.values()))
        return named + 0.5 * len(does & wanted) / max(1, len(does))


def _required(tool: Json) -> Sequence[str]:
    required: Sequence[str] = tool["parameters"].get("required", ())
    return required


def _text(arguments: Json) -> str:
    return json.dumps(arguments, sort_keys=True)
