"""Playing a policy against an episode that has begun, and the user where nobody else plays them."""

from collections.abc import Iterator
from typing import Protocol

from env_server.policies.base import Move, Policy
from schemas import Action, EpisodeReply, StepReply, StepRequest, UserRequest

FIRST_WORDS = "Hello, I need some help."
DID_IT = "I have done that. What next?"
GO_ON = "Please go on."
STOP = "###STOP###"
"""With this line a user who is played from outside ends the episode."""


class Game(Protocol):
    """Where the episode is played. Every method raises ProblemError if it is refused or cannot be done."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""

    async def close(self, episode_id: str) -> StepReply:
        """End the episode."""


class Watch(Protocol):
    """Who looks on."""

    def action(self, turn: int, action: Action) -> None:
        """See the agent's message before it is played."""

    def reply(self, reply: StepReply) -> None:
        """See what came of a message of either side."""


async def rollout(game: Game, begun: EpisodeReply, policy: Policy, watch: Watch | None = None) -> StepReply:
    """Play an episode that has begun until it is done; returns the last reply.

    A user who is played from outside greets, makes the calls that moves ask of them, and stops at the last move.

    Raises:
        ProblemError: if the game cannot go on.
    """
    turn, heard = begun.turn, begun.observation
    parts = _greeting() if begun.info.awaiting_user else iter(())
    while True:
        part = next(parts, None)
        if part is not None:
            reply = await game.user(begun.episode_id, part.model_copy(update={"turn": turn}))
        else:
            move = await policy.move(heard)
            if move is None:
                return await game.close(begun.episode_id)
            heard, turn = [], turn + 1
            if watch is not None:
                watch.action(turn, move.action)
            reply = await game.step(StepRequest(episode_id=begun.episode_id, turn=turn, action=move.action))
            parts = _answer(move) if reply.info.awaiting_user else iter(())
        if watch is not None:
            watch.reply(reply)
        if reply.done:
            return reply
        heard = [*heard, *reply.observation]


def _greeting() -> Iterator[UserRequest]:
    yield UserRequest(content=FIRST_WORDS)


def _answer(move: Move) -> Iterator[UserRequest]:
    """The user's part of a turn, piece by piece: their calls, then their words."""
    for call in move.calls:
        yield UserRequest(tool_calls=[call])
    yield UserRequest(content=STOP if move.last else DID_IT if move.calls else GO_ON)
