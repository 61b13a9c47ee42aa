"""The agenda-based user: deterministic, without model costs, and limited to a customer's knowledge.

The user brings up the wishes of its script and answers questions from its knowledge. It agrees to a proposal that
matches a wish in all values it knows, whether or not a rule allows the change. It corrects values that it knows to be
wrong, asks about an unclear proposal, and declines a change that it did not ask for. It neither says nor confirms facts
that only the records hold. After a refusal it objects once and then accepts. After a report that a change is done, it
goes on to the next wish. A user with own tools carries out the agent's instructions with them, and trusts the tools
rather than the agent. The user says `###STOP###` when every wish is settled, or when the conversation makes no
progress.
"""

from dataclasses import dataclass, replace
from typing import Any

from agent_env_schemas import USER_STOP, UserStrategy
from env_server.domains.discovery import topics_of
from env_server.domains.kit import Request, Task, UserScript
from env_server.reading import Act, Reading, Words, read
from env_server.reading.sentences.handover import mentions_people
from env_server.understanding import ChangePlace, Heard, hear
from env_server.understanding.ear import Ear
from env_server.understanding.told_codes import codes, tellings
from env_server.understanding.topics import names_wish
from env_server.users.base import Hearing, OwnTools, UserReply
from env_server.users.scripted import alternatives, asking_back, topics
from env_server.users.scripted.agenda import Agenda
from env_server.users.scripted.notes import UserMemory
from env_server.users.scripted.phrases import say
from env_server.users.scripted.question_answers import Answers

MOST_IDLE = 4
"""The number of consecutive messages that may move no wish. The user gives up when there are more."""

MOST_TURNS = 80
"""The maximum number of agent messages. After that the user gives up in any case."""

MOST_CONTRADICTIONS = 3
"""The number of proposals against the same wish at which the agent's conduct counts as bad."""


@dataclass(frozen=True)
class Scripted:
    """The strategy. It has no state: all its input comes with each call."""

    name: str = UserStrategy.SCRIPTED.value
    remote: bool = False
    awaits: bool = False

    async def first(self, task: Task, seed: int) -> UserReply:
        """Return a greeting with the first wish, or with all wishes."""
        return _Turn(task, seed, UserMemory()).open()

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """Return the answer to the agent's message, after the user has carried out its instructions with their own
        tools.
        """
        memory = UserMemory.load(notes)
        memory.turn += 1
        return _Turn(task, seed, memory).answer(message, own)


SCRIPTED = Scripted()


class _Turn(Agenda):
    """One user message under construction; `memory` becomes the notes of the message."""

    def __init__(self, task: Task, seed: int, memory: UserMemory) -> None:
        super().__init__(task.user or UserScript(requests=(Request(ask=task.instruction),)), memory)
        self.split = task.split
        self.topics = topics_of(task.domain)
        self.seeds = (self.script.digest, seed, memory.turn)
        self.parts: list[str] = []
        self.agreed: list[ChangePlace] = []
        self.confirmed: list[ChangePlace] = []
        self.moved = False
        """Whether the agent's message has moved a wish."""

        self.gave_up = False
        self.now: Heard | None = None
        """What the agent's message means; None while the user opens the conversation."""

    @property
    def heard(self) -> Heard:
        """What the agent's message means."""
        assert self.now is not None
        return self.now

    # Messages.

    def open(self) -> UserReply:
        """Return the message that opens the conversation."""
        first = self.open_wishes() if self.script.at_once else self.open_wishes()[:1]
        self.memory.brought = list(first)
        asks = [self.script.requests[w].ask for w in first]
        return self._said(self._talk("hello"), asks[0], *(self._talk("besides") + " " + ask for ask in asks[1:]))

    def answer(self, message: str, own: OwnTools) -> UserReply:
        """Return the answer to the agent's `message`."""
        memory, reading = self.memory, read(message)
        if memory.turn > MOST_TURNS or not (self.open_wishes() or self._holds(reading)):
            return self._stop()
        state = frozenset(memory.revised), frozenset(memory.agreed), frozenset(memory.brought), memory.learned
        self.ear = Ear(self.script, self.focus, self.open_wishes(), *state)
        self.now = hear(self.ear, reading)
        self._learn()
        self.answers = Answers(self.script, memory, self.heard, self.focus, self.open_wishes(), self.topics)
        steps = (s for s in reading.doing(Act.INSTRUCT) if Act.PROPOSE not in s.acts)
        proposed = reading.consent and next(steps, None) is None  # what the agent would do itself
        self.shown = own.hands.carry_out(message, own.use) if own.hands is not None and not proposed else []
        if self.shown:
            self.moved = True
            self.parts += self.shown
        self._hear_values()
        self._checked(own)
        self._done()
        self._refused()
        self._offered()
        self._transferred()
        self._informed()
        return self._reply(own)

    def _learn(self) -> None:
        """Note the codes by which the agent calls what the user knows by other words."""
        told = tellings(self.heard.reading)
        for w in self.open_wishes() if told else ():
            for topic, value in self.script.requests[w].known(revised=w in self.memory.revised).items():
                found = list(codes(told, topic, value))
                if found:
                    self.memory.learned[f"{w}/{topic}"] = found

    # Effects of the agent's message, one after the other. Each method adds its part of the user's answer.

    def _hear_values(self) -> None:
        """Note the told values that the user has asked for. A question is settled once all its values were told."""
        fresh = set[int]()
        for w, i in self.heard.told:
            name = f"{w}/{i}"
            known = w in self.memory.brought or any(place.wish == w for place in self.memory.agreed)
            if known and name not in self.memory.heard:
                self.memory.heard.append(name)
                self.moved = True
                fresh.add(w)
        for w in self.open_wishes():
            request = self.script.requests[w]
            settled = request.wants and not request.changes and request.until is None and self._satisfied(w)
            if not settled or (w in fresh and self.answers.asks_about(w)):
                continue
            if w in fresh and (
                untold := self._untold(w, self.heard.words.numbers)
            ):  # the agent cannot mean what the user has in mind
                self.memory.heard = [name for name in self.memory.heard if not name.startswith(f"{w}/")]
                self._complete_question(w, untold)
            else:
                self._close(w, "done")

    def _complete_question(self, w: int, topics: list[str]) -> None:
        for topic in topics:
            self._give(w, topic)
        self.parts += [self._talk("first"), *(self.script.requests[w].details[topic] for topic in topics)]

    def _checked(self, own: OwnTools) -> None:
        """Check with the user's own tools whether it works now, after something was done or reported as done."""
        for w in self.open_wishes():
            until = self.script.requests[w].until
            acts = self.heard.reading.acts
            tried = self.shown or acts & {Act.CLAIM, Act.CLOSE} or topics.works(self.heard.reading.text)
            if until is None or not tried or w not in self.memory.brought:
                continue
            if until.says in own.use(until.name, until.arguments):
                self.parts.append(self._talk("works"))
                self._close(w, "done")
            elif acts & {Act.CLAIM, Act.CLOSE} and not self.shown and not self.heard.reading.consent:
                self.parts.append(self._talk("still"))

    def _done(self) -> None:
        """Record claims. Ask back if a claim is doubtful, or if the agent closes without a claim."""
        reading, memory = self.heard.reading, self.memory
        claims = [p for p in self.heard.claims if self.script.requests[p.wish].until is None and self._is_open(p.wish)]
        if not claims:
            claims = self.confirmed = asking_back.done_now(memory, self.heard)
        memory.asked_done = []
        fresh = [place for place in claims if place not in memory.claimed]
        memory.claimed += fresh
        self.moved = self.moved or bool(fresh)
        for w in self.open_wishes():
            if self._all_claimed(w) or (Act.CLAIM in reading.acts and self._says_little(w)):
                self._after_claims(w, just=any(place.wish == w for place in fresh))
        doubtful = [p for p in self.heard.doubtful if p in memory.agreed and p not in memory.claimed]
        doubtful += [p for p in self.heard.unsure if self._may_be_asked(p)]
        if Act.CLOSE in reading.acts and not claims and not reading.consent:
            doubtful = doubtful or [
                p for p in memory.agreed if p not in memory.claimed and p.wish in self.open_wishes()
            ]
        if doubtful and not claims and not self.heard.refusals:
            self.parts.append(self._talk("done?"))
            memory.asked_done = doubtful
            self.moved = asking_back.first_time(doubtful, memory.wondered_done) or self.moved

    def _after_claims(self, w: int, *, just: bool) -> None:
        request = self.script.requests[w]
        if self._satisfied(w):
            self._close(w, "done")
        elif just or Act.CLOSE in self._acts or self.memory.idle:
            self.parts.append(self._talk("one_more"))
            self.parts.append(request.again[0] if request.again else request.ask)

    def _refused(self) -> None:
        """Object once (and ask for the reason if there is none), then accept. Accept a wanted alternative at once."""
        handed = alternatives.handed_over(self.script, self.heard, self.focus)
        meant = asking_back.meant_no(self.memory, self.heard)
        reasoned = topics.reasons(self.heard.reading.text)
        for w in dict.fromkeys((*self.heard.refusals, *handed, *meant)):
            noted = not reasoned and self.answers.asks_on(w)
            if w not in self.open_wishes() or self._about_aside(w) or noted:
                continue
            self.moved = True
            if w in handed or w in self.memory.insisted or alternatives.offered(self.script, w, self.heard.reading):
                self._close(w, "refused")
                self.parts.append(self._talk("accept"))
                self._take_instead(w)
            else:
                self.memory.insisted.append(w)
                self.parts.append(self._talk("insist" if reasoned else "why"))
        if not (self.heard.refusals or handed):
            self._stands()

    def _take_instead(self, w: int) -> None:
        for place in alternatives.taken(self.script, w, self.open_wishes(), self.heard.reading):
            self.parts += [self.script.requests[place.wish].ask, self._talk("yes")]
            self.memory.brought += [place.wish] if place.wish not in self.memory.brought else []
            self._agree(place)

    def _stands(self) -> None:
        """Accept a refusal as final if the agent goes on, or gives the reason, after the user has objected."""
        for w in list(self.memory.insisted):
            explained = w == self.focus and topics.explains(self.heard.reading.text) and not self.heard.reading.consent
            goes_on = Act.CLOSE in self._acts or (self.heard.unasked and w == self.focus) or explained
            if w in self.open_wishes() and goes_on and not any(o.place.wish == w for o in self.heard.offers):
                self._close(w, "refused")
                self.parts.append(self._talk("accept"))
                self.moved = True

    def _about_aside(self, w: int) -> bool:
        """Return whether a refusal answers the unrelated question that the user has just asked."""
        just_asked = self.memory.aside and self.memory.turn == self.memory.aside + 1
        refusing = Words("\n".join(s.text for s in self.heard.reading.doing(Act.REFUSE)))
        return bool(just_asked and not names_wish(self.script.requests[w], refusing))

    def _offered(self) -> None:
        """Agree to a proposal that matches a wish, correct one that does not, and ask about one that is not clear."""
        memory, closed = self.memory, self.memory.closed
        again = asking_back.proposed_again(memory, self.heard, self.ear)
        offers = [o for o in (*self.heard.offers, *again) if o.place.wish not in closed]
        for offer in offers:
            w, request = offer.place.wish, self.script.requests[offer.place.wish]
            if offer.right and request.revise is not None and w not in memory.revised:
                memory.revised.append(w)
                memory.agreed = [p for p in memory.agreed if p.wish != w]
                self._tell_all(w)
                self.parts.append(request.revise)
                self.moved = True
            elif offer.right:
                self._agree(offer.place)
            elif offer.wrong:
                self._correct(offer.place, offer.wrong)
        short = [o for o in offers if o.missing and not o.wrong and o.place not in memory.offered]
        if offers and not self.agreed and not self.parts and short:
            self._complete(short[0].place, short[0].missing)
        self._ask_back()
        if self.agreed and self._talk("yes") not in self.parts:
            self.parts[len(self.shown) : len(self.shown)] = self._yes()
        if self.answers.confirms:
            return
        if self.heard.unasked and not (again or offers or self.heard.refusals):
            self.parts.append(self._talk("not_asked"))
        elif self.heard.vague and not offers and not self.heard.refusals:
            self._what_exactly()

    def _ask_back(self) -> None:
        """Ask whether the agent wants a yes, if that is in doubt."""
        guessed = [p for p in self.heard.guessed if self._is_open(p.wish) and p not in self.memory.agreed]
        if guessed and not (self.agreed or self.parts or self.answers.offers_choice or self.answers.confirms):
            self.memory.asked_yes = guessed
            self.moved = asking_back.first_time(guessed, self.memory.wondered_yes) or self.moved
            self.parts.append(self._talk("yes?"))

    def _yes(self) -> list[str]:
        """Return a yes to the proposal. If it holds anything else, the yes is to the user's own wishes only."""
        if not (self.heard.unasked and self.heard.offers):
            return [self._talk("yes")]
        return [self._talk("only"), *(self._repeat(w) for w in dict.fromkeys(place.wish for place in self.agreed))]

    def _agree(self, place: ChangePlace) -> None:
        self.agreed.append(place)
        if place not in self.memory.agreed:
            self.memory.agreed.append(place)
            self.moved = True
        self._tell_all(place.wish)
        self.memory.offered = []

    def _correct(self, place: ChangePlace, wrong: tuple[str, ...]) -> None:
        memory, request = self.memory, self.script.requests[place.wish]
        memory.contradicted[place.wish] = memory.contradicted.get(place.wish, 0) + 1
        said = [request.details[t] for t in wrong if t in request.details]
        revised = [request.revise] if place.wish in memory.revised and request.revise else []
        self.parts += [self._talk("wrong"), *(revised or said)]

    def _complete(self, place: ChangePlace, missing: tuple[str, ...]) -> None:
        """Tell the values that a proposal has left out."""
        request = self.script.requests[place.wish]
        if place.wish in self.memory.revised and request.revise and set(missing) & set(request.revised):
            self.parts += [self._talk("first"), request.revise]
            return
        self.memory.offered = [place]
        new = [t for t in missing if self._give(place.wish, t)]
        self.moved = self.moved or bool(new)
        self.parts += [self._talk("first"), *(request.details[t] for t in missing if t in request.details)]

    def _what_exactly(self) -> None:
        """Answer a bare question for a yes: agree to the last proposal if it stands, else ask. A quotation is none."""
        bare = not self.heard.reading.quotes and not self.answers.asks_for_other_than(self.memory.offered)
        named = self.heard.valued or self.open_wishes()
        standing = [p for p in self.memory.offered if bare and p.wish in named]
        if standing:
            for place in standing:
                self._agree(place)
            self.parts.append(self._talk("yes"))
        else:
            self.parts.append(self._talk("what"))

    def _transferred(self) -> None:
        """Answer the offer or the announcement of a transfer: bring up the next wish if the agent asks what else there
        is, else agree or decline.
        """
        reading, memory = self.heard.reading, self.memory
        yes = self._yes_to_transfer()
        announced = reading.hands_over and (Act.TRANSFER not in self._acts or (yes and not memory.put_through))
        if (reading.offers_transfer or announced or asking_back.meant_transfer(memory, self.heard)) and not self.agreed:
            self.moved = self.moved or (yes is not None and not memory.put_through)
            memory.put_through = memory.put_through or yes is not None
            if not (yes and self._next_wishes() and Act.CLOSE in self._acts):
                self.parts.append(yes or self._talk("stay"))
        elif Act.TRANSFER in self._acts and not self.parts and self.open_wishes():
            self.gave_up = memory.warned
            memory.warned = True
            self.parts.append(self._talk("wait"))

    def _informed(self) -> None:
        """Answer the agent's questions, except about a wish that was just refused, and after the last wish."""
        over = self.memory.closed.get(self.answers.focus) == "refused" or not self.open_wishes()
        if over and Act.IDENTIFY not in self._acts and not self.answers.of_another():
            return
        found = self._answers_now().asked()
        if found.refused_to_tell:
            self.parts.append(self._talk("persona"))
        self.parts += [*map(self._talk, found.talk), *found.texts]
        self.moved = self.moved or found.new

    def _answers_now(self) -> Answers:
        """Return the answers of a user who has gone on to the next wish, if the message has settled the current one."""
        left, answers = self.open_wishes(), self.answers
        settled = answers.focus not in left and self.focus in self.memory.brought
        return replace(answers, focus=self.focus, open=left) if settled else answers

    # The end of a turn: the reply.

    @property
    def _acts(self) -> frozenset[Act]:
        return self.heard.reading.acts

    def _reply(self, own: OwnTools) -> UserReply:
        memory = self.memory
        left = self.open_wishes()
        new = self._next_wishes()[:1]
        if not left:
            return self._last_words()
        if new:
            memory.brought += new
            self.moved = True
            if not self.parts:
                self.parts.append(self._talk("next"))
            self.parts.append(self.script.requests[new[0]].ask)
        elif not self.parts:
            self._otherwise()
        worked, memory.calls = own.calls > memory.calls, own.calls
        memory.idle = 0 if self.moved or (worked and (self._understood or self._waiting)) else memory.idle + 1
        if memory.idle > MOST_IDLE or self.gave_up:
            self.gave_up = True
            return self._stop()
        self._ask_aside()
        return self._said(*self.parts)

    def _last_words(self) -> UserReply:
        """Answer when no wish is open: hold the line for a transfer, tell what was seen, answer a question, or end."""
        reading, memory = self.heard.reading, self.memory
        yes = self._yes_to_transfer() if memory.put_through and not memory.warned else None
        self.parts += [yes] if yes is not None else []
        if Act.TRANSFER in reading.acts:
            memory.warned = True
            return self._said(*self.parts, self._talk("wait"))
        more = self.shown or yes is not None or reading.offers_transfer or reading.hands_over or self.answers.asks
        return self._said(*self.parts, self._talk("all")) if more else self._stop()

    @property
    def _understood(self) -> bool:
        return self.now is not None and self.now.understood

    @property
    def _waiting(self) -> bool:
        return self.now is not None and self.now.reading.waits

    def _otherwise(self) -> None:
        """Answer a message of an agent that waits, asks an open question, or says nothing useful."""
        reading, memory = self.heard.reading, self.memory
        if self.answers.greeted and not self.heard.told:
            self.parts += [self._talk("again"), self._repeat(self.focus)]
            return
        if reading.waits and not reading.acts & {Act.ASK, Act.IDENTIFY}:
            self.parts.append(self._talk("wait"))
            return
        asks = reading.consent or reading.acts & {Act.ASK, Act.IDENTIFY}
        if not self.heard.told and Act.REFUSE in reading.doubted and not reading.acts & {Act.ASK, Act.IDENTIFY}:
            memory.asked_no = [self.focus]
            self.parts.append(self._talk("no?"))
            return
        if self.heard.told or (not asks and self._may_be_done(reading)):
            self._after_values()
            return
        if not asks and mentions_people(reading.text):
            memory.asked_transfer = True
            self.parts.append(self._talk("transfer?"))
            return
        if reading.unread:
            self.parts.append(self._talk("puzzled"))
        left = self.answers.left(self.focus)
        if left and reading.acts & {Act.ASK}:
            for topic in left:
                self._give(self.focus, topic)
            self.moved = True
            self.parts += [self.script.requests[self.focus].details[t] for t in left]
            return
        if told := self.answers.told_again(self.focus):
            self.parts += told
            return
        self.parts += [self._talk("again"), self._repeat(self.focus)]

    def _after_values(self) -> None:
        """Ask whether what the user has agreed to is done, else for the rest of the values of the current wish."""
        memory = self.memory
        memory.asked_done = [p for p in memory.agreed if p not in memory.claimed and p.wish == self.focus]
        if memory.asked_done:
            self.parts.append(self._talk("done?"))
        else:
            self.parts += [self._talk("next"), self._repeat(self.focus)]

    def _ask_aside(self) -> None:
        if self.script.aside is not None and not self.memory.aside and self.memory.turn == 2 and len(self.parts) < 3:
            self.memory.aside = self.memory.turn
            self.parts.append(self.script.aside)

    # Helpers.

    def _holds(self, reading: Reading) -> bool:
        """Return whether a user without an open wish stays for a transfer that comes up. They do so once."""
        known = self._yes_to_transfer() is not None and not self.memory.warned
        self.memory.warned = self.memory.warned or (known and (reading.hands_over or reading.offers_transfer))
        return known and self.memory.warned

    def _yes_to_transfer(self) -> str | None:
        """Return the user's consent to a transfer: of a wish refused now or before, else of the current one."""
        return self._transfer_of(self.now.refusals if self.now is not None else ())

    def _close(self, w: int, how: str) -> None:
        self.memory.closed[w] = how
        self.moved = True

    def _talk(self, kind: str) -> str:
        return say(kind, self.script.style, self.split, *self.seeds)

    def _hearing(self) -> Hearing | None:
        if self.now is None:
            return None
        return Hearing(
            self.now,
            tuple(self.agreed),
            tuple(self.confirmed),
            any(count >= MOST_CONTRADICTIONS for count in self.memory.contradicted.values()),
            self.gave_up,
            self._understood or self._waiting or bool(self.parts and self.moved),
        )

    def _said(self, *parts: str) -> UserReply:
        text = " ".join(dict.fromkeys(part for part in parts if part)).replace(USER_STOP, "").strip()
        return UserReply(text or "Hello?", notes=self.memory.dump(), heard=self._hearing())

    def _stop(self) -> UserReply:
        return UserReply(USER_STOP, stop=True, notes=self.memory.dump(), heard=self._hearing())
