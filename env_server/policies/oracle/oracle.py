"""The oracle: it knows the reference solution and the facts to tell, and behaves like a good agent.

It asks for the caller's identity, makes gold's look-ups, asks for the details, proposes each change and waits for the
yes. Then it makes the change and reports it. It refuses with the reason, tells values, and transfers the user after
giving the reason. If a task has no script, it plays gold in silence.
"""

import hashlib
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import GoldCallSpec, Message
from env_server.policies.base import AgentMove, Brief, Policy, calls, says
from env_server.policies.oracle.phrasing import PHRASINGS, Phrasing
from env_server.policies.rules.gold import finished, gold, request
from env_server.understanding.naming import words_of

Talk = Generator[AgentMove, str, None]
"""A generator that yields the agent's moves and receives the user's words."""

TRIES = 3
"""The maximum number of proposals of a change. After that the oracle continues without a yes."""

DONE = "Yes, that is done. Is there anything else?"
"""The answer to a user who asks whether a change is done."""

_YES = re.compile(r"(?:^|[.!?:;]\s+)(?:yes|yeah|sure|go ahead|please do)\b", re.IGNORECASE)

STOPS = 12
"""The number of closing messages before it leaves."""


def oracle(brief: Brief) -> Policy:
    """Return the policy that plays the reference solution as a talking agent; the brief's seed decides the wording."""
    if brief.solo or brief.script is None:
        return gold(brief)
    return talking(brief, PHRASINGS[hashlib.sha256(brief.seed.encode()).digest()[0] % len(PHRASINGS)])


def talking(brief: Brief, phrasing: Phrasing) -> Policy:
    """Return the oracle with one phrasing."""
    assert brief.script is not None  # callers ensure that there is a script
    return _Talking(_Lines(brief, brief.script, phrasing).talk())


@dataclass
class _Talking:
    """A policy that passes the user's words to a generator and plays the moves that it yields."""

    lines: Talk
    begun: bool = False

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next message."""
        words = " ".join(message.content for message in heard if message.role == "user")
        try:
            if self.begun:
                return self.lines.send(words)
            self.begun = True
            return next(self.lines)
        except StopIteration:
            return None


class _Lines:
    """The conversation of one episode."""

    def __init__(self, brief: Brief, script: Mapping[str, Any], phrasing: Phrasing) -> None:
        self.brief, self.script, self.phrasing = brief, script, phrasing
        self.requests: Sequence[Mapping[str, Any]] = script["requests"]
        self.left = list(brief.gold.actions)
        self.shapes = [s for r in self.requests for change in r.get("changes", ()) for s in change["calls"]]
        self.refused: set[int] = set()
        self.last = ""
        self.told: list[str] = []

    def talk(self) -> Talk:
        """Yield the moves of the whole conversation."""
        yield from self._say(self.phrasing.greet.format(who=self._who()))
        for w, wish in enumerate(self.requests):
            if wish.get("instead") and w - 1 not in self.refused:
                continue
            yield from self._wish(w, wish)
        yield from self._rest()
        untold = [output for output in self.brief.gold.outputs if not any(output in text for text in self.told)]
        if untold or not self.brief.dues:
            yield from self._say(finished(untold))
        for _ in range(STOPS):
            yield from self._say(DONE if "done" in self.last.lower() else self.phrasing.more, last=True)

    def _who(self) -> str:
        facts = [words_of(topic) for topic in self.script.get("facts", {})]
        return _listed(facts) or "name"

    def _wish(self, w: int, wish: Mapping[str, Any]) -> Talk:
        topics = [topic for topic in wish.get("details", {}) if topic != "transfer"]
        if topics:
            yield from self._say(self.phrasing.ask.format(topics=_listed([f"the {words_of(t)}" for t in topics])))
        yield from self._looks()
        dues = [due for due in self.brief.dues if due["wish"] == w]
        reason = next((due for due in dues if due["kind"] != "tell"), None)
        if reason is not None and reason["kind"] == "refuse":
            yield from self._refuse(w, wish, reason)
            return
        if reason is not None:
            yield from self._say(self.phrasing.transfer.format(fact=reason["says"]))
            yield from self._rest()
            return
        done = []
        for change in wish.get("changes", ()):
            if any(_fits(change, call) for call in self.left):
                yield from self._change(wish, change)
                done.append(change["done"])
        yield from self._users_calls()
        tells = [due["says"] for due in dues]
        lines = [self.phrasing.claim.format(done=" and ".join(done))] if done else []
        lines += [self.phrasing.tell.format(tell=" ".join(tells))] if tells else []
        if lines:
            yield from self._say(" ".join(lines))

    def _refuse(self, w: int, wish: Mapping[str, Any], reason: Mapping[str, Any]) -> Talk:
        self.refused.add(w)
        changes = wish.get("changes", ())
        plan = changes[0]["plan"] if changes else "do that"
        yield from self._say(self.phrasing.refuse.format(plan=plan, fact=reason["says"]))
        yield from self._say(self.phrasing.refuse_again.format(plan=plan, fact=reason["says"]))

    def _change(self, wish: Mapping[str, Any], change: Mapping[str, Any]) -> Talk:
        yield from self._until(change)
        plan = _first_plan(wish, change) if wish.get("revised") else change["plan"]
        template = self.phrasing.propose
        for _ in range(TRIES):
            yield from self._say(template.format(plan=plan))
            if wish.get("revise") and wish["revise"] in self.last:
                plan = change["plan"]
            elif _agrees(self.last):
                break
            template = self.phrasing.propose_again
        yield from self._make(change)

    def _make(self, change: Mapping[str, Any]) -> Talk:
        """Make the calls of a change, with the look-ups in between. A basket may need more calls than it has shapes."""
        made, shapes = 0, change["calls"]
        while any(_fits(change, call) for call in self.left) and (len(shapes) > 1 or made < 1):
            call = self.left[0]
            if not (_fits(change, call) or self._is_look(call)):
                return
            made += _fits(change, call)
            yield from self._call(self.left.pop(0))

    def _until(self, change: Mapping[str, Any]) -> Talk:
        """Make the look-ups before a change, and ask the user for their calls before it."""
        while self.left and not _fits(change, self.left[0]):
            if not (self.left[0].requestor == "user" or self._is_look(self.left[0])):
                return
            yield from self._call(self.left.pop(0))

    def _looks(self) -> Talk:
        while self.left and self._is_look(self.left[0]):
            yield from self._call(self.left.pop(0))

    def _users_calls(self) -> Talk:
        """Ask the user for their own calls, and make the look-ups in between."""
        while self.left and (self.left[0].requestor == "user" or self._is_look(self.left[0])):
            yield from self._call(self.left.pop(0))

    def _rest(self) -> Talk:
        while self.left:
            yield from self._call(self.left.pop(0))

    def _call(self, call: GoldCallSpec) -> Talk:
        if call.requestor == "user":
            self.last = yield request(self.brief, call)
        else:
            self.last = yield calls(call.name, call.arguments)

    def _say(self, words: str, *, last: bool = False) -> Talk:
        self.told.append(words)
        self.last = yield says(words, last=last)

    def _is_look(self, call: GoldCallSpec) -> bool:
        if call.requestor == "user" or call.name in self.brief.transfers:
            return False
        return not any(shape["name"] == call.name for shape in self.shapes)


def _first_plan(wish: Mapping[str, Any], change: Mapping[str, Any]) -> str:
    """Return the change as the user wanted it before they changed their mind."""
    values = wish.get("values", {})
    named = [_words(values[topic]["says"][0]) for topic in change["names"] if topic in values]
    return f"{change['verbs'][0]} as you said: {', '.join(named)}"


def _words(form: str | Sequence[str]) -> str:
    return form if isinstance(form, str) else ", ".join(form)


def _fits(change: Mapping[str, Any], call: GoldCallSpec) -> bool:
    """Return whether a call belongs to a change, judged by the arguments that the user knows."""
    shapes = [shape for shape in change["calls"] if shape["name"] == call.name]
    return any(all(call.arguments.get(k) == v for k, v in shape["arguments"].items()) for shape in shapes)


def _agrees(words: str) -> bool:
    """Return whether any sentence begins with a yes."""
    return _YES.search(words) is not None


def _listed(parts: Sequence[str]) -> str:
    *head, last = parts or ("",)
    return f"{', '.join(head)} and {last}" if head else last
