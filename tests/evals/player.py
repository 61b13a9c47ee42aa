"""A language model that knows the answers: a program of the stand-in that plays gold."""

import json
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import Task
from env_server.users import Said
from env_server.users.scripted import SCRIPTED
from tests.standin.protocol import Asked, Call, Reply

RETAIL = packs(domains()["retail"], {}, 1)["builtin"]
TASKS = 6
"""As many tasks of the test split it knows."""


def known(tasks: int = TASKS, trials: int = 2) -> dict[str, Task]:
    """Tasks of the test split by the words with which the scripted user opens them, in any of the trials."""
    return {
        _now(SCRIPTED.first(task, seed)).content: task
        for seed in range(trials)
        for task in (RETAIL.task_at("test", index) for index in range(tasks))
    }


def _now(words: Coroutine[Any, Any, Said]) -> Said:
    """What a coroutine comes to that waits for nothing, whether or not a loop runs here."""
    try:
        words.send(None)
    except StopIteration as e:
        found: Said = e.value
        return found
    raise AssertionError("it waits")


@dataclass
class Player:
    """Makes gold's calls in order, then says its outputs; `text` writes the calls as text."""

    tasks: dict[str, Task]
    text: bool = False
    delay_s: float = 0.0
    replies: dict[int, Reply] = field(default_factory=dict)
    """What it answers instead, by the number of the agent's message in its conversation, 0 for the first."""

    def __call__(self, asked: Asked) -> Reply:
        """The next message."""
        said = [message for message in asked.messages if message["role"] == "assistant"]
        if len(said) in self.replies:
            return self.replies[len(said)]
        task = self.tasks[next(m["content"] for m in asked.messages if m["role"] == "user")]
        calls = task.gold.actions
        if len(said) >= len(calls):
            return Reply(" ".join(["All done.", *task.gold.outputs, "Anything else?"]), delay_s=self.delay_s)
        call = calls[len(said)]
        if self.text:
            written = json.dumps({"name": call.name, "arguments": call.arguments})
            return Reply(f"<tool_call>\n{written}\n</tool_call>", delay_s=self.delay_s)
        return Reply(None, (Call(call.name, call.arguments),), delay_s=self.delay_s)


@dataclass
class Sides:
    """Two models: `m` is the player, any other is its user, who opens as the scripted one does and stops when asked."""

    player: Player

    def __call__(self, asked: Asked) -> Reply:
        """The next message of either side."""
        if asked.body["model"] == "m":
            return self.player(asked)
        if "Anything else?" in asked.last:
            return Reply("###STOP###", delay_s=self.player.delay_s)
        told = str(asked.messages[0]["content"])
        words = next(words for words, task in self.player.tasks.items() if task.instruction in told)
        return Reply(words, delay_s=self.player.delay_s)


def questions(journal: Sequence[Asked]) -> list[str]:
    """What was asked, as text that can be compared and counted; calls have another id each time they are made."""
    return [re.sub(r"call-\d+-\d+", "call", json.dumps(asked.body, sort_keys=True)) for asked in journal]


def without_clock(line: str) -> dict[str, Any]:
    """A line of results without what no other run can repeat."""
    found: dict[str, Any] = json.loads(line)
    del found["seconds"], found["episode_id"], found["policy"]["seconds"], found["user"]["seconds"]
    return found
