"""Rollout of a policy in an episode that has begun, including an external user."""

from collections.abc import Iterator
from typing import Protocol

from agent_env_schemas import USER_STOP, Action, EpisodeReply, StepReply, StepRequest, UserRequest
from env_server.policies.base import AgentMove, Policy

FIRST_WORDS = "Hello, I need some help."
DID_IT = "I have done that. What next?"
GO_ON = "Yes, please go on."


class PlayedEpisode(Protocol):
    """The access to the episode. Every method raises ProblemError if the request is refused or fails."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""

    async def close(self, episode_id: str) -> StepReply:
        """End the episode."""


class ExternalUser(Protocol):
    """A player of an external user."""

    def told(self, move: AgentMove) -> None:
        """Receive the agent's message that has just been played."""

    async def part(self) -> UserRequest | None:
        """Return the next piece of the user's part of the turn, calls or words; None to leave the episode."""


class Observer(Protocol):
    """A program that is told each message and reply of a rollout, such as a view on the screen."""

    def action(self, turn: int, action: Action) -> None:
        """Receive the agent's message before it is played."""

    def reply(self, reply: StepReply) -> None:
        """Receive the reply to a message of either side."""


class Obliging:
    """The external user for policies that are rules: greets, makes the calls that a move asks for, stops at the last
    move.
    """

    def __init__(self) -> None:
        """Start with a greeting."""
        self._parts = iter([UserRequest(content=FIRST_WORDS)])

    def told(self, move: AgentMove) -> None:
        """Prepare the calls that `move` asks for, then the words that report them."""
        self._parts = _answer(move)

    async def part(self) -> UserRequest | None:
        """Return the next call or words."""
        return next(self._parts, None)


async def rollout(
    game: PlayedEpisode,
    begun: EpisodeReply,
    policy: Policy,
    watch: Observer | None = None,
    customer: ExternalUser | None = None,
) -> StepReply:
    """Play an episode that has begun until it is done; return the last reply.

    The `customer` plays an external user. By default it does what the policy's moves ask for.

    Raises:
        ProblemError: if the episode cannot continue.
    """
    customer = customer or Obliging()
    turn, piece, heard, awaiting = begun.turn, 0, begun.observation, begun.info.awaiting_user
    while True:
        if awaiting:
            part = await customer.part()
            if part is None:
                return await game.close(begun.episode_id)
            # The sequence number allows the same call twice, and lets a restarted rollout find its own pieces.
            reply = await game.user(begun.episode_id, part.model_copy(update={"turn": turn, "seq": piece}))
            piece += 1
        else:
            move = await policy.move(heard)
            if move is None:
                return await game.close(begun.episode_id)
            turn, piece, heard = turn + 1, 0, []
            if watch is not None:
                watch.action(turn, move.action)
            reply = await game.step(StepRequest(episode_id=begun.episode_id, turn=turn, action=move.action))
            customer.told(move)
        awaiting = reply.info.awaiting_user
        if watch is not None:
            watch.reply(reply)
        if reply.done:
            return reply
        heard = [*heard, *reply.observation]


def _answer(move: AgentMove) -> Iterator[UserRequest]:
    """Yield the user's part of a turn, piece by piece: their calls, then their words."""
    for call in move.calls:
        yield UserRequest(tool_calls=[call])
    yield UserRequest(content=USER_STOP if move.last else DID_IT if move.calls else GO_ON)
