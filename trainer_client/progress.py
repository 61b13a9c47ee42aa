"""How far an episode is: what both kinds of handle keep count of."""

from typing import Any

from schemas import EpisodeReply, EpisodeSummary, Message, StepReply
from trainer_client.calls import ActionLike, plain
from trainer_client.errors import ServerError
from trainer_client.patience import Patience


class Progress:
    """One episode as its player knows it."""

    def __init__(self, reply: EpisodeReply, patience: Patience) -> None:
        """Begin with the reply to a reset or a fork; `patience` is for everybody who plays the episode."""
        self.patience = patience
        self.reply = reply
        """The reply that began it: policy, tools, `mcp_url` and `agent_token`."""
        self.turn = reply.turn
        """The newest turn that is known here; the next step plays the one after it."""
        self.last: StepReply | None = None
        """The newest reply to a step."""
        self.messages: list[dict[str, Any]] = [_dumped(m) for m in reply.observation]
        """The conversation so far, ready for a chat template."""
        self.failure: Exception | None = None
        """Why a call of an agent that plays over MCP was given up; an episode in which one was is not scored."""
        self._pieces: int | None = 0 if reply.turn == 0 else None
        self._unanswered: tuple[int, int | None] | None = None
        self._stands: EpisodeSummary | None = None

    def __repr__(self) -> str:
        """Which episode, and how far it is."""
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
    def observation(self) -> list[Message]:
        """The newest messages of the environment."""
        return self.reply.observation if self.last is None else self.last.observation

    @property
    def awaiting_user(self) -> bool:
        """Whether the user's part comes next (episodes with an `external` user)."""
        if self._stands is not None:
            return self._stands.awaiting_user
        return (self.reply if self.last is None else self.last).info.awaiting_user

    @property
    def done(self) -> bool:
        """Whether the episode has ended, as far as is known here."""
        return self._newest is not None and self._newest.done

    @property
    def reward(self) -> float | None:
        """The reward of an ended episode; None before the end, and where it is not scored."""
        return self._newest.reward if self._newest is not None and self._newest.done else None

    @property
    def _newest(self) -> EpisodeSummary | StepReply | None:
        """The newest word on where the episode stands."""
        return self._stands or self.last

    def _refreshed(self, stands: EpisodeSummary) -> EpisodeSummary:
        if stands.turn != self.turn:
            self._pieces = 0
        self.turn, self._stands = stands.turn, stands
        return stands

    def _asked(self) -> tuple[int, int | None]:
        """Turn and number of the user's piece that is sent now; sent again, it keeps them, whoever played on."""
        self._unanswered = self._unanswered or (self.turn, self._pieces)
        return self._unanswered

    def _refused(self, error: ServerError) -> None:
        """A piece that the server refused for good is no longer on its way."""
        if not error.retryable:
            self._unanswered = None

    def _stepped(self, action: ActionLike, reply: StepReply) -> StepReply:
        said = plain(action)
        self.messages.append({"role": "assistant", **({"content": said} if isinstance(said, str) else said)})
        self._pieces = 0
        return self._took(reply)

    def _answered(self, reply: StepReply) -> StepReply:
        self._unanswered = None
        if self._pieces is not None:
            self._pieces = self._pieces + 1 if reply.info.awaiting_user else 0
        return self._took(reply)

    def _took(self, reply: StepReply) -> StepReply:
        self.messages += [_dumped(m) for m in reply.observation]
        self.turn, self.last, self._stands = reply.turn, reply, None
        return reply


def _dumped(message: Message) -> dict[str, Any]:
    return message.model_dump(exclude_unset=True)
