"""How far an episode is: what both kinds of handle keep count of."""

from typing import Any

from schemas import EpisodeReply, Message, StepReply
from trainer_client.calls import ActionLike, plain


class Progress:
    """One episode as its player knows it."""

    def __init__(self, reply: EpisodeReply) -> None:
        """Begin with the reply to a reset or a fork."""
        self.reply = reply
        """The reply that began it: policy, tools, `mcp_url` and `agent_token`."""
        self.turn = reply.turn
        """The newest turn that was acknowledged; the next step plays the one after it."""
        self.last: StepReply | None = None
        """The newest reply to a step."""
        self.messages: list[dict[str, Any]] = [_dumped(m) for m in reply.observation]
        """The conversation so far, ready for a chat template."""
        self._pieces: int | None = 0 if reply.turn == 0 else None

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
        return (self.reply if self.last is None else self.last).info.awaiting_user

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self.last is not None and self.last.done

    @property
    def reward(self) -> float | None:
        """The reward of an ended episode; None before the end, and where it is not scored."""
        return self.last.reward if self.last is not None and self.last.done else None

    def _stepped(self, action: ActionLike, reply: StepReply) -> StepReply:
        said = plain(action)
        self.messages.append({"role": "assistant", **({"content": said} if isinstance(said, str) else said)})
        self._pieces = 0
        return self._took(reply)

    def _answered(self, reply: StepReply) -> StepReply:
        if self._pieces is not None:
            self._pieces = self._pieces + 1 if reply.info.awaiting_user else 0
        return self._took(reply)

    def _took(self, reply: StepReply) -> StepReply:
        self.messages += [_dumped(m) for m in reply.observation]
        self.turn, self.last = reply.turn, reply
        return reply


def _dumped(message: Message) -> dict[str, Any]:
    return message.model_dump(exclude_unset=True)
