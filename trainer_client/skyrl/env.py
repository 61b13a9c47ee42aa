"""An episode on the server as a SkyRL environment.

Its methods never raise, because SkyRL 0.3.0 discards the whole batch if one environment does. They record the error in
`stats.failure`, and `trainer_client.skyrl.generator` keeps such rollouts out of training.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Any

from skyrl_gym.envs import registration
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from agent_env_schemas import CLOSE_INFRASTRUCTURE, DEFAULT_TURNS, StepReply
from trainer_client.client import Episode
from trainer_client.client.calls import ActionLike
from trainer_client.skyrl.rollout_stats import RolloutStats, aggregate
from trainer_client.skyrl.row import ENV_CLASS, domain_of, normal, opening, overridden, reset_options, without_closers
from trainer_client.skyrl.shared_client import MASK, TEXT, client, settings_from, while_wanted

HANDLE = "agent_env_handle"
"""The key under which an environment stores itself in its extras, for the generator that made it."""

LABELS = "agent_env_labels"
"""The key under which a generator may store the episode's labels: `run`, `purpose`, `group_id`, `metadata`."""

CLOSERS = "agent_env_closers"
"""The key under which a generator may store the special tokens that end a message."""

CONTEXT_FULL = "context_full"
"""The reason to close an episode that SkyRL leaves before its end: the context has no room for another turn."""

Messages = list[dict[str, Any]]


class AgentEnv(BaseTextEnv):
    """One attempt at one task. Only `init`, `step` and `close` wait for the server."""

    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        """Prepare the environment; nothing is sent here, because SkyRL calls this on its event loop."""
        super().__init__()
        self.row = {} if extras is None else extras
        self.row[HANDLE] = self
        self.settings = settings_from(env_config)
        self.max_turns = int(self.row.get("max_turns") or DEFAULT_TURNS)
        self.stats = RolloutStats(domain_of(self.row), mask_outages=self.settings.outages == MASK)
        self.opening: Messages = []
        self.episode: Episode | None = None
        self._one_call = Lock()
        self._given_up = False

    def init(self, prompt: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> tuple[Messages, dict[str, Any]]:
        """Begin a new episode; retries of the request begin no other."""
        with self._waiting():
            try:
                how = {"observation_role": self.settings.observation_role, **self.row.get(LABELS, {})}
                row = normal({**self.row, "prompt": prompt})
                native, own = self.settings.tools != TEXT, reset_options(row, self.max_turns)
                options = overridden(own, self.settings.reset, how.get("purpose"), native=native)
                self.episode = client(self.settings).reset(**{**how, **options})
                if self.episode.awaiting_user:
                    raise ValueError("the user of this task is external, and nobody here speaks for them")
                self.opening = opening(row["prompt"], self.episode.messages, native=native)
                return self.opening, {}
            except Exception as error:
                self._fail(error)
                given = [] if isinstance(prompt, Mapping) else prompt
                return [*map(dict, given), {"role": "user", "content": "(There is no environment.)"}], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play a turn. A rollout that has failed is over, and the generator masks its reward."""
        text = without_closers(action, self.row.get(CLOSERS, ()))
        return self.play(text, text)

    def play(self, action: ActionLike, text: str) -> BaseTextEnvStepOutput:
        """Play a turn with a message that may have calls; `text` is all that the policy said."""
        with self._waiting():
            self.turns += 1
            try:
                if self.episode is None or self.stats.failure is not None:
                    raise RuntimeError("the episode did not begin")
                reply = self.episode.step(action)
                self.stats.step(text, reply)
                if reply.info.awaiting_user:
                    raise ValueError("the user of this task is external, and nobody here speaks for them")
                messages = [message.model_dump(exclude_none=True) for message in reply.observation]
                return _output(messages, reply.reward or 0.0, done=reply.done)
            except Exception as error:
                self._fail(error)
                return _output([], 0.0, done=True)

    def give_up(self) -> None:
        """Send nothing after this but a `close`; does not wait for a call that is on its way."""
        self._given_up = True

    def close(self) -> None:
        """End the episode if it has not ended, with the reason: it failed, or the context is full.

        If another call is on its way, as when a batch is cancelled, this waits for it, because it may begin the
        episode. Afterwards `episode` is None, unless the server could not be reached; then this may be called again.
        """
        with self._one_call:
            if self.episode is not None and not self.episode.done:
                try:
                    self.stats.ended(self._end(self.episode.id))
                except Exception as error:
                    return self._fail(error)
            self.episode = None
        return None

    def get_metrics(self) -> dict[str, Any]:
        """The episode's counts, from memory."""
        return self.stats.metrics()

    @staticmethod
    def aggregate_metrics(metrics: list[dict[str, Any]]) -> dict[str, float]:
        """The metrics of a batch, over all and by domain."""
        return aggregate(metrics)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Allow one call at a time, and count its time."""
        began = time.monotonic()
        with self._one_call, self._while_wanted():
            try:
                yield
            finally:
                self.stats.env_seconds += time.monotonic() - began

    def _while_wanted(self) -> AbstractContextManager[None]:
        return while_wanted(lambda: not self._given_up)

    def _end(self, episode_id: str) -> StepReply:
        """Close the episode; after a failed call with little patience."""
        if self.stats.failure is not None:
            return client(self.settings, patient=False).close_episode(episode_id, CLOSE_INFRASTRUCTURE)
        with self._while_wanted():
            return client(self.settings).close_episode(episode_id, CONTEXT_FULL)

    def _fail(self, error: Exception) -> None:
        self.stats.fail(error, environment=True)


def _output(messages: Messages, reward: float, *, done: bool) -> BaseTextEnvStepOutput:
    return BaseTextEnvStepOutput(observations=messages, reward=reward, done=done, metadata={})


def register() -> None:
    """Register the environment with SkyRL in the process that holds the generator; may be called repeatedly."""
    if ENV_CLASS not in registration.registry:
        registration.register(id=ENV_CLASS, entry_point=f"{AgentEnv.__module__}:{AgentEnv.__name__}")
