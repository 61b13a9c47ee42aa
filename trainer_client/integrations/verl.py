"""Episodes as an agent loop of verl (`verl`): rows whose `agent_name` is `agent_env` play episodes of a server.

A row's `extra_info` has `reset`, the fields of `/reset` with at least `domain`. The server is the one at
`ENV_SERVER_URL`. The prompt of the row is not used: an episode brings its own.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from trainer_client.client import AsyncClient, AsyncEpisode
from trainer_client.integrations.needed import needed

with needed("verl", "verl"):
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
    from verl.utils.profiler import simple_timer


@dataclass
class Rollout:
    """The tokens of one rollout: those of the prompt, then one for each entry of `mask`."""

    tokens: list[int]
    mask: list[int] = field(default_factory=list)
    """1 for a token of the model, 0 for one of the environment."""
    logprobs: list[float] | None = None
    """Log probabilities of the tokens after the prompt, where the engine gives them; 0 for the environment's."""


@register("agent_env")
class AgentEnvLoop(AgentLoopBase):
    """Plays one episode for each row, turn by turn, with the tokens that the engine generated.

    The reward of the episode is the rollout's. An episode that the server does not score is masked. An episode whose
    response reaches `response_length` is closed, with reward 0.
    """

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Play the episode of a row.

        Raises:
            AgentEnvError: if the server refuses the reset or a turn, or stays out of reach.
        """
        metrics: dict[str, Any] = {}
        async with AsyncClient() as client, client.reset(**row["extra_info"]["reset"]) as episode:
            played = await self._play(episode, sampling_params, metrics)
        scored, limit = episode.reward is not None, self.rollout_config.response_length
        size = len(played.mask)
        return AgentLoopOutput(
            prompt_ids=played.tokens[: len(played.tokens) - size],
            response_ids=played.tokens[len(played.tokens) - size :][:limit],
            response_mask=played.mask[:limit] if scored else [0] * min(size, limit),
            response_logprobs=played.logprobs[:limit] if played.logprobs is not None else None,
            reward_score=episode.reward or 0.0,
            num_turns=2 * episode.turn + 1,
            metrics=metrics,
            extra_fields={"turn_scores": [], "tool_rewards": [], "episode_id": episode.id, "scored": scored},
        )

    async def _play(self, episode: AsyncEpisode, sampling_params: dict[str, Any], metrics: dict[str, Any]) -> Rollout:
        """Play until the episode or the room for tokens ends."""
        prompt = await self.ct_build_initial_tokens(episode.messages, tools=episode.tools)
        rollout, request_id = Rollout(prompt), uuid4().hex
        room = self.rollout_config.response_length
        while not episode.done and len(rollout.mask) < room:
            with simple_timer("generate_sequences", metrics):
                output = await self.server_manager.generate(
                    request_id=request_id, prompt_ids=rollout.tokens, sampling_params=sampling_params
                )
            metrics.setdefault("num_preempted", 0)
            metrics["num_preempted"] += output.num_preempted or 0
            await self._say(rollout, output)
            if len(rollout.mask) >= room:
                break
            with simple_timer("tool_calls", metrics):
                await episode.step(self.tokenizer.decode(output.token_ids, skip_special_tokens=True))
            if not episode.done:
                await self._hear(rollout, episode)
        return rollout

    async def _say(self, rollout: Rollout, output: Any) -> None:
        """Append the tokens of the model."""
        logprobs = output.log_probs or None
        before = rollout.logprobs if rollout.logprobs is not None or logprobs is None else []
        merged, rollout.mask, rollout.logprobs = await self.ct_merge_assistant_token(
            rollout.tokens, output.token_ids, rollout.mask, before, assistant_logprobs=logprobs
        )
        rollout.tokens = merged.token_ids

    async def _hear(self, rollout: Rollout, episode: AsyncEpisode) -> None:
        """Append the tokens of the newest observation."""
        before = episode.messages[: len(episode.messages) - len(episode.observation)]
        merged, rollout.mask, rollout.logprobs = await self.ct_merge_context_msg(
            before, episode.messages, rollout.tokens, rollout.mask, rollout.logprobs, tools=episode.tools
        )
        rollout.tokens = merged.token_ids
