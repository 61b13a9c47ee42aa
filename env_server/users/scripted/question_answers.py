"""The user's answers to questions: facts about themselves, details of a wish, and facts that they do not remember."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from env_server.domains.kit import UserScript
from env_server.reading import Act, Sentence, Words
from env_server.reading.sentences.handover import mentions_people
from env_server.reading.sentences.limits import asks_which
from env_server.reading.sentences.questions import greets, of_transfer, on_device
from env_server.reading.sentences.wanted import left_open
from env_server.understanding import ChangePlace, Heard
from env_server.users.scripted import choices, naming, others, topics
from env_server.users.scripted.assumptions import Assumption, assumptions, contradicted, fits, of_another_action
from env_server.users.scripted.notes import UserMemory, mentions

UNTOLD = frozenset({"transfer"})
"""Details that answer one kind of question and are never told unasked."""


_ELSEWHERE = re.compile(r"\b(?:instead|else|other|another|alternative\w*|rather|transfer\w*|help)\b")
"""Words of a question for something other than what the agent has refused."""


@dataclass
class UserAnswer:
    """The user's answer to the questions of a message."""

    texts: list[str] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    """The kinds of small talk that come before the texts."""

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
    patterns: Mapping[str, str] = field(default_factory=dict)
    """Topic -> the pattern of a question about it, as the domain declares it."""

    def asked(self) -> UserAnswer:
        """Return the answers. If the agent asks only for known answers, they are repeated."""
        found = UserAnswer(refused_to_tell=self._asks_for_script())
        if found.refused_to_tell:
            return found
        asking = self._asking()
        self._assumed(found)
        if not asking and not self.heard.reading.lost:
            return found
        own, of_others = others.apart(asking, self._names())
        self._device(asking, found)
        self._facts(asking, own, found, lost=self.heard.reading.lost and not of_others)
        self._details(asking, found)
        for asked in of_others:
            self._other(asked, found)
        if found.texts:
            self._others_asked(asking, found)
        if topics.asks_why(asking) and not found.texts:
            found.talk.append("no_reason")
        elif not (found.texts or found.talk) and asking and Act.IDENTIFY not in self.heard.reading.acts:
            self._open_question(found, next((w for w in map(self._of_another, asking) if w is not None), None))
        self._choose(asking, found)
        return found

    @property
    def offers_choice(self) -> bool:
        """Whether the agent asks which of two answers the user prefers."""
        return any(map(choices.two, self._asking()))

    def _choose(self, asking: Sequence[str], found: UserAnswer) -> None:
        """Answer a question with two answers to choose from: by the one that the user wants, else, if there is nothing
        left to tell, that either is fine or that they cannot tell.
        """
        for text in asking:
            answers, w = choices.two(text), self._of_another(text)
            w = self.focus if w is None else w
            details = [topic for topic in self.script.requests[w].details if topic not in UNTOLD]
            if answers is None or topics.asked([text], [*details, *self.script.facts], self.patterns):
                continue
            told = choices.chosen(self.script.requests[w], answers, details)
            if told:
                self.memory.told += [one for one in told if one not in self.memory.told]
                found.texts += [one for one in told if one not in found.texts]
            elif not (found.new or choices.of_changes(answers)):
                found.talk.append("unsure" if choices.of_facts(text) else "either")

    def _assumptions(self) -> list[tuple[Assumption, int]]:
        """Return what the agent takes for the user's wish and asks about, each with the wish that it names. One that
        names no change is a question like others.
        """
        if self.heard.offers or self.heard.claims:
            return []
        found = [(assumption, self.named(assumption.text)) for assumption in assumptions(self.heard.reading)]
        of_wishes = ((assumption, self.focus if w is None else w) for assumption, w in found)
        return [(assumption, w) for assumption, w in of_wishes if self._tells(w, assumption.text)]

    def _tells(self, w: int, text: str) -> bool:
        """Return whether the user can say if an assumption is right. Otherwise they tell the details."""
        script = self.script
        return fits(script, w, text) or of_another_action(script, text) or bool(contradicted(script, w, text))

    def _assumed(self, found: UserAnswer) -> None:
        """Say whether the agent has understood the wish; if not, say it again with the details that differ."""
        for assumption, w in self._assumptions():
            if fits(self.script, w, assumption.text):
                found.talk += [] if "right" in found.talk else ["right"]
                continue
            differ = [topic for topic in contradicted(self.script, w, assumption.text) if topic not in UNTOLD]
            told = [self._detail(w, t) for t in differ if t in self.script.requests[w].details]
            found.talk += [] if "wrong" in found.talk else ["wrong"]
            found.texts += told or [self.script.requests[w].ask]

    def left(self, w: int) -> list[str]:
        """Return the untold details of a wish, without those that the agent has just said itself."""
        request = self.script.requests[w]
        text = f"{self.heard.reading.text} {request.ask.lower()}"
        return [
            topic
            for topic, detail in request.details.items()
            if topic not in UNTOLD and self._untold(w, topic) and not mentions(detail, text)
        ]

    def told_again(self, w: int) -> list[str]:
        """Return the details of a wish that were told before, if the agent asks for one of them in unknown words. While
        the user's own tools show a fault, a question is rather about that.
        """
        request = self.script.requests[w]
        asks = request.until is None and any(topics.parts(text) for text in self._asking())
        return [self._detail(w, t) for t in request.details if t not in UNTOLD] if asks else []

    @property
    def asks(self) -> bool:
        """Whether the agent asks for something other than a yes or further wishes."""
        return any(s.text.endswith("?") and Act.ASK in s.acts for s in self.heard.reading.sentences)

    def asks_for_other_than(self, offered: Iterable[ChangePlace]) -> bool:
        """Return whether a question for a yes names another wish than those of the changes that were `offered`."""
        wishes = {place.wish for place in offered}
        asked = [s.text for s in self.heard.reading.sentences if s.consent]
        return any(w is not None and w not in wishes for w in map(self.named, asked))

    def of_another(self) -> bool:
        """Return whether a question names another wish than the current one."""
        return any(self._of_another(text) is not None for text in self._asking())

    def asks_about(self, w: int) -> bool:
        """Return whether the agent asks for a detail that may belong to wish `w`, before it has finished with it."""
        asked = [
            s.text
            for s in self.heard.reading.sentences
            if s.text.endswith("?") and Act.ASK in s.acts and Act.CLOSE not in s.acts and _FOR_A_DETAIL.search(s.text)
        ]
        return any(self.named(text) in (None, w) for text in asked)

    def asks_on(self, w: int) -> bool:
        """Return whether the agent asks for a detail of wish `w` beside a refusal that does not name the wish."""
        named = any(place.wish == w for place in self.heard.denied)
        return (
            not named
            and any(
                asks_which(s.text) and not _ELSEWHERE.search(s.text) and Act.ASK in s.acts and Act.CLOSE not in s.acts
                for s in self.heard.reading.sentences
            )
            and self.asks_about(w)
        )

    def named(self, text: str) -> int | None:
        """Return the open wish that a text names by its action, else by words that no other open wish has. Return None
        if the text names none or several.
        """
        return naming.named(self.script, self._brought(), text)

    def _asks_for_script(self) -> bool:
        """Return whether the agent asks for something that only a simulated user has. Instructions may be a detail of a
        wish.
        """
        known = any("instructions" in request.details for request in self.script.requests)
        return not known and topics.asks_for_script(self.heard.reading.text)

    def _asking(self) -> list[str]:
        """Return the sentences that ask for something, without those that ask for a yes or for further wishes."""
        acts, confirms = {Act.ASK, Act.IDENTIFY}, self.confirms
        assumed = {assumption.asked for assumption, _ in self._assumptions()}
        return [
            s.text
            for s in self.heard.reading.sentences
            if s.text in confirms
            or (
                s.text not in assumed
                and not s.consent
                and (s.acts & acts or _asks(s) or _wants_to_hear(s))
                and not self._of_no_answer(s)
            )
        ]

    def _of_no_answer(self, sentence: Sentence) -> bool:
        """Return whether a question is quoted in a proposal, or asks only for the wish or about a transfer."""
        greeting = (greets(sentence.text) or topics.offers_help(sentence.text)) and not topics.asked(
            [sentence.text], topics.IDENTITY
        )
        people = of_transfer(sentence.text) or mentions_people(sentence.text)
        return (
            greeting
            or (people and self.heard.reading.offers_transfer)
            or (sentence.quoted and self.heard.reading.quotes)
        )

    @property
    def greeted(self) -> bool:
        """Whether the agent asks what it can do for the user."""
        return any(
            topics.offers_help(s.text) or (s.text.endswith("?") and greets(s.text))
            for s in self.heard.reading.sentences
        )

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
            if s.consent and topics.asks_to_confirm(s.text, details, self.patterns) and not self._names_value(s, wishes)
        ]

    def _names_value(self, sentence: Sentence, wishes: Sequence[int]) -> bool:
        words = Words(sentence.text)
        values = [value for w in wishes for value in self.script.requests[w].values.values()]
        return any(words.names(value.says) or any(map(words.name, value.others)) for value in values)

    def _facts(self, asking: Sequence[str], own: Sequence[str], found: UserAnswer, *, lost: bool) -> None:
        """Add the facts about the user that `asking` asks for; `own` are its parts about nobody else. If the user is
        `lost`, they give all that identifies them.
        """
        facts, memory = self.script.facts, self.memory
        persons = [topic for topic in facts if others.TOPICS.fullmatch(topic)]
        theirs = topics.asked(asking, persons)
        wanted = [t for t in facts if t in theirs or t in topics.asked(own, facts)]
        identifies = Act.IDENTIFY in self.heard.reading.acts or lost
        if not wanted and Act.IDENTIFY in self.heard.reading.acts:  # "By your name and zip. Could you give me those?"
            wanted = topics.asked(others.apart((s.text for s in self.heard.reading.sentences), self._names())[0], facts)
        if wanted == theirs and identifies and ((lost and not wanted) or topics.asks_identity(own)):
            wanted = [*wanted, *(t for t in topics.IDENTITY if t in facts)]
        if "name" in facts and "name" not in wanted and topics.asks_who(own):
            wanted = ["name", *wanted]
        unknown = topics.asked(own, self._unknown()) if identifies else []
        missing = [topics.forgotten(t) for t in unknown if not set(wanted) - set(memory.known) or t not in memory.known]
        if (
            wanted and len(unknown) < len(topics.asked(own, topics.IDENTITY)) and any(map(topics.offers_ways, own))
        ):  # one of several ways to be found is enough
            missing = []
        if missing and not wanted:
            wanted = [t for t in topics.IDENTITY if t in facts]
        self._tell(wanted, found, missing)
        memory.known += [t for t in unknown if t not in memory.known]

    def _device(self, asking: Sequence[str], found: UserAnswer) -> None:
        """Say which device or line it is: the one at hand, if the user's own tools show the fault."""
        if any(map(self._asks_device, asking)):
            found.talk.append("this_one")

    def _asks_device(self, text: str) -> bool:
        """Return whether a question asks which device it is of a user who has it at hand, and knows no name for it."""
        named = any("line" in self.script.requests[w].details for w in self._brought())
        at_hand = self.script.requests[self.focus].until is not None and not named
        return at_hand and topics.asks_which_device(text)

    def _tell(self, wanted: Sequence[str], found: UserAnswer, missing: Sequence[str] = ()) -> None:
        """Add those facts of `wanted` that were not told before, else all of them."""
        facts, known = self.script.facts, self.memory.known
        fresh = [t for t in wanted if t not in known]
        texts = [*missing, *(topics.fact(t, facts[t]) for t in (fresh or wanted))]
        found.texts += [text for text in texts if text not in found.texts]
        found.new = found.new or bool(fresh)
        known += fresh

    def _unknown(self) -> list[str]:
        """Return the facts that the user does not know: those of the script, and usual ones that it says nothing of."""
        script, known = self.script, {*self.script.facts, *self.script.unknown}
        details = " ".join(topic for w in self._brought() for topic in script.requests[w].details)
        usual = [t for t in topics.IDENTITY if t not in known and t not in details]
        return [*script.unknown, *(usual if script.facts else ())]

    def _other(self, asked: others.Asked, found: UserAnswer) -> None:
        """Answer a question about another person or place: from the script, else that the user cannot tell."""
        facts, wanted = self.script.facts, topics.asked([asked.text], topics.IDENTITY)
        beyond = [t for t in wanted if t not in ("name", "dob")]
        topic = others.about(asked, facts)
        if topic is not None:
            told = [t for t in beyond if facts.get(t, "").endswith(".")]
            self._tell([topic] if not beyond or len(beyond) < len(wanted) else [], found)
            self._tell(told, found)
            found.texts += _unknown(asked.text, beyond, found.texts)
            return
        if self._in_detail(asked, found):
            found.texts += _unknown(asked.text, beyond, found.texts)
        elif asked.place:
            mine = [t for t in beyond if t in facts and "name" in wanted]  # "the restaurant name and phone number"
            self._tell(mine, found)
            self._of_place([t for t in beyond if t not in mine], found)
        elif asked.self and not self._speaks_for_another():
            found.talk += [] if "myself" in found.talk else ["myself"]
            self._tell([t for t in wanted if t in facts], found)
            either = topics.offers_ways(asked.text) and any(t in facts for t in beyond)
            found.texts += [topics.forgotten(t) for t in wanted if t not in facts and not (either and t in beyond)]
        else:
            found.talk += [] if "only_me" in found.talk else ["only_me"]
            self._tell([t for t in wanted if t in facts and asked.self], found)

    def _speaks_for_another(self) -> bool:
        """Return whether the user's facts, or the wishes that they have brought up, concern another person."""
        known = [self.script.facts, *(self.script.requests[w].details for w in self._brought())]
        return any(others.TOPICS.fullmatch(topic) for part in known for topic in part)

    def _of_place(self, beyond: Sequence[str], found: UserAnswer) -> None:
        """Answer a question about a place or somebody at work. Only the details of the wish may hold the name."""
        found.texts += [topics.unknown_of_other(t) for t in beyond]
        request = self.script.requests[self.focus]
        details = {topic: text for topic, text in request.details.items() if topic not in UNTOLD}
        if beyond or {*details.values(), request.revise} & {*found.texts}:
            return
        self._open_question(found)
        if not {*details.values()} & {*found.texts}:
            told = [self._detail(self.focus, topic) for topic in details]
            found.texts += told or [topics.unknown_of_other("name")]

    def _names(self) -> list[str]:
        """Return the names of the other people in the user's facts and in the wishes that they have brought up."""
        known = [self.script.facts, *(self.script.requests[w].details for w in self._brought())]
        own = set(self.script.facts.get("name", "").lower().split())
        return [name for part in known for name in others.names_in(part) if name not in own]

    def _in_detail(self, asked: others.Asked, found: UserAnswer) -> bool:
        """Return whether a detail of a wish tells who the person is; add it if it is not yet part of the answer."""
        for w in self._brought():
            topic = others.about(asked, self.script.requests[w].details)
            if topic is not None:
                found.new = found.new or f"{w}/{topic}" not in self.memory.given
                text = self._detail(w, topic)
                found.texts += [] if text in found.texts else [text]
                return True
        return False

    def _brought(self) -> list[int]:
        """Return the current wish, then the other open wishes that were brought up."""
        return [self.focus, *(w for w in self.open if w != self.focus and w in self.memory.brought)]

    def _details(self, asking: Sequence[str], found: UserAnswer) -> None:
        """Add the requested details: of the current wish, else of another wish that was brought up."""
        other = {text: self._of_another(text) for text in asking}
        for w in self._brought():
            details = self.script.requests[w].details
            general = [text for text in asking if not other[text]]
            wanted = topics.asked(general, details, self.patterns)
            if w != self.focus:
                wanted = [t for t in wanted if t not in self.script.requests[self.focus].details]
                wanted += topics.asked([text for text in asking if other[text] == w], details, self.patterns)
            wanted = [t for t in dict.fromkeys(wanted) if t not in UNTOLD]
            fresh = [t for t in wanted if f"{w}/{t}" not in self.memory.given]
            for topic in fresh or wanted:
                found.texts.append(self._detail(w, topic))
            found.new = found.new or bool(fresh)

    def _of_another(self, text: str) -> int | None:
        """Return the wish that a question is about, if it is not the current one: the one that it names, else the one
        of the words before it. Only wishes that were brought up count.
        """
        other = naming.another(self.script, self._brought(), self.focus, text)
        return other if other is not None else self._contexts.get(text)

    @cached_property
    def _contexts(self) -> Mapping[str, int]:
        """The wishes of the questions that name none but follow words about another wish. A question for a detail that
        this wish does not have is not about it.
        """
        wishes = self._brought()
        found = naming.contexts(self.script, wishes, self.focus, self.heard.reading.sentences, self.patterns)
        asks = {text: [w for w in wishes if self._asks_of(w, text)] for text in found}
        return {text: w for text, w in found.items() if w in asks[text] or not asks[text]}

    def _asks_of(self, w: int, text: str) -> bool:
        """Return whether a question has the topic of a detail of a wish."""
        return bool(topics.asked([text], self.script.requests[w].details, self.patterns))

    def _others_asked(self, asking: Sequence[str], found: UserAnswer) -> None:
        """Answer the rest of several questions: tell the details that are left, if one of them has no known topic."""
        listed = self._listed()
        for text in asking:
            parts = topics.parts(text) or ([text] if text in listed else [])
            if any(not self._has_topic(part) for part in parts):
                self._open_question(found, self._of_another(text))

    def _listed(self) -> set[str]:
        """Return the entries of lists of requested details. The line before such a list asks for nothing by itself:
        `Please send me:`. The entries below a question are its answers.
        """
        found, heads = set[str](), False
        for sentence in self.heard.reading.sentences:
            if not sentence.entry:
                heads = not sentence.acts and not sentence.text.endswith("?")
            elif heads and Act.ASK in sentence.acts and not sentence.text.endswith("?") and left_open(sentence.text):
                found.add(sentence.text)
        return found

    def _has_topic(self, part: str) -> bool:
        """Return whether a part of a question asks for something that has been recognised."""
        details = {topic for w in self._brought() for topic in self.script.requests[w].details}
        known = (*details, *self.script.facts, *self.script.unknown, *topics.USUAL)
        return (
            bool(topics.asked([part], known, self.patterns) or others.apart([part], self._names())[1])
            or topics.asks_why([part])
            or topics.asks_who([part])
            or self._asks_device(part)
            or on_device(part)
        )

    def _open_question(self, found: UserAnswer, w: int | None = None) -> None:
        """Tell the details that are left, in answer to a question without a topic. A choice may name what is left."""
        w = self.focus if w is None else w
        for topic in self._offered_choice(w) or self.left(w) or self._to_choose(w):
            found.texts.append(self._detail(w, topic))
            found.new = True

    def _offered_choice(self, w: int) -> list[str]:
        """Return the untold details of a wish between whose values a question, and the sentence before it, offers a
        choice: `It can go to your card or to PayPal. Which would you prefer?`
        """
        sentences, found, details = self.heard.reading.sentences, list[str](), self.script.requests[w].details
        asking = {text for text in self._asking() if _FOR_A_CHOICE.search(text)}
        for i, sentence in enumerate(sentences):
            if sentence.text in asking:
                said = " ".join(s.text for s in sentences[max(0, i - 1) : i + 1])
                found += topics.asked([said], details, self.patterns) if " or " in said else []
        return [t for t in dict.fromkeys(found) if t not in UNTOLD and self._untold(w, t)]

    def _to_choose(self, w: int) -> list[str]:
        """Return the untold details of a wish that the message names itself, if it asks for a choice."""
        asks = any(_FOR_A_CHOICE.search(text) for text in self._asking())
        return [t for t in self.script.requests[w].details if t not in UNTOLD and self._untold(w, t)] if asks else []

    def _untold(self, w: int, topic: str) -> bool:
        detail = self.script.requests[w].details[topic]
        return detail not in self.memory.told and f"{w}/{topic}" not in self.memory.given

    def _detail(self, w: int, topic: str) -> str:
        request, memory = self.script.requests[w], self.memory
        text = request.details[topic]
        if f"{w}/{topic}" not in memory.given:
            memory.given.append(f"{w}/{topic}")
        if text not in memory.told:
            memory.told.append(text)
        revised = w in memory.revised and topic in request.revised and request.revise is not None
        return str(request.revise) if revised else text


_FOR_A_CHOICE = re.compile(
    r"\b(?:which|what) (?:one |of (?:them|these|those|the \w+) )?(?:(?:would|do|will|should|shall|may|can) (?:you|i"
    r"|it|we)"
    r"|suits|is it|works|should|appeals|fits)\b"
)
_TO_HEAR = re.compile(
    r"\b(?:can|could|would|will) you (?:please |also |just )*(?:tell me|let me know|say|confirm|choose|specify|pick)"
    r" (?:which|what|where|how|whether)\b"
)
_FOR_A_DETAIL = re.compile(r"\bwhich\b(?! (?:way|other|is what)\b)(?!.*\b(?:else|next)\b)")


def _unknown(asked: str, beyond: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return what the user cannot tell of another person: the facts that no text has told. If the agent has asked for
    one of several facts, one told fact is enough.
    """
    missing = [t for t in beyond if not any(topics.names(t, text) for text in texts)]
    enough = topics.offers_ways(asked) and len(missing) < len(beyond)
    return [] if enough else [topics.unknown_of_other(t) for t in missing]


def _wants_to_hear(sentence: Sentence) -> bool:
    """Return whether a sentence asks to be told something, although its words also tell something."""
    return sentence.text.endswith("?") and sentence.acts <= {Act.TELL} and bool(_TO_HEAR.search(sentence.text))


def _asks(sentence: Sentence) -> bool:
    """Return whether a sentence without acts asks for something: it ends with `?` or with `please`."""
    return not sentence.acts and (sentence.text.endswith("?") or sentence.text.rstrip(".!").endswith("please"))
