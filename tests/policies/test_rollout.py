"""Playing policies on real episodes, with each kind of user."""

from collections.abc import AsyncIterator

import pytest

from agent_env_schemas import Action, EpisodeReply, GoldSpec, ResetRequest, StepReply, UserSpec
from env_server.backends.local import LocalBackend, thrown_away
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.policies import POLICIES, Brief, FixedMoves, rollout
from env_server.settings import Settings


@pytest.fixture(scope="module")
async def local() -> AsyncIterator[LocalBackend]:
    """Episodes of the builtin domains."""
    async with thrown_away(Settings(_env_file=None)) as opened:
        yield opened


class Seen:
    """A recorder of observed messages and replies."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.replies: list[StepReply] = []

    def action(self, turn: int, action: Action) -> None:
        """Keep a message; turns are counted from 1."""
        self.actions.append(action)
        assert turn == len(self.actions)

    def reply(self, reply: StepReply) -> None:
        """Keep a reply."""
        self.replies.append(reply)


async def brief_of(local: LocalBackend, begun: EpisodeReply) -> Brief:
    """Return the oracle's information on an episode."""
    task = await local.task(begun.info.domain, begun.info.pack, begun.info.task_id, gold=True)
    hands = domains()[begun.info.domain].hands
    instruct = (lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))) if hands else None
    return Brief(
        tools=begun.tools,
        gold=task.gold or GoldSpec(),
        script=task.script,
        dues=task.dues or (),
        instruct=instruct,
        transfers=("transfer_to_human_agents",),
        seed=task.task_id,
    )


USERS = [UserSpec(), UserSpec(strategy="external"), UserSpec(strategy="external", first_message="Hello!")]


@pytest.mark.parametrize("user", USERS, ids=["scripted", "outside", "outside-first"])
@pytest.mark.parametrize("domain", list(domains()))
async def test_the_oracle_scores_1_with_every_user(local: LocalBackend, domain: str, user: UserSpec) -> None:
    """Gold earns the whole reward with a scripted or external user, whichever side speaks first."""
    for index in range(0, 60, 6):
        begun = await local.reset(ResetRequest(domain=domain, split="test", index=index, user=user))
        seen = Seen()
        last = await rollout(local, begun, POLICIES["oracle"](await brief_of(local, begun)), seen)
        assert (last.reward, seen.replies[-1]) == (1.0, last), begun.info.task_id
        assert len(seen.actions) == last.turn


async def test_who_has_nothing_to_say_leaves(local: LocalBackend) -> None:
    """A policy without a move closes the episode."""
    begun = await local.reset(ResetRequest(domain="retail", split="test", index=0))
    last = await rollout(local, begun, FixedMoves(iter(())))
    assert (last.stop_reason, last.reward) == ("closed", 0.0)
