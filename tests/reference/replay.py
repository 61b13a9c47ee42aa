"""Recorded conversations, played again over the API: the agent's messages by `/step`, the user's by `/user`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

STEPS = 30
"""The number of the agent's messages that the recorded runs allowed."""

Json = dict[str, Any]


class Poster(Protocol):
    """A client of the server."""

    def post(self, path: str, **body: Any) -> Json:
        """The reply to a POST that must succeed."""


@dataclass(frozen=True)
class Recording:
    """A conversation and its reward, in the format of tau-bench's runs."""

    name: str
    domain: str
    task: Json
    """The benchmark's own task object."""

    messages: tuple[Json, ...]
    """The messages from the user's first words on."""

    reward: float


@dataclass
class Replayed:
    """The outcome of a replayed conversation."""

    reward: float | None
    stop: str | None
    differ: list[tuple[Json, str]] = field(default_factory=list)
    """Recorded results of calls with other answers today, and these answers."""


def recordings(path: Path) -> Iterator[Recording]:
    """The conversations of a file of runs; the file's name has their domain."""
    domain = next(name for name in ("airline", "retail") if name in path.name)
    for run in json.loads(path.read_text(encoding="utf-8")):
        messages = tuple(message for message in run["traj"] if message["role"] != "system")
        if messages:
            name = f"{path.name}, task {run['task_id']}, trial {run['trial']}"
            yield Recording(name, domain, run["info"]["task"], messages, run["reward"])


def replay(server: Poster, recording: Recording, **options: Any) -> Replayed:
    """Play a recording to its end. One that stops early has the reward of its last turn, which is 0."""
    first, *rest = recording.messages
    user = {"strategy": "external", "first_message": first["content"]}
    which = {"domain": recording.domain, "pack": "tau1", "task": recording.task, "user": user}
    begun = server.post("/reset", **which, max_turns=STEPS, max_errors=1000, **options)
    episode, turn, came = begun["episode_id"], 0, Replayed(0.0, None)
    reply: Json = {"observation": []}
    for message in rest:
        if message["role"] == "assistant":
            turn += 1
            reply = server.post("/step", episode_id=episode, turn=turn, action=action(message))
        elif message["role"] == "user":
            reply = server.post(f"/episodes/{episode}/user", turn=turn, content=message["content"])
        else:
            answered = reply["observation"][0]["content"]
            came.differ += [(message, answered)] if answered != message["content"] else []
        came.reward, came.stop = reply["reward"], reply["stop_reason"]
    return came


def action(message: Json) -> Json:
    """A recorded message as the agent sends it: its one call, with arguments as the recorded text, or its words."""
    calls = [{"id": call["id"], **call["function"]} for call in message.get("tool_calls") or ()]
    return {"content": message["content"], "tool_calls": calls} if calls else {"content": message["content"]}
