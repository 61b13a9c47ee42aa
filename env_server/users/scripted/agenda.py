"""The user's wishes in the course of a conversation: which of them are open, and what was said of them."""

from collections.abc import Collection, Sequence
from decimal import Decimal

from env_server.domains.kit import UserScript
from env_server.reading import Reading, Words
from env_server.understanding import ChangePlace
from env_server.users.scripted.asking_back import may_be_done
from env_server.users.scripted.notes import UserMemory


class Agenda:
    """The wishes of a script, and their state in the user's memory."""

    def __init__(self, script: UserScript, memory: UserMemory) -> None:
        self.script = script
        self.memory = memory

    def open_wishes(self) -> list[int]:
        """Return the wishes that are not settled, without those that wait for a refusal."""
        closed = self.memory.closed
        return [
            w
            for w, wish in enumerate(self.script.requests)
            if w not in closed and (not wish.instead or closed.get(w - 1) == "refused")
        ]

    def _is_open(self, w: int) -> bool:
        return w in self.open_wishes()

    @property
    def focus(self) -> int:
        """The current wish: the first open one, else the last of all."""
        return next(iter(self.open_wishes()), len(self.script.requests) - 1)

    def _next_wishes(self) -> list[int]:
        """Return the wishes to bring up now: those not yet brought up, if none of the others is open."""
        left = self.open_wishes()
        new = [w for w in left if w not in self.memory.brought]
        last = not set(self.memory.brought) & set(left) or (new and self.script.requests[new[0]].instead)
        return new if last else []

    def _satisfied(self, w: int) -> bool:
        """Return whether all values that this wish waits for were told."""
        return all(f"{w}/{i}" in self.memory.heard for i in range(len(self.script.requests[w].wants)))

    def _may_be_asked(self, place: ChangePlace) -> bool:
        """Return whether the user may ask about a change: its wish is open, and no report or own tool has shown it."""
        return (
            self._is_open(place.wish)
            and place not in self.memory.claimed
            and self.script.requests[place.wish].until is None
        )

    def _may_be_done(self, reading: Reading) -> bool:
        """Return whether a message may report a change of the current wish to which the user has agreed, and that no
        report has settled.
        """
        left = [p for p in self.memory.agreed if p not in self.memory.claimed and p.wish == self.focus]
        return any(may_be_done(self.script.requests[p.wish].changes[p.change], reading) for p in left)

    def _all_claimed(self, w: int) -> bool:
        changes = self.script.requests[w].changes
        return bool(changes) and all(ChangePlace(w, c) in self.memory.claimed for c in range(len(changes)))

    def _give(self, w: int, topic: str) -> bool:
        """Note that a detail is told; return whether it is new."""
        name, text = f"{w}/{topic}", self.script.requests[w].details.get(topic)
        if text is not None and text not in self.memory.told:
            self.memory.told.append(text)
        if name in self.memory.given:
            return False
        self.memory.given.append(name)
        return True

    def _tell_all(self, w: int) -> None:
        """Mark all values of the wish as told, because the agent has said them itself."""
        for topic in self.script.requests[w].values:
            self._give(w, topic)

    def _repeat(self, w: int) -> str:
        """Return the wish in other words."""
        request, count = self.script.requests[w], self.memory.repeats.get(w, 0)
        self.memory.repeats[w] = count + 1
        if w in self.memory.revised and request.revise is not None:
            return request.revise
        wordings = (*request.again, request.ask)
        return wordings[count % len(wordings)]

    def _says_little(self, w: int) -> bool:
        """Return whether a wish names nothing that the user agrees to or waits for. Then any report settles it."""
        request = self.script.requests[w]
        return not (request.changes or request.wants or request.until)

    def _transfer_of(self, refused: Sequence[int]) -> str | None:
        """Return the user's consent to a transfer: of a wish `refused` now or before, else of the current one."""
        wishes = (*refused, *(w for w, how in self.memory.closed.items() if how == "refused"), self.focus)
        details = (self.script.requests[w].details for w in wishes)
        return next((detail["transfer"] for detail in details if "transfer" in detail), None)

    def _untold(self, w: int, said: Collection[Decimal]) -> list[str]:
        """Return the topics of a question whose figures the user has not told yet, and are not among those `said`."""
        request = self.script.requests[w]
        waiting = (topic for topic in request.details if f"{w}/{topic}" not in self.memory.given)
        figures = {
            topic: set(Words(request.details[topic]).numbers) for topic in waiting if topic not in request.values
        }
        return [topic for topic, numbers in figures.items() if numbers - set(said)]
