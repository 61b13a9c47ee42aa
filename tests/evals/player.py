"""A language model that knows the answers: a program for the stand-in that plays gold."""

import json
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from env_server.api.examples import moves
from env_server.domains.kit import GoldCall, Task
from env_server.users.scripted.user import SCRIPTED
from tests.domains import made
from tests.standin.protocol import Asked, Call, Reply

T = TypeVar("T")
TASKS = 6
"""The number of tasks in the test split that it knows."""


@cache
def known(tasks: int = TASKS, trials: int = 2) -> dict[str, Task]:
    """Known tasks, by the scripted user's opening words in any of the trials."""
    return {
        _now(SCRIPTED.first(task, seed)).content: task
        for seed in range(trials)
        for task in (made.pack("retail").task_at("test", index) for index in range(tasks))
    }


def _now(words: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that waits for nothing, with or without a running loop."""
    try:
        words.send(None)
    except StopIteration as e:
        found: T = e.value
        return found
    raise AssertionError("it waits")


@dataclass
class Player:
    """Does and says what earns 1, then asks whether that was all; `text` writes the calls as text.

    A `silent` one makes gold's calls in order without a word, then says its outputs.
    """

    tasks: dict[str, Task]
    text: bool = False
    silent: bool = False
    delay_s: float = 0.0
    replies: dict[int, Reply] = field(default_factory=dict)
    """Other answers that it gives, by the number of the agent's message in its conversation; 0 is the first."""

    def __call__(self, asked: Asked) -> Reply:
        """The next message."""
        said = [message for message in asked.messages if message["role"] == "assistant"]
        if len(said) in self.replies:
            return self.replies[len(said)]
        task = self.tasks[next(m["content"] for m in asked.messages if m["role"] == "user")]
        actions = _silent(task) if self.silent else _talking(task)
        if len(said) >= len(actions):
            return Reply(" ".join(["All done.", *task.gold.outputs, "Anything else?"]), delay_s=self.delay_s)
        call = actions[len(said)]
        if isinstance(call, str):
            return Reply(call, delay_s=self.delay_s)
        if self.text:
            written = json.dumps({"name": call.name, "arguments": call.arguments})
            return Reply(f"<tool_call>\n{written}\n</tool_call>", delay_s=self.delay_s)
        return Reply(None, (Call(call.name, call.arguments),), delay_s=self.delay_s)


def _silent(task: Task) -> Sequence[GoldCall | str]:
    """The moves of a silent player: gold's calls."""
    return task.gold.actions


_KEPT: dict[str, Sequence[GoldCall | str]] = {}


def _talking(task: Task) -> Sequence[GoldCall | str]:
    """The moves of an agent that behaves well, in order."""
    if task.task_id not in _KEPT:
        _KEPT[task.task_id] = _lines(task)
    return _KEPT[task.task_id]


def _lines(task: Task) -> Sequence[GoldCall | str]:
    found: list[GoldCall | str] = []
    for action in _now(moves(task)):
        found += [GoldCall(name=call.name, arguments=dict(call.arguments)) for call in action.tool_calls or ()]
        found += [action.content] if isinstance(action.content, str) else []
    return found


@dataclass
class Sides:
    """Two models: `m` is the player; any other is its user, who opens as the scripted one and stops when asked."""

    player: Player

    def __call__(self, asked: Asked) -> Reply:
        """The next message of either model."""
        if asked.body["model"] == "m":
            return self.player(asked)
        if "Anything else?" in asked.last:
            return Reply("###STOP###", delay_s=self.player.delay_s)
        told = str(asked.messages[0]["content"])
        words = next(words for words, task in self.player.tasks.items() if task.instruction in told)
        return Reply(words, delay_s=self.player.delay_s)


def questions(journal: Sequence[Asked]) -> list[str]:
    """The questions to the models as text, without the ids of calls, which differ each time."""
    return [re.sub(r"call-\d+-\d+", "call", json.dumps(asked.body, sort_keys=True)) for asked in journal]


def without_clock(line: str) -> dict[str, Any]:
    """A line of results, without what differs between runs."""
    found: dict[str, Any] = json.loads(line)
    del found["seconds"], found["episode_id"], found["policy"]["seconds"], found["user"]["seconds"]
    return found
