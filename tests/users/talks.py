"""Conversations with the scripted user, from the agent's side."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent_env_schemas import USER_STOP as STOP
from env_server.domains.kit import Request, Task, UserScript
from env_server.users import OwnTools, UserReply
from env_server.users.scripted.user import SCRIPTED

SIGN_IN = "Could you please give me your email address, or your full name and zip code?"
DONE = "That has been done successfully. Is there anything else I can help you with?"
USER = SCRIPTED


def use_nothing(name: str, arguments: Mapping[str, Any]) -> str:
    """Fail: these users have no tools."""
    raise AssertionError(f"called {name} with {arguments}")


NO_TOOLS = OwnTools({}, use_nothing, None)


def task_of(*requests: Request, facts: dict[str, str] | None = None, unknown: tuple[str, ...] = ()) -> Task:
    """Return a task whose user has these requests."""
    script = UserScript(facts=facts or {"name": "Ada Haas", "zip": "12345"}, unknown=unknown, requests=requests)
    return Task(task_id="t", domain="retail", instruction="Do it.", user=script)


@dataclass
class Talk:
    """One conversation; each call of `agent` is a message of the agent and returns the user's answer."""

    task: Task
    seed: int = 0
    said: list[str] = field(default_factory=list)
    last: UserReply = field(init=False)

    def __post_init__(self) -> None:
        """Let the user open."""
        self._hear(asyncio.run(USER.first(self.task, self.seed)))

    def agent(self, message: str, calls: int = 0) -> str:
        """Send `message` after this many calls. The notes pass through JSON, as between processes."""
        notes = json.loads(json.dumps(self.last.notes))
        self._hear(asyncio.run(USER.reply(self.task, self.seed, notes, message, replace(NO_TOOLS, calls=calls))))
        return self.last.content

    def until_stop(self, say: Callable[[int], str], most: int = 100) -> int:
        """Say `say(n)` until the user stops; return the number of messages that took."""
        for n in range(most):
            if self.last.stop:
                return n
            self.agent(say(n))
        raise AssertionError(f"the user did not stop in {most} messages")

    def _hear(self, said: UserReply) -> None:
        assert said.stop == (said.content == STOP)
        assert said.stop or STOP not in said.content
        assert said.content.strip()
        self.last = said
        self.said.append(said.content)
