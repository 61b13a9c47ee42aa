"""Episodes for TRL's `GRPOTrainer(rollout_func=...)`. It needs no import of TRL.

Unlike `environment_factory`, it gives the model true turns of the user, ends a rollout with its episode, sends the
model's own text, and plays a turn of all rollouts in one request.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from trainer_client.client import Client, Episode, ServerError
from trainer_client.integrations.trl.rows import reset_fields
from trainer_client.integrations.trl.tokens import prompt_ids, suffix_ids

REWARD = "episode_reward"
"""The key under which TRL hands the server's rewards to the reward functions."""


def rollout_func(client: Client, **options: Any) -> Callable[[Sequence[str], Any], dict[str, Any]]:
    """A value for `GRPOTrainer(rollout_func=...)`; `server_reward` is the reward function that belongs to it.

    A row's `prompt` is the JSON text of the fields of its `/reset`, because TRL hands over no other column. A rollout
    ends with its episode, with a turn without an end-of-sequence token, or where the next turn would not fit
    `max_completion_length` or the model's context. If the server cannot play a rollout's turn, that rollout is not
    scored. If it can play the turn of no rollout, its error is raised.

    Args:
        client: Plays the episodes, and must stay open.
        options: Fields of `/reset` for each episode, which the fields of a prompt may replace.
    """

    def played(prompts: Sequence[str], trainer: Any) -> dict[str, Any]:
        requests = [{"trial": i, **options, **reset_fields(json.loads(prompt))} for i, prompt in enumerate(prompts)]
        with ExitStack() as leaving:
            begun = client.batch_reset(requests)
            episodes = [leaving.enter_context(e) for e in begun if isinstance(e, Episode)]
            _raise_first(begun)
            rollouts = [_Rollout(episode, prompt_ids(trainer, episode)) for episode in episodes]
            playing = rollouts
            while playing:
                playing = _turn(client, trainer, playing)
        return {
            "prompt_ids": [rollout.prompt for rollout in rollouts],
            "completion_ids": [rollout.completion for rollout in rollouts],
            "env_mask": [rollout.mask for rollout in rollouts],
            "logprobs": [rollout.logprobs for rollout in rollouts] if trainer.use_vllm else None,
            REWARD: [rollout.episode.reward for rollout in rollouts],
        }

    return played


def server_reward(*, episode_reward: list[float | None], **_others: Any) -> list[float | None]:
    """A reward function for `GRPOTrainer(reward_funcs=...)`: the server's rewards, None where it did not score."""
    return episode_reward


@dataclass
class _Rollout:
    """One episode, and its tokens; `mask` is 1 for the model's tokens, `logprobs` is 0 for the others."""

    episode: Episode
    prompt: list[int]
    completion: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)

    def add(self, ids: Sequence[int], logprobs: Sequence[float] | None, *, sampled: bool) -> None:
        """Append tokens of the model, or of its environment."""
        self.completion += ids
        self.mask += [int(sampled)] * len(ids)
        self.logprobs += logprobs or [0.0] * len(ids)


def _raise_first(begun: Sequence[Episode | ServerError]) -> None:
    """Raise the first error."""
    for error in begun:
        if isinstance(error, ServerError):
            raise error


def _turn(client: Client, trainer: Any, playing: list[_Rollout]) -> list[_Rollout]:
    """Play a turn of each rollout, and return those that go on."""
    contexts = [rollout.prompt + rollout.completion for rollout in playing]
    sampled, logprobs = trainer._generate_single_turn(contexts, None, {}, num_generations=1)
    tokenizer, spoken = trainer._tokenizer, []
    for i, (rollout, ids) in enumerate(zip(playing, sampled, strict=True)):
        kept = ids[: trainer.max_completion_length - len(rollout.completion)]
        rollout.add(kept, None if logprobs is None else logprobs[i][: len(kept)], sampled=True)
        if kept and kept[-1] in trainer.eos_token_ids:
            spoken.append((rollout, tokenizer.decode(kept[:-1], skip_special_tokens=True)))
    replies = client.batch_step([(rollout.episode, text) for rollout, text in spoken]) if spoken else []
    for (rollout, _), reply in zip(spoken, replies, strict=True):
        if isinstance(reply, ServerError):
            rollout.episode.failure = reply
    return [rollout for rollout, _ in spoken if _goes_on(trainer, rollout)]


def _goes_on(trainer: Any, rollout: _Rollout) -> bool:
    """Append the observation if the episode goes on and there is room for it and one token more; returns whether."""
    episode = rollout.episode
    if episode.done or episode.failure is not None:
        return False
    suffix = suffix_ids(trainer, episode.observation)
    completion = len(rollout.completion) + len(suffix)
    longest = trainer.model.config.get_text_config().max_position_embeddings
    if completion >= trainer.max_completion_length or len(rollout.prompt) + completion >= longest:
        return False
    rollout.add(suffix, None, sampled=False)
    return True
