"""Scripted users do not repeat themselves word for word."""

import pytest

from agent_env_schemas import Action, StepReply
from env_server.audit.brief import Briefing
from env_server.audit.rollouts import begin
from env_server.backends.local import thrown_away
from env_server.domains.discovery import domains
from env_server.policies import rollout
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS
from env_server.settings import Settings
from tests.domains import made

SHORT = 5
"""The number of words up to which a repeated message is natural."""

MOST = 0.03
"""The maximum share of repeated messages."""

TASKS = 5


class _Words:
    """The user's messages of one episode."""

    def __init__(self) -> None:
        """Begin with none."""
        self.said: list[str] = []

    def action(self, turn: int, action: Action) -> None:
        """Do nothing: only the user is listened to."""

    def reply(self, reply: StepReply) -> None:
        """Note the user's words."""
        self.said += [m.content for m in reply.observation if m.role == "user" and len(m.content.split()) > SHORT]


@pytest.mark.parametrize("domain", list(domains()))
async def test_users_say_little_twice(domain: str) -> None:
    """In conversations with the oracle, next to no message of more than five words was said before."""
    pack, said, twice = made.pack(domain), 0, 0
    async with thrown_away(Settings(_env_file=None)) as local:
        briefing = Briefing(pack)
        for at in range(TASKS):
            task = pack.task_at("test", at)
            if task.user is None:
                continue
            begun, words = await begin(local, task), _Words()
            await rollout(local, begun, talking(briefing.brief(task, begun), PHRASINGS[at % len(PHRASINGS)]), words)
            said += len(words.said)
            twice += len(words.said) - len(set(words.said))
    assert twice <= MOST * said
    assert said or all(pack.task_at("test", at).user is None for at in range(TASKS))
