"""The scripted user alone: its answers to an agent's messages, without a server and without own tools."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

from agent_env_schemas import EpisodeReply
from env_server.domains.kit import Form, Request, Task, Value, WantedChange
from env_server.policies import Brief
from env_server.reading import Words
from env_server.understanding import ChangePlace
from env_server.users import OwnTools, UserReply
from env_server.users.scripted.user import SCRIPTED
from tests.contract.acts import stage
from tests.contract.playing import briefing

USER = SCRIPTED


def _shows_nothing(name: str, arguments: Mapping[str, Any]) -> str:
    return ""


@dataclass
class Talk:
    """A conversation that has begun; notes pass through JSON, as they do between processes."""

    task: Task
    last: UserReply = field(init=False)

    def __post_init__(self) -> None:
        """Let the user open."""
        self.last = asyncio.run(USER.first(self.task, 1))

    def hears(self, message: str, calls: int = 0) -> UserReply:
        """The user's answer to `message` after this many calls of the agent."""
        own = OwnTools({}, _shows_nothing, None, calls=calls)
        notes = json.loads(json.dumps(self.last.notes))
        self.last = asyncio.run(USER.reply(self.task, 1, notes, message, own))
        return self.last


def brief_of(domain: str, task: Task) -> Brief:
    """The brief of a policy that plays a domain's `task` against its user alone."""
    only_tools: EpisodeReply = cast(Any, EpisodeReply).model_construct(tools=[])  # nothing else of the reply is read
    return briefing(domain).brief(task, only_tools)


def asks(words: str) -> str:
    """A proposal whose words follow "I will"."""
    return f"I will {words}. Shall I go ahead?"


def agreed(said: UserReply) -> tuple[ChangePlace, ...]:
    """The changes to which the user has just agreed."""
    assert said.heard is not None
    return said.heard.agreed


Wanted = tuple[Task, ChangePlace, Request, WantedChange]
"""A wanted change, with its task, place and request."""


def wanted(domain: str) -> Iterator[Wanted]:
    """The changes that users bring up first, in the order of the test tasks, without those that they later revise."""
    for task in stage(domain).tasks():
        request = task.user.requests[0] if task.user is not None else None
        if request is not None and request.revise is None:
            for c, change in enumerate(request.changes):
                yield task, ChangePlace(0, c), request, change


def spoiled(wish: Wanted) -> Iterator[str]:
    """The words of a change, with one value that the user knows replaced by another one."""
    _, _, request, change = wish
    for topic in change.names:
        value = request.values[topic]
        for form in _written(value, change.plan):
            for other in value.others:
                plan = change.plan.replace(form, other)
                if not Words(plan).names(value.says) and Words(plan).name(other):
                    yield plan


def _written(value: Value, plan: str) -> list[str]:
    """The texts for a value that occur in a plan, the longest first."""
    forms = chain.from_iterable(_texts(form) for form in value.says)
    return sorted({form for form in forms if form in plan}, key=len, reverse=True)


def _texts(form: Form) -> Sequence[str]:
    return (form,) if isinstance(form, str) else form
