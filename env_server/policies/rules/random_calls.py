"""Random valid calls: the reward of an agent that can use tools but ignores the conversation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from agent_env_schemas import Message
from env_server.policies.base import AgentMove, Brief, Policy, calls, says
from env_server.policies.rules.random_arguments import Drawing
from env_server.policies.rules.values import collect

CALLS = 8
"""The number of calls before it only asks whether there is anything else."""

ANYTHING_ELSE = "Is there anything else I can do for you?"


def random_calls(brief: Brief) -> Policy:
    """Return the policy that makes random calls.

    The arguments come from the world, from the user's values and from earlier answers. It never transfers the user;
    `transfer` does that.
    """
    tools = [tool["function"] for tool in brief.tools if tool["function"]["name"] not in brief.transfers]
    return _Random(brief, tools, Random(brief.seed))


@dataclass
class _Random:
    brief: Brief
    tools: Sequence[Mapping[str, Any]]
    rng: Random
    made: int = 0
    near: dict[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.near |= self.brief.near

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return a random call, or the question whether there is anything else."""
        self._remember(heard)
        if self.made >= CALLS or not self.tools:
            return says(ANYTHING_ELSE, last=True)
        self.made += 1
        tool = self.rng.choice(self.tools)
        return calls(tool["name"], Drawing(self.rng, self.brief.world).arguments(tool["parameters"], self.near))

    def _remember(self, heard: Sequence[Message]) -> None:
        """Store the values in the answers of tools for later arguments."""
        answers = [_read(message.content) for message in heard if message.role == "tool"]
        for name, values in collect(answers).items():
            self.near[name] = (*self.near.get(name, ()), *values)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
