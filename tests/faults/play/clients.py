"""Clients: each plays episodes, sends a request again until it is answered, and keeps what it was told."""

import asyncio
import random
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

import orjson

from agent_env_schemas import ErrorCode, StepRequest

LOST_TO_ANOTHER = {ErrorCode.TURN_CONFLICT, ErrorCode.EPISODE_OVER, ErrorCode.NOT_FORKABLE}
"""Answers that a client gets because another client, or the server, was first. The ledger holds them to the records."""


@dataclass(frozen=True)
class Reply:
    """An answer over HTTP."""

    status: int
    body: bytes


class Wire(Protocol):
    """The way to the servers. Both calls return the answer, or None if none came."""

    async def post(self, path: str, body: bytes) -> Reply | None:
        """Send a request."""

    async def keyed(self, request: StepRequest, key: str) -> Reply | None:
        """Send a message with a key in the place of a turn's number."""

    def trace(self, line: str) -> None:
        """Write down what happened."""


@dataclass(frozen=True)
class Pace:
    """How long clients wait, in seconds, and which of them do special things, as probabilities."""

    start_s: float = 2.0
    """The longest time before the first request."""

    retry_s: float = 1.0
    """The longest time before a request is sent again."""

    idle_s: tuple[float, ...] = (4.0, 90.0)
    """How long an idle client does nothing."""

    close_s: float = 20.0
    """The longest time after which an episode is closed while it is played."""

    keyed: float = 0.3
    """How often a message comes with a key."""


@dataclass(frozen=True)
class Acknowledged:
    """A request that was answered with 200: its path, or its key, its body, and the answer."""

    path: str | None
    key: str | None
    body: bytes
    answer: bytes

    @property
    def told(self) -> Any:
        """The answer as data."""
        return orjson.loads(self.answer)


@dataclass(frozen=True)
class Refused:
    """A request that was refused for good."""

    body: Any
    code: str


@dataclass
class Played:
    """What a client knows of an episode."""

    episode_id: str
    domain: str
    turn: int = 0
    over: bool = False


@dataclass
class Ledger:
    """What all clients were told."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    episodes: list[Played] = field(default_factory=list)


@dataclass
class Client:
    """One client. `notes` makes texts that no other message has."""

    name: str
    wire: Wire
    ledger: Ledger
    rng: random.Random
    pace: Pace = Pace()
    notes: Any = field(default_factory=count)

    async def play(self) -> None:
        """Play one episode, or a group of two, and perhaps a fork."""
        await asyncio.sleep(self.rng.uniform(0, self.pace.start_s))
        domain = self.rng.choice(["tally", "post"])
        body: dict[str, Any] = {"domain": domain, "user": {"strategy": "none"}, "idempotency_key": f"reset-{self.name}"}
        many = self.rng.random() < 0.2
        begun = await self._post("/reset", {**body, **({"n": 2} if many else {})})
        if "code" in begun:
            return
        for reply in begun["episodes"] if many else [begun]:
            await self._episode(Played(reply["episode_id"], domain))

    async def _episode(self, played: Played) -> None:
        self.ledger.episodes.append(played)
        rivals: list[asyncio.Task[Any]] = []
        if self.rng.random() < 0.15:
            rivals.append(asyncio.create_task(self._close(played, self.rng.uniform(0, self.pace.close_s))))
        for _ in range(self.rng.randint(1, 5)):
            if self.rng.random() < 0.1:
                await asyncio.sleep(self.rng.choice(self.pace.idle_s))
            if self.rng.random() < 0.15:
                rivals.append(asyncio.create_task(self._turn(played, self._action(played), played.turn + 1)))
            if self.rng.random() < self.pace.keyed:
                await self._keyed(played)
            else:
                await self._turn(played, self._action(played), played.turn + 1)
            if played.over:
                break
            if self.rng.random() < 0.1 and played.turn:
                await self._fork(played)
        if not played.over and self.rng.random() < 0.7:
            await self._turn(played, {"tool_calls": [_call("submit_answer", answer="yes")]}, played.turn + 1)
        await asyncio.gather(*rivals)

    async def _turn(self, played: Played, action: Any, turn: int) -> None:
        """Play a turn by its number."""
        told = await self._post("/step", {"episode_id": played.episode_id, "turn": turn, "action": action})
        self._after(played, told, turn)

    async def _keyed(self, played: Played) -> None:
        """Play a message with a key."""
        key = f"key-{self.name}-{next(self.notes)}"
        body = {"episode_id": played.episode_id, "action": self._action(played)}
        told = await self._answered(None, key, orjson.dumps(body))
        self._after(played, told, played.turn + 1)

    def _after(self, played: Played, told: Any, turn: int) -> None:
        if "code" in told:
            played.over |= told["code"] == ErrorCode.EPISODE_OVER
            played.turn = max(played.turn, turn)  # another client has played it
        else:
            played.turn = max(played.turn, told["turn"])
            played.over |= told["done"]

    async def _fork(self, played: Played) -> None:
        """Fork after the newest turn, and play the fork on."""
        turn = played.turn
        body = {"turn": turn, "idempotency_key": f"fork-{self.name}-{next(self.notes)}"}
        told = await self._post(f"/episodes/{played.episode_id}/fork", body)
        if "code" not in told:
            fork = Played(told["episode_id"], played.domain, turn)
            self.ledger.episodes.append(fork)
            await self._turn(fork, self._action(fork), turn + 1)

    async def end(self, episode_id: str) -> None:
        """Close an episode, if it is not over."""
        await self._post(f"/episodes/{episode_id}/close", {})

    async def _close(self, played: Played, after_s: float) -> None:
        """Close the episode, whatever is played meanwhile."""
        await asyncio.sleep(after_s)
        await self._post(f"/episodes/{played.episode_id}/close", {})
        played.over = True

    def _action(self, played: Played) -> Any:
        names = ["add", "total"] if played.domain == "tally" else ["add", "look", "send", "send"]
        return {"tool_calls": [self._made(self.rng.choice(names)) for _ in range(self.rng.randint(1, 3))]}

    def _made(self, name: str) -> Any:
        note = f"{self.name}.{next(self.notes)}"
        if name == "add":
            return _call("add", amount=self.rng.randint(1, 9), note=note)
        return _call("total", note=note) if name == "total" else _call(name, text=note)

    async def _post(self, path: str, body: Any) -> Any:
        return await self._answered(path, None, orjson.dumps(body))

    async def _answered(self, path: str | None, key: str | None, body: bytes) -> Any:
        """Send a request until it is answered for good, and keep what was told."""
        while True:
            reply = await self._once(path, key, body)
            if reply is not None and reply.status == 200:
                self.ledger.acknowledged.append(Acknowledged(path, key, body, reply.body))
                self.wire.trace(f"{self.name} ACK {path or key} {body.decode()}")
                return orjson.loads(reply.body)
            if reply is not None:
                problem = orjson.loads(reply.body)
                self.wire.trace(f"{self.name} {problem['code']}: {problem.get('detail')} {path or key} {body.decode()}")
                if not problem["retryable"]:
                    self.ledger.refused.append(Refused(orjson.loads(body), problem["code"]))
                    return problem
            await asyncio.sleep(self.rng.uniform(0.05, 1.0) * self.pace.retry_s)

    async def _once(self, path: str | None, key: str | None, body: bytes) -> Reply | None:
        if path is not None:
            return await self.wire.post(path, body)
        assert key is not None
        return await self.wire.keyed(StepRequest.model_validate_json(body), key)


def _call(name: str, **arguments: Any) -> Any:
    return {"name": name, "arguments": arguments}
