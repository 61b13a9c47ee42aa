"""The state of an episode as its player knows it: what both kinds of handle keep."""

from typing import Any

from agent_env_schemas import (
    EpisodeReply,
    EpisodeSummary,
    Message,
    ResetInfo,
    StepReply,
    TokenReply,
    Trajectory,
)
from trainer_client.client.calls import ActionLike, plain
from trainer_client.client.errors import ServerError
from trainer_client.client.retry import Retrier


class Progress:
    """One episode as its player knows it."""

    def __init__(self, reply: EpisodeReply, retrier: Retrier) -> None:
        """Begin with the reply to a reset or a fork; `retrier` serves every agent that plays the episode."""
        self.retrier = retrier
        self.reply = reply
        """The reply that began the episode: policy, tools, `mcp_url` and `agent_token`."""
        self.turn = reply.turn
        """The newest turn that this handle knows; the next step plays the one after it."""
        self.last: StepReply | None = None
        """The newest reply to a step."""
        self.messages: list[dict[str, Any]] = [_dumped(m) for m in reply.observation]
        """The conversation so far, ready for a chat template."""
        self._newest_messages = len(self.messages)
        self.failure: Exception | None = None
        """The error after which the client gave up an agent's call over MCP. The episode is then not scored."""
        self._pieces: int | None = 0 if reply.turn == 0 else None
        self._unanswered: tuple[int, int | None] | None = None
        self._stands: EpisodeSummary | None = None

    def __repr__(self) -> str:
        """Name the episode and its turn."""
        ended = ", done" if self.done else ""
        return f"<{type(self).__name__} {self.id} turn={self.turn}{ended}>"

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.reply.episode_id

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as OpenAI function schemas."""
        return self.reply.tools

    @property
    def observation(self) -> list[dict[str, Any]]:
        """The newest messages of the environment, in the form of `messages`."""
        return self.messages[len(self.messages) - self._newest_messages :]

    @property
    def awaiting_user(self) -> bool:
        """Whether the user's part comes next (episodes with an `external` user)."""
        if self._stands is not None:
            return self._stands.awaiting_user
        return (self.reply if self.last is None else self.last).info.awaiting_user

    @property
    def done(self) -> bool:
        """Whether the episode has ended, as far as this handle knows."""
        return self._newest is not None and self._newest.done

    @property
    def reward(self) -> float | None:
        """The reward of an ended episode; None before the end, and where it is not scored."""
        return self._newest.reward if self._newest is not None and self._newest.done else None

    @property
    def stop_reason(self) -> str | None:
        """Why the episode ended; None before the end."""
        newest = self._newest
        return None if newest is None or newest.stop_reason is None else str(newest.stop_reason)

    @property
    def _newest(self) -> EpisodeSummary | StepReply | None:
        """The newest reply that says where the episode stands."""
        return self._stands or self.last

    def _refreshed(self, stands: EpisodeSummary) -> EpisodeSummary:
        if stands.turn != self.turn:
            self._pieces = 0
        self.turn, self._stands = stands.turn, stands
        return stands

    def _asked(self) -> tuple[int, int | None]:
        """The turn and number of the user's piece that is sent now. A retry keeps them, even if others played on."""
        self._unanswered = self._unanswered or (self.turn, self._pieces)
        return self._unanswered

    def _refused(self, error: ServerError) -> None:
        """Forget the piece that the server refused for good."""
        if not error.retryable:
            self._unanswered = None

    def _stepped(self, action: ActionLike, reply: StepReply) -> StepReply:
        self._said(plain(action))
        self._pieces = 0
        return self._took(reply)

    def _answered(self, reply: StepReply) -> StepReply:
        self._unanswered = None
        if self._pieces is not None:
            self._pieces = self._pieces + 1 if reply.info.awaiting_user else 0
        return self._took(reply)

    def _took(self, reply: StepReply) -> StepReply:
        self._saw(reply.observation)
        self.turn, self.last, self._stands = reply.turn, reply, None
        return reply

    def _saw(self, observation: list[Message]) -> None:
        self.messages += [_dumped(m) for m in observation]
        self._newest_messages = len(observation)

    def _said(self, said: str | dict[str, Any]) -> None:
        self.messages.append({"role": "assistant", **({"content": said} if isinstance(said, str) else said)})

    def _replayed(self, record: Trajectory) -> None:
        """Take the turns of a record, as if they had been played through this handle."""
        for turn in record.turns:
            for part in turn.parts:
                if part.part == "agent" and not (isinstance(part.action, dict) and "end" in part.action):
                    self._said(part.action)
                self._saw(part.observation)
        self._pieces = None
        self.turn, self._stands = record.episode.turn, record.episode


def attached(record: Trajectory, access: TokenReply) -> EpisodeReply:
    """The reply with which an episode began, as far as its record has it: `info` lacks what only a reset returns."""
    episode = record.episode
    kept = {name: getattr(episode, name) for name in ResetInfo.model_fields if hasattr(episode, name)}
    return EpisodeReply.model_construct(
        episode_id=episode.episode_id,
        turn=0 if episode.parent is None else episode.parent["turn"],
        observation=record.observation,
        tools=record.tools,
        state_hash=episode.state_hash,
        mcp_url=access.mcp_url,
        agent_token=access.agent_token,
        info=ResetInfo.model_construct(**kept),
    )


def _dumped(message: Message) -> dict[str, Any]:
    return message.model_dump(exclude_unset=True)
