"""Episodes as environments of Gymnasium (`gymnasium`): `gymnasium.make("agent_env/retail-v0")`.

Importing this module asks the server at `ENV_SERVER_URL` for its domains and registers an environment for each.
`register` does the same for another server.
"""

import string
from contextlib import suppress
from typing import Any, Unpack

from agent_env_schemas import StepReply
from trainer_client.client import AgentEnvError, Client, Episode
from trainer_client.client.calls import ResetOptions
from trainer_client.integrations.needed import needed

with needed("gymnasium", "gymnasium"):
    import gymnasium
    from gymnasium.vector.utils import create_shared_memory

NAMESPACE = "agent_env"
MAX_ACTION = 100_000
MAX_OBSERVATION = 10_000_000
"""Characters of the longest texts of the two spaces."""

LOOK_S = 10.0
"""Seconds that the server has for the list of its domains."""


class AnyText(gymnasium.spaces.Text):
    """Texts of at most `max_length` characters of any kind; samples have printable ASCII only."""

    def __init__(self, max_length: int) -> None:
        """Make the space; a text may be empty."""
        super().__init__(max_length, min_length=0, charset=string.printable)

    def contains(self, x: Any) -> bool:
        """Return whether `x` is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a random text of up to 100 characters, unless `mask` says how long."""
        length = int(self.np_random.integers(0, 100, endpoint=True))
        given: str = super().sample(mask or (None if probability else (length, None)), probability)
        return given


@create_shared_memory.register(AnyText)
def _refuse_shared_memory(space: AnyText, n: int = 1, ctx: Any = None) -> Any:  # noqa: ARG001 -- Gymnasium names them
    """Refuse shared memory: in it, Gymnasium would keep only the characters of the space's charset."""
    raise gymnasium.error.CustomSpaceError("texts of any characters need vector_kwargs={'shared_memory': False}")


class _Left(Exception):
    """An episode's context is left before its end."""


class GymnasiumEnv(gymnasium.Env[str, str]):
    """One domain of a server; each `reset` begins an episode there.

    An action is the text of a model: words to the user, or tool calls in any format that the server understands. An
    observation is the newest messages as text, after a reset the policy and the user's first message. `episode` is the
    handle on the running episode, with its id, its conversation and its tools.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        domain: str,
        url: str | None = None,
        api_key: str | None = None,
        render_mode: str | None = None,
        **defaults: Unpack[ResetOptions],
    ) -> None:
        """Prepare the environment; nothing is sent yet.

        Args:
            domain: The domain of every episode.
            url: The address of the server, as of `trainer_client.Client`.
            api_key: The trainer's key, as of `trainer_client.Client`.
            render_mode: None, or `ansi`: `render` then returns the conversation as text.
            defaults: Fields of every reset, such as `split`, `max_turns` or `tool_prompt`.

        Raises:
            ValueError: if there is no such render mode.
        """
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self.domain, self.render_mode, self._defaults = domain, render_mode, defaults
        self.observation_space = AnyText(MAX_OBSERVATION)
        self.action_space = AnyText(MAX_ACTION)
        self.client = Client(url, api_key)
        self.episode: Episode | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Leave the running episode, and begin another.

        Args:
            seed: The seed of the episode, which also chooses the task if `options` names none. By default it is the
                next number of `np_random`.
            options: Fields of the reset (`task_id`, `split`, `index`, `user`, ...); they win over the defaults.

        Returns:
            The policy and the first message of the user, and `{"tools": schemas, "task_id": ...}`.

        Raises:
            ServerError: if the server refuses the reset.
            ValueError: if an option does not exist.
        """
        super().reset(seed=seed)
        self._leave()
        drawn = seed if seed is not None else int(self.np_random.integers(2**31))
        wanted: Any = {"seed": drawn, **self._defaults, **(options or {})}
        self.episode = self.client.reset(self.domain, **wanted)
        info = {"tools": self.episode.tools, "task_id": self.episode.reply.info.task_id}
        return _text(self.episode.observation), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play a turn.

        `terminated` says that the episode came to an end of its own, `truncated` that a limit ended it. If the server
        does not score the episode, the reward is NaN and `info["scored"]` is false: leave it out of training.

        Raises:
            ServerError: if the server refuses the turn.
            gymnasium.error.ResetNeeded: if no episode is running.
        """
        if self.episode is None or self.episode.done:
            raise gymnasium.error.ResetNeeded("call reset before step: no episode is running")
        reply = self.episode.step(action)
        reward = float("nan") if reply.reward is None else reply.reward
        return _text(self.episode.observation), reward, reply.terminated, reply.truncated, _info(reply)

    def render(self) -> str | None:
        """Return the conversation so far as text, in the mode `ansi`; else None."""
        if self.render_mode != "ansi":
            return None
        return _text(self.episode.messages if self.episode is not None else [])

    def close(self) -> None:
        """Leave the running episode, and close the connections."""
        self._leave()
        self.client.close()

    def _leave(self) -> None:
        """End an episode that has not ended, as one that is not scored; a server that is away is not waited for."""
        episode, self.episode = self.episode, None
        if episode is not None:
            with suppress(_Left), episode:
                raise _Left


def register(url: str | None = None, api_key: str | None = None) -> list[str]:
    """Register an environment for each domain of a server, and return their ids, such as `agent_env/retail-v0`.

    Raises:
        AgentEnvError: if the server does not answer, or refuses the key.
    """
    given = {"url": url, "api_key": api_key} if url or api_key else {}
    with Client(url, api_key, timeout=LOOK_S, patience_s=0, connect_patience_s=0) as client:
        domains = [domain.name for domain in client.domains().domains]
    ids = [f"{NAMESPACE}/{domain}-v0" for domain in domains]
    for env_id, domain in zip(ids, domains, strict=True):
        gymnasium.envs.registration.registry.pop(env_id, None)
        gymnasium.register(env_id, f"{__name__}:GymnasiumEnv", kwargs={"domain": domain, **given})
    return ids


def _text(messages: list[dict[str, Any]]) -> str:
    """Messages as text: a paragraph each, which begins with the role."""
    return "\n\n".join(f"{m['role']}: {_words(m)}" for m in messages)


def _words(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    return "\n".join([*filter(None, [message.get("content")]), *map(str, calls or ())])


def _info(reply: StepReply) -> dict[str, Any]:
    """The `info` of a step: the reply without its observation, and the reason why the episode ended."""
    return {**reply.info.model_dump(exclude_none=True), "stop_reason": reply.stop_reason}


try:
    register()
except AgentEnvError as error:
    gymnasium.logger.warn(f"no environment of {NAMESPACE} is registered; call {__name__}.register(url): {error}")
