"""Episodes for TRL's `GRPOTrainer(environment_factory=...)`. It needs no import of TRL.

TRL gives the model tools and no user turns, so the agent speaks to the user through the tool `respond`. TRL also knows
no end of an episode: after the last turn each call is answered with `OVER`, and the reward stays as it is.
"""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any, ClassVar

from agent_env_schemas import CLOSE_INFRASTRUCTURE, RESPOND
from trainer_client.client import AgentEnvError, Client, Episode
from trainer_client.client.retry import may_pass
from trainer_client.integrations.prompt import instructions, opening
from trainer_client.integrations.trl.rows import reset_fields
from trainer_client.integrations.trl.tools import tool_method

OVER = "The episode is over."
"""The answer to a call after the last turn."""

MISUSED = f"Error: `{RESPOND}` takes one argument, `message`, which is text. Nothing was said."

_SPEAK = "Say something to the user; the result is what they answer."
_MESSAGE = {"message": {"type": "string", "description": "The words to the user."}}
_ARGUMENTS = {"type": "object", "properties": _MESSAGE, "required": ["message"]}
_RESPOND = {"type": "function", "function": {"name": RESPOND, "description": _SPEAK, "parameters": _ARGUMENTS}}


class TrlEnvironment:
    """One rollout at a time: `environment` makes a subclass with a method for each tool. TRL resets and reuses it."""

    _client: ClassVar[Client]
    _domain: ClassVar[str]
    _options: ClassVar[Mapping[str, Any]]
    _trials: ClassVar[Iterator[int]]
    _outage: ClassVar[AgentEnvError | None] = None
    """The error of a call to which the server did not answer. Until the next reset, calls of other rollouts fail with
    it at once."""

    def __init__(self) -> None:
        """Prepare an environment without an episode."""
        self._episode: Episode | None = None
        self._open = ExitStack()

    def reset(self, **row: Any) -> str:
        """Begin the episode of a row, and close the one before.

        Args:
            row: The row's columns. A field of `/reset` replaces the environment's own option; other columns are
                ignored.

        Returns:
            What TRL appends to the row's last message: the policy, unless the row's prompt has a system message, and
            the beginning of the conversation.

        Raises:
            ValueError: if the row is of another domain.
            AgentEnvError: if the server refuses or cannot be reached.
        """
        self._leave()
        fields = reset_fields(row)
        if fields.pop("domain", self._domain) != self._domain:
            raise ValueError(f"the row is of the domain {row['domain']!r}, the environment of {self._domain!r}")
        options = {"trial": next(self._trials), **self._options, **fields}
        self._episode = self._open.enter_context(self._client.reset(self._domain, **options))
        type(self)._outage = None
        system = any(message["role"] == "system" for message in row.get("prompt") or ())
        return opening(self._episode) if system else f"{instructions(self._episode)}\n\n{opening(self._episode)}"

    def get_reward(self) -> float | None:
        """End the episode if it has not ended, and return the server's reward.

        None stands for an episode that is not scored, because the server could not play a call: TRL gives such a
        rollout no advantage.
        """
        episode = self._episode
        self._leave()
        self._episode = episode
        return None if episode is None else episode.reward

    def _leave(self) -> None:
        """Close the episode, unless the server was just away: it will end the episode itself, unscored."""
        if self._outage is not None and self._episode is not None and self._episode.failure is self._outage:
            self._open.pop_all()
        self._open.close()
        self._episode = None

    def _play(self, name: str, arguments: dict[str, Any]) -> str:
        """Play a call as a turn; TRL shows the model what this returns, or the text of an exception."""
        episode = self._episode
        if episode is None or episode.done or episode.failure is not None:
            return OVER
        if name == RESPOND and not isinstance(arguments.get("message"), str):
            return MISUSED
        call = {"tool_calls": [{"name": name, "arguments": arguments}]}
        if self._outage is not None:
            episode.failure = self._outage
            raise self._outage
        try:
            reply = episode.step(arguments["message"] if name == RESPOND else call)
        except AgentEnvError as error:
            episode.failure = error
            if may_pass(error):
                type(self)._outage = error
            raise
        return "\n".join(message.content for message in reply.observation) or OVER


def environment(client: Client, domain: str, **options: Any) -> type[TrlEnvironment]:
    """A class for `GRPOTrainer(environment_factory=...)`: its instances play `domain`, and its methods are the tools.

    The tools are those of an episode that is begun with `options` and closed unscored.

    Args:
        client: Plays the episodes of all instances, and must stay open.
        domain: The domain.
        options: Fields of `/reset` for each episode, which the columns of a row may replace.

    Raises:
        ValueError: if an option does not exist, or a tool cannot be a method.
        AgentEnvError: if the server refuses or cannot be reached.
    """
    probe = client.reset(domain, **options)
    probe.close(CLOSE_INFRASTRUCTURE)
    methods = [tool_method(tool, TrlEnvironment._play) for tool in (*probe.tools, _RESPOND)]
    settings = {"_client": client, "_domain": domain, "_options": options, "_trials": itertools.count()}
    return type(domain, (TrlEnvironment,), {**settings, **{method.__name__: method for method in methods}})
