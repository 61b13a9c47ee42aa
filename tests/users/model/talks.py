"""Conversations with a user that is a language model, from the agent's side."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import UserSpec
from env_server.domains.kit import Task
from env_server.models import ModelConfig, Models
from env_server.users import OwnTools, UserReply, Users
from env_server.users.base import User

TASK = Task(
    task_id="t",
    domain="telecom",
    instruction="Persona:\nYou are impatient.\n\nKnown info:\nYou are Ada Haas.\n\nUnknown info:\nYour order number.",
)


@dataclass
class Phone:
    """The user's own tools, which record their calls."""

    used: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def use(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Use a tool."""
        self.used.append((name, dict(arguments)))
        return "Airplane mode is on." if name == "check_status_bar" else f"Error: unknown tool {name!r}"

    @property
    def own(self) -> OwnTools:
        """The tools as a user gets them."""
        function = {"name": "check_status_bar", "description": "Look.", "parameters": {"type": "object"}}
        return OwnTools({}, self.use, None, [{"type": "function", "function": function}])


@dataclass
class Conversation:
    """One conversation. The notes pass through JSON, as they do between processes."""

    user: User
    phone: Phone = field(default_factory=Phone)
    tools: bool = False
    last: UserReply = field(default_factory=lambda: UserReply(""))

    async def first(self, seed: int = 7) -> UserReply:
        """Let the user open."""
        self.last = await self.user.first(TASK, seed)
        return self.last

    async def agent(self, message: str, seed: int = 7) -> UserReply:
        """Send `message` and return the user's answer."""
        notes = json.loads(json.dumps(self.last.notes))
        own = self.phone.own if self.tools else OwnTools({}, self.phone.use, None)
        self.last = await self.user.reply(TASK, seed, notes, message, own)
        return self.last

    @property
    def usage(self) -> dict[str, Any]:
        """Return the usage of the last message."""
        assert self.last.usage is not None
        return self.last.usage


Begin = Callable[..., Conversation]


class Opened:
    """The users of a test. They are closed with this object."""

    def __init__(self, url: str) -> None:
        """Open users that ask the endpoint at `url`."""
        self._url = url
        self._users: list[Users] = []

    def begin(self, strategy: str, **settings: Any) -> Conversation:
        """Return a conversation with a new user, whose endpoint has received no request yet."""
        spec = {k: settings.pop(k) for k in ("model", "temperature") if k in settings}
        given: dict[str, Any] = {
            "base_url": self._url,
            "api_key": "the-key",
            "model": "standin",
            "retries": 0,
            "timeout_s": 2.0,
        }
        users = Users(Models(ModelConfig(**(given | settings))))
        self._users.append(users)
        return Conversation(users.of(TASK, UserSpec(strategy=strategy, **spec), "a-run"))

    async def close(self) -> None:
        """Close all connections."""
        for users in self._users:
            await users.close()


def roles(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The roles of the messages in order."""
    return [str(m["role"]) for m in messages]
