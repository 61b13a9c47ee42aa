"""Trainers that play many episodes at once and send a request again, unchanged, until it is answered."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, NamedTuple, Self

import httpx2

from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall, Task

ANSWERED = 300.0
"""Seconds within which a restarted server must have answered."""


class Exchange(NamedTuple):
    """One acknowledged request: what was asked, and the bytes that came."""

    path: str
    body: dict[str, Any]
    answer: bytes


@dataclass
class Trainer:
    """A client of one or several servers on one database; requests go to them in turn."""

    urls: Sequence[str]
    exchanges: list[Exchange] = field(default_factory=list)
    broken: int = 0
    """Requests whose connection broke, and which were sent again."""

    def __post_init__(self) -> None:
        """Prepare the connections."""
        self._turns = cycle(self.urls)
        self._client = httpx2.AsyncClient(timeout=ANSWERED, limits=httpx2.Limits(max_connections=64))

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first request."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """Return the acknowledged reply. After a broken connection or a retryable problem, send the request again."""
        async with asyncio.timeout(ANSWERED):
            while True:
                response = await self._try(path, body)
                if response is not None:
                    self.exchanges.append(Exchange(path, body, response.content))
                    return response.json()
                await asyncio.sleep(0.1)

    async def _try(self, path: str, body: dict[str, Any]) -> httpx2.Response | None:
        try:
            response = await self._client.post(next(self._turns) + path, json=body)
        except httpx2.TransportError:
            self.broken += 1
            return None
        if response.status_code != 200:
            assert response.json()["retryable"], response.text
            return None
        return response

    async def get(self, path: str) -> Any:
        """The reply to a GET."""
        response = await self._client.get(next(self._turns) + path)
        assert response.status_code == 200, response.text
        return response.json()


@dataclass(frozen=True)
class Asked:
    """A call that the user makes. The agent asks for it in words, and an external user follows them."""

    words: str
    call: GoldCall

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The messages of an external user who makes the call."""
        return [{"tool_calls": [{"name": self.call.name, "arguments": self.call.arguments}]}, {"content": "Done."}]


def _action(task: Task, call: GoldCall) -> Any:
    hands = domains()[task.domain].hands
    if call.requestor == "user" and hands is not None:
        return Asked(hands.instruct(call), call)
    return {"tool_calls": [{"name": call.name, "arguments": call.arguments}]}


async def play(trainer: Trainer, name: str, task: Task) -> list[Any]:
    """Play `task` by its gold, fork half-way and play the fork to the same end; all replies in order.

    With an even number in `name` the user is external, else scripted. A task for an agent alone has no user.
    """
    external = int(name) % 2 == 0 and task.user is not None
    user = {"strategy": "none" if task.user is None else "external" if external else "scripted"}
    begin = {"domain": task.domain, "task_id": task.task_id, "user": user, "conduct": "off", "max_turns": 60}
    begun = await trainer.post("/reset", begin | {"idempotency_key": f"reset-{name}"})
    replies = [begun]
    episode = begun["episode_id"]
    if external:
        replies.append(await trainer.post(f"/episodes/{episode}/user", {"turn": 0, "content": "Hello, I need help."}))
    calls = [_action(task, call) for call in task.gold.actions]
    thought = {"tool_calls": [{"name": "think", "arguments": {"thought": "?"}}]}
    padded: list[Any] = [action for call in calls for action in (thought, call)]
    half = len(padded) // 2
    first = await _steps(trainer, episode, 1, padded[:half], external)
    fork = await trainer.post(f"/episodes/{episode}/fork", {"turn": half, "idempotency_key": f"fork-{name}"})
    words = "Here is what you asked for: " + "; ".join(task.gold.outputs) + ". All of it is done."
    ends = await asyncio.gather(
        *(_finish(trainer, e, half + 1, padded[half:], words, external) for e in (episode, fork["episode_id"]))
    )
    return [*replies, *first, fork, *ends[0], *ends[1]]


async def _finish(
    trainer: Trainer, episode: str, turn: int, actions: list[Any], words: str, external: bool
) -> list[Any]:
    """The rest of the gold, then words until the user has had enough."""
    replies = await _steps(trainer, episode, turn, actions, external)
    turn += len(actions)
    while not replies or not replies[-1]["done"]:
        replies += await _steps(trainer, episode, turn, [words], external)
        if external and not replies[-1]["done"]:
            stop = {"turn": turn, "content": "###STOP###"}
            replies.append(await trainer.post(f"/episodes/{episode}/user", stop))
        turn += 1
    return replies


async def _steps(trainer: Trainer, episode: str, turn: int, actions: list[Any], external: bool) -> list[Any]:
    replies = []
    for at, action in enumerate(actions, turn):
        asked = isinstance(action, Asked)
        body = {"episode_id": episode, "turn": at, "action": action.words if asked else action}
        replies.append(await trainer.post("/step", body))
        assert replies[-1]["turn"] == at
        if replies[-1]["done"]:
            break
        for part in action.answers if asked and external else ():
            replies.append(await trainer.post(f"/episodes/{episode}/user", {"turn": at, **part}))
    return replies


def comparable(replies: list[Any]) -> str:
    """Replies as text, without what differs between two runs of the same episode: ids and tokens."""
    own = {"episode_id": "", "agent_token": "", "mcp_url": "", "parent": ""}
    kept = [r | {k: "" for k in own if k in r} for r in replies]
    return json.dumps([k | {"info": {**k["info"], "parent": None}} for k in kept])
