"""The agenda-based user: deterministic, free of charge, and knowing only the agent's words.

It works through the task's requests in order. Asked for something, it answers if it knows it; asked to confirm, it
first says what the agent left out or what it has changed its mind about, then yes; refused, it insists once and then
gives in. Where the user has tools of their own, it carries out what the agent tells it to do with them, right or
wrong, says what they showed, and believes them rather than the agent. When the agenda is settled or refused, or
nothing moves any more, it says `###STOP###`.
"""

from dataclasses import dataclass, replace
from typing import Any

from env_server.domains.kit import Request, Task, UserScript
from env_server.domains.said import said
from env_server.users import topics
from env_server.users.base import STOP, Own, Said
from env_server.users.memory import Memory, mentions
from env_server.users.phrases import say
from env_server.users.reading import Reading, read

MOST_IDLE = 4
"""Messages in a row that lead nowhere before the user gives up."""

MOST_TURNS = 60
"""Messages of the agent before the user gives up in any case."""

_ANSWERS_ONLY = frozenset({"confirm", "transfer"})
"""Details that answer one kind of question and are never told unasked."""


@dataclass(frozen=True)
class Scripted:
    """The strategy; all it knows comes with each call."""

    name: str = "scripted"
    remote: bool = False
    awaits: bool = False

    async def first(self, task: Task, seed: int) -> Said:
        """Greet and say the first wish."""
        return _Turn(task, seed, Memory()).open()

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: Own) -> Said:
        """Answer the agent's message, having done with their own tools what it asks for."""
        memory = Memory.load(notes)
        return _Turn(task, seed, replace(memory, turn=memory.turn + 1)).answer(message, own)


SCRIPTED = Scripted()


class _Turn:
    """One message of the user in the making: `memory` becomes the notes it is sent with."""

    def __init__(self, task: Task, seed: int, memory: Memory) -> None:
        self.script = task.user or UserScript(requests=(Request(ask=task.instruction),))
        self.memory = memory
        self.seeds = (task.digest, seed, memory.turn)

    @property
    def request(self) -> Request:
        return self.script.requests[self.memory.at]

    def open(self) -> Said:
        if not self.script.requests:
            return self._stop()
        return self._say(self._talk("hello"), self.request.ask)

    def answer(self, message: str, own: Own) -> Said:
        memory, reading = self.memory, read(message)
        if memory.at >= len(self.script.requests) or memory.turn > MOST_TURNS or reading.transferred:
            return self._stop()
        wanted = sorted({w for r in self.script.requests for w in r.wants} - set(memory.heard))
        heard = [w for w, told in zip(wanted, said(wanted, message), strict=True) if told]
        self.memory = replace(memory, heard=memory.heard + heard)
        if own.hands is not None:
            answer = self._handled(own.hands.carry_out(message, own.use), reading, own)
            if answer is not None:
                return answer
        for step in (self._reported, self._transfer, self._informed, self._refused, self._settled, self._confirmed):
            answer = step(reading)
            if answer is not None:
                return answer
        return self._otherwise(reading)

    # Each step answers the message if it is of its kind, or leaves it (None) to the next.

    def _handled(self, shown: list[str], reading: Reading, own: Own) -> Said | None:
        """Say what the user's own tools `shown` when they did as told; the request is settled once these say so."""
        until = self.request.until
        tries = shown or reading.acted or reading.acted_loosely or reading.more or "work" in reading.text
        if until is not None and tries and until.says in own.use(until.name, until.arguments):
            return self._works(shown)
        if shown:
            self.memory = replace(self.memory, idle=0)
            answer = self._informed(reading)
            still = self._talk("still") if until is not None and reading.more else ""
            return self._say(*shown, answer.content if answer is not None else still)
        claims = until is not None and (reading.acted or reading.more) and not reading.confirms
        return self._idle(self._talk("still"), self.request.ask) if claims else None

    def _works(self, shown: list[str]) -> Said:
        """Say that it works, and bring the next wish or, after the last, wait for a word of goodbye."""
        works = " ".join([*shown, self._talk("works")])
        if self.memory.at + 1 < len(self.script.requests):
            return self._next("works", works)
        self.memory = self.memory.next_request()
        return self._say(works, self._talk("all"))

    def _reported(self, reading: Reading) -> Said | None:
        """The agent reports what was asked or agreed, so nothing in the report is a refusal."""
        if self._only_asks() and self._satisfied():
            return self._next("next", self.request.details["confirm"] if reading.confirms else "")
        acted = reading.acted or reading.acted_loosely
        if self.memory.confirmed and acted and not reading.confirms and self._satisfied():
            return self._next("next")
        return None

    def _transfer(self, reading: Reading) -> Said | None:
        agreed = self.request.details.get("transfer")
        if reading.transfers and not reading.offers_transfer:
            if self.memory.warned:
                return self._stop()
            self.memory = replace(self.memory, warned=True)
            return self._idle(self._talk("wait"))
        if not reading.offers_transfer or (reading.refuses and agreed is None):
            return None
        return self._idle(agreed or self._talk("stay"))

    def _informed(self, reading: Reading) -> Said | None:
        """Answer what is asked and was not yet told."""
        facts, details, memory = self.script.facts, self.request.details, self.memory
        known = [t for t in self._asked_facts(reading) if t not in memory.known]
        wanted = [t for t in topics.asked(reading.asking, details) if t not in memory.given]
        wanted = [t for t in wanted if t not in _ANSWERS_ONLY]
        if reading.confirms:
            wanted = [t for t in wanted if not mentions(details[t], reading.text)]
        if reading.refuses and memory.insisted and not known:
            return None
        if "address" in wanted:
            known = [t for t in known if t != "zip"]
        unknown = [t for t in topics.asked(reading.asking, self.script.unknown) if t not in memory.known]
        if not known and not wanted and (not unknown or reading.confirms):
            return self._sign_in(reading)
        missing = [_KEPT.get(t, f"I do not remember my {_words(t)}.") for t in unknown if "address" not in wanted]
        if missing and not known:
            known = [t for t in topics.IDENTITY if t in facts and t not in memory.known]
        self.memory = replace(
            memory, idle=0, known=memory.known + known + unknown * bool(missing), given=memory.given + wanted
        )
        self._remember(wanted)
        return self._say(*missing, *(self._fact(t) for t in known), *(details[t] for t in wanted))

    def _asked_facts(self, reading: Reading) -> list[str]:
        facts = self.script.facts
        found = topics.asked(reading.asking, facts)
        if not found and topics.asks_identity(reading.asking):
            found = [t for t in topics.IDENTITY if t in facts]
        return found

    def _sign_in(self, reading: Reading) -> Said | None:
        """The agent did not find the user: tell all that identifies them, once more if need be."""
        if not reading.lost or self.memory.confirmed:
            return None
        found = [t for t in topics.IDENTITY if t in self.script.facts]
        self.memory = replace(self.memory, known=sorted({*self.memory.known, *found}))
        return self._idle(*(self._fact(t) for t in found)) if found else None

    def _refused(self, reading: Reading) -> Said | None:
        diverts = reading.confirms and self._stands_firm() and (reading.alternative or self.memory.idle > 0)
        gives_in = self.memory.insisted and (reading.more or reading.acted or reading.alternative)
        if not (reading.refuses or diverts or gives_in):
            return None
        if self.memory.insisted:
            return self._next("accept")
        self.memory = replace(self.memory, insisted=True)
        return self._say(self._talk("insist"), self.request.ask)

    def _stands_firm(self) -> bool:
        """Whether the user agrees to nothing but their own wish: another offer then counts as a refusal."""
        return "confirm" in self.request.details and not self.request.wants

    def _settled(self, reading: Reading) -> Said | None:
        if "transfer" in self.request.details:
            return None
        if not self._satisfied():
            told = self.memory.confirmed and (reading.acted_loosely or reading.more) and not reading.confirms
            return self._idle("There was one more thing I wanted to hear:", self.request.ask) if told else None
        if reading.confirms and not self.memory.confirmed:
            return None
        reported = reading.acted or (self.memory.confirmed and (reading.acted_loosely or reading.more))
        return self._next("next") if reported else None

    def _confirmed(self, reading: Reading) -> Said | None:
        if not reading.confirms or (reading.chooses and topics.asked(reading.asking, self.request.details)):
            return None
        left = self._left(reading)
        if "confirm" in self.request.details:
            return self._idle(self.request.details["confirm"])
        if left:
            return self._tell(left, self._talk("first"))
        if self.request.revise is not None and not self.memory.revised:
            self.memory = replace(self.memory, revised=True, idle=0)
            return self._say(self.request.revise)
        idle = self.memory.idle + 1 if self.memory.confirmed else 0
        self.memory = replace(self.memory, confirmed=True, idle=idle)
        return self._stop() if idle > MOST_IDLE else self._say(self._talk("yes"))

    def _otherwise(self, reading: Reading) -> Said:
        """The agent asks again, asks openly, waits, or says nothing that helps."""
        facts, details = self._asked_facts(reading), self.request.details
        again = [details[t] for t in topics.asked(reading.asking, details) if t not in _ANSWERS_ONLY]
        if facts and not again:
            again = [self._fact(t) for t in facts]
        if again:
            return self._idle(*again)
        if reading.complete:
            return self._idle(self._talk("complete"))
        left = self._left(reading)
        if left and not reading.more and (reading.questions or self.memory.known):
            return self._tell(left, *(self._heard_already(left, reading) if reading.questions else ()))
        if self.memory.confirmed and reading.waits and not reading.questions:
            return self._idle(self._talk("wait"))
        if self.memory.turn == 1:
            return self._idle(self.request.ask, self._talk("help"))
        beyond = self._names_a_topic(reading)
        tail = self._talk("nothing_more") if beyond and not left else ""
        return self._idle(self._talk("again"), *self._wish(whole=not left), tail)

    def _names_a_topic(self, reading: Reading) -> bool:
        return bool(topics.asked(reading.asking, topics.USUAL))

    def _heard_already(self, left: list[str], reading: Reading) -> list[str]:
        """The wish as far as it was told; its details only if the question is open."""
        if self._names_a_topic(reading):
            return [self.request.ask]
        told = [d for t, d in self.request.details.items() if t in self.memory.given and t not in left]
        return [self.request.ask, *told]

    def _wish(self, *, whole: bool) -> list[str]:
        """What is wanted now: with its details if the agent has been told the `whole`, and as revised once it was."""
        request = self.request
        details = [d for t, d in request.details.items() if t not in _ANSWERS_ONLY] if whole else []
        revised = [request.revise] if request.revise is not None and self.memory.revised else []
        return [request.ask, *details, *revised] if details else revised or [request.ask]

    def _only_asks(self) -> bool:
        """Whether this request wants nothing but to be told something."""
        return bool(self.request.wants) and "confirm" in self.request.details

    def _satisfied(self) -> bool:
        """Whether all values this request waits for were told."""
        return set(self.request.wants) <= set(self.memory.heard)

    def _left(self, reading: Reading) -> list[str]:
        """Details not yet told in any request, apart from those the agent has just said itself."""
        request, memory = self.request, self.memory
        untold = {t: d for t, d in request.details.items() if t not in _ANSWERS_ONLY and d not in memory.told}
        text = f"{reading.text} {request.ask.lower()}"
        return [t for t, detail in untold.items() if t not in memory.given and not mentions(detail, text)]

    def _remember(self, topics_told: list[str]) -> None:
        texts = [self.request.details[t] for t in topics_told]
        self.memory = replace(self.memory, told=sorted({*self.memory.told, *texts}))

    def _tell(self, left: list[str], *before: str) -> Said:
        self.memory = replace(self.memory, idle=0, given=self.memory.given + left)
        self._remember(left)
        return self._say(*before, *(self.request.details[t] for t in left))

    def _fact(self, topic: str) -> str:
        return f"My {_words(topic)} is {self.script.facts[topic]}."

    def _next(self, kind: str, before: str = "") -> Said:
        """Leave this request for the next; after the last, stop."""
        self.memory = self.memory.next_request()
        if self.memory.at >= len(self.script.requests):
            return self._stop()
        return self._say(before or self._talk(kind), self.request.ask)

    def _idle(self, *parts: str) -> Said:
        """Say something that brings nothing new; after too many of these, give up."""
        self.memory = replace(self.memory, idle=self.memory.idle + 1)
        return self._stop() if self.memory.idle > MOST_IDLE else self._say(*parts)

    def _talk(self, kind: str) -> str:
        return say(kind, self.script.style, *self.seeds)

    def _say(self, *parts: str) -> Said:
        text = " ".join(part for part in parts if part).replace(STOP, "").strip()
        return Said(text or "Hello?", notes=self.memory.dump())

    def _stop(self) -> Said:
        return Said(STOP, stop=True, notes=self.memory.dump())


_WORDS = {
    "zip": "zip code",
    "email": "email address",
    "user_id": "user id",
    "dob": "date of birth",
    "phone": "phone number",
}
_KEPT = {"dob": "I would rather not tell my date of birth."}
"""What a user who does not tell a fact says, where it is nothing that one forgets."""


def _words(topic: str) -> str:
    return _WORDS.get(topic, topic.replace("_", " "))
