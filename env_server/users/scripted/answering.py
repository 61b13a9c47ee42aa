"""The user's answers to questions: facts about themselves, details of a wish, and facts that they do not remember."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from env_server.domains.kit import UserScript
from env_server.reading import Act, Sentence, Words
from env_server.understanding import Heard
from env_server.users.scripted import topics
from env_server.users.scripted.notes import UserMemory, mentions

UNTOLD = frozenset({"transfer"})
"""Details that answer one kind of question and are never told unasked."""


@dataclass
class UserAnswer:
    """The user's answer to the questions of a message."""

    texts: list[str] = field(default_factory=list)
    new: bool = False
    """Whether any part of it was not told before."""

    refused_to_tell: bool = False
    """Whether the agent asked for the user's instructions, which a customer does not have."""


@dataclass(frozen=True)
class Answers:
    """Answers to the questions of one message. `asked` notes in `memory` which facts and details were told."""

    script: UserScript
    memory: UserMemory
    heard: Heard
    focus: int
    open: Sequence[int]

    def asked(self) -> UserAnswer:
        """Return the answers. If the agent asks only for known answers, they are repeated."""
        found = UserAnswer(refused_to_tell=self._asks_for_script())
        if found.refused_to_tell:
            return found
        asking = self._asking()
        if not asking and not self.heard.reading.lost:
            return found
        self._facts(asking, found)
        self._details(asking, found)
        return found

    def left(self, w: int) -> list[str]:
        """Return the untold details of a wish, without those that the agent has just said itself."""
        request = self.script.requests[w]
        text = f"{self.heard.reading.text} {request.ask.lower()}"
        return [
            topic
            for topic, detail in request.details.items()
            if topic not in UNTOLD
            and detail not in self.memory.told
            and f"{w}/{topic}" not in self.memory.given
            and not mentions(detail, text)
        ]

    def _asks_for_script(self) -> bool:
        """Return whether the agent asks for something that only a simulated user has. Instructions may be a detail of a
        wish.
        """
        known = any("instructions" in request.details for request in self.script.requests)
        return not known and topics.asks_for_script(self.heard.reading.text)

    def _asking(self) -> list[str]:
        """Return the sentences that ask for something, without those that ask for a yes or for further wishes."""
        acts, confirms = {Act.ASK, Act.IDENTIFY}, self.confirms
        return [
            s.text
            for s in self.heard.reading.sentences
            if s.text in confirms or (not s.consent and (s.acts & acts or _asks(s)))
        ]

    @property
    def confirms(self) -> list[str]:
        """The sentences that look like a question for a yes but ask for a detail: `please confirm the line`."""
        if self.heard.offers:
            return []
        wishes = [self.focus, *(w for w in self.open if w in self.memory.brought)]
        details = [topic for w in wishes for topic in self.script.requests[w].details if topic not in UNTOLD]
        return [
            s.text
            for s in self.heard.reading.sentences
            if s.consent and topics.asks_to_confirm(s.text, details) and not self._names_value(s, wishes)
        ]

    def _names_value(self, sentence: Sentence, wishes: Sequence[int]) -> bool:
        words = Words(sentence.text)
        values = [value for w in wishes for value in self.script.requests[w].values.values()]
        return any(words.names(value.says) or any(map(words.name, value.others)) for value in values)

    def _facts(self, asking: Sequence[str], found: UserAnswer) -> None:
        facts, memory = self.script.facts, self.memory
        wanted = topics.asked(asking, facts)
        identifies = Act.IDENTIFY in self.heard.reading.acts or self.heard.reading.lost
        if not wanted and Act.IDENTIFY in self.heard.reading.acts:  # "By your name and zip. Could you give me those?"
            wanted = topics.asked([s.text for s in self.heard.reading.sentences], facts)
        if not wanted and identifies and (self.heard.reading.lost or topics.asks_identity(asking)):
            wanted = [t for t in topics.IDENTITY if t in facts]
        unknown = topics.asked(asking, self.script.unknown) if identifies else []
        missing = [topics.forgotten(t) for t in unknown if not set(wanted) - set(memory.known) or t not in memory.known]
        if missing and not wanted:
            wanted = [t for t in topics.IDENTITY if t in facts]
        fresh = [t for t in wanted if t not in memory.known]
        found.texts += [*missing, *(topics.fact(t, facts[t]) for t in (fresh or wanted))]
        found.new = found.new or bool(fresh)
        memory.known += [t for t in (*fresh, *unknown) if t not in memory.known]

    def _details(self, asking: Sequence[str], found: UserAnswer) -> None:
        """Add the requested details: of the current wish, else of another wish that was brought up."""
        brought = [self.focus, *(w for w in self.open if w != self.focus and w in self.memory.brought)]
        for w in brought:
            details = self.script.requests[w].details
            wanted = [t for t in topics.asked(asking, details) if t not in UNTOLD]
            if w != self.focus:
                wanted = [t for t in wanted if t not in self.script.requests[self.focus].details]
            fresh = [t for t in wanted if f"{w}/{t}" not in self.memory.given]
            for topic in fresh or wanted:
                found.texts.append(self._detail(w, topic))
            found.new = found.new or bool(fresh)
        if not found.texts and asking and Act.IDENTIFY not in self.heard.reading.acts:
            self._open_question(found)

    def _open_question(self, found: UserAnswer) -> None:
        """Tell the details that are left, in answer to a question without a topic."""
        for topic in self.left(self.focus):
            found.texts.append(self._detail(self.focus, topic))
            found.new = True

    def _detail(self, w: int, topic: str) -> str:
        request, memory = self.script.requests[w], self.memory
        text = request.details[topic]
        if f"{w}/{topic}" not in memory.given:
            memory.given.append(f"{w}/{topic}")
        if text not in memory.told:
            memory.told.append(text)
        revised = w in memory.revised and topic in request.revised and request.revise is not None
        return str(request.revise) if revised else text


def _asks(sentence: Sentence) -> bool:
    """Return whether a sentence without acts asks for something: it ends with `?` or with `please`."""
    return not sentence.acts and (sentence.text.endswith("?") or sentence.text.rstrip(".!").endswith("please"))
