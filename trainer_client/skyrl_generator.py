"""SkyRL's generator, made to survive its environments.

SkyRL 0.3.0 gives up a whole batch, and leaves its environments open, when one rollout raises. Here a rollout that
fails, or whose episode is not scored, is masked and compared with nothing; every episode is closed; and the run stops
with a reason when too many are lost, because an outage must not look like a quiet run.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import trainer_client.skyrl_compat  # noqa: F401  # isort: skip

from loguru import logger
from skyrl.train.generators.base import GeneratorInput, GeneratorOutput
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator, StepWiseOutput, TrajectoryOutput

from trainer_client.masking import LOST, mask_lost
from trainer_client.pool import settings_from
from trainer_client.row import ENV_CLASS, domain_of
from trainer_client.skyrl_env import CLOSERS, HANDLE, LABELS, AgentEnv, register
from trainer_client.tally import Tally

_FAILURE = "agent_env_failure"
"""Where in a rollout's extras it stands why it is lost."""


class TooManyLost(RuntimeError):
    """So many rollouts of a batch were lost that training must not go on; the message says why they were."""


class RobustGenerator(SkyRLGymGenerator):
    """`SkyRLGymGenerator` with lost rollouts masked."""

    def __init__(self, *args: Any, run: str | None = None, **kwargs: Any) -> None:
        """Take what SkyRL's generator takes, and the label under which the server collects the episodes."""
        super().__init__(*args, **kwargs)
        register()
        if self.batched:
            raise ValueError("generator.batched=true plays one turn without an environment's reply; set it to false")
        self.run = run
        self.settings = settings_from(getattr(self.skyrl_gym_cfg, ENV_CLASS, {}))
        self._reasons: Counter[str] = Counter()
        self._most_lost = 0.0
        self._unclosed: list[AgentEnv] = []

    async def generate(self, input_batch: GeneratorInput, disable_tqdm: bool = False) -> GeneratorOutput:
        """Play a batch.

        Raises:
            TooManyLost: if more than `max_lost_share` of its rollouts were lost; their episodes are closed by then.
        """
        rollouts = input_batch["env_extras"]
        self._reasons = Counter()
        self._most_lost = self.settings.max_lost_share * len(rollouts)
        for i, extras in enumerate(rollouts):
            extras[LABELS] = self._labels(input_batch, i)
            extras[CLOSERS] = [str(t) for t in (self.tokenizer.eos_token, self.tokenizer.pad_token) if t]
        output = await super().generate(input_batch, disable_tqdm=disable_tqdm)
        await self._close_the_rest()
        lost = [_FAILURE in extras for extras in rollouts]
        for extras in rollouts:  # SkyRL may write the extras to a file
            for name in (LABELS, CLOSERS, _FAILURE):
                extras.pop(name, None)
        if sum(lost) > self._most_lost:
            raise TooManyLost(self._account(len(rollouts)))
        mask_lost(output, lost, _prompts(input_batch))
        if output["rollout_metrics"] is not None:
            output["rollout_metrics"]["environment/lost_rollouts"] = float(sum(lost))
        return output

    async def agent_loop(
        self, prompt: Any, env_class: str, env_extras: dict[str, Any], *args: Any, **kwargs: Any
    ) -> TrajectoryOutput | StepWiseOutput:
        """Play one rollout; it is never left open, and it never raises."""
        if sum(self._reasons.values()) > self._most_lost:  # the run will stop, so the rest need not try
            return self._lost(env_extras, "not begun: too many were lost before")
        try:
            output = await super().agent_loop(prompt, env_class, env_extras, *args, **kwargs)
        except Exception as error:
            return self._lost(env_extras, await self._given_up(env_extras, error))
        except BaseException as error:
            await asyncio.shield(self._given_up(env_extras, error))
            raise
        env: AgentEnv | None = env_extras.pop(HANDLE, None)
        if env is not None:
            self._closed(env)
            _last(output).env_metrics = env.get_metrics()  # with how it was closed
            if env.tally.lost:
                self._note(env_extras, env.tally.failure or f"not scored: {env.tally.stop_reason}")
        return output

    async def _given_up(self, extras: dict[str, Any], error: BaseException) -> str:
        """Close the episode of a rollout that raised; why it did."""
        env: AgentEnv | None = extras.get(HANDLE)
        if env is None:
            return f"{type(error).__name__}: {error}"
        if env.turns == 0 and env.opening and (size := self._size(env)) > self._longest:
            error = ValueError(f"the conversation begins with {size} tokens, max_input_length is {self._longest}")
        env.fail(error)
        await self._run_in_executor_if_available(env.close)
        self._closed(env)
        return str(env.tally.failure)

    def _closed(self, env: AgentEnv) -> None:
        """Remember an environment whose episode could not be closed."""
        if env.episode is not None:
            self._unclosed.append(env)

    async def _close_the_rest(self) -> None:
        """Try again what could not be closed; by now the server may be back. It expires what nobody closes."""
        again, self._unclosed = self._unclosed, []
        await asyncio.gather(*(self._run_in_executor_if_available(env.close) for env in again))

    @property
    def _longest(self) -> int:
        return int(self.generator_cfg.max_input_length)

    def _size(self, env: AgentEnv) -> int:
        kwargs = self.generator_cfg.chat_template_kwargs
        ids = self.tokenizer.apply_chat_template(env.opening, add_generation_prompt=True, return_dict=False, **kwargs)
        return len(ids)

    def _lost(self, extras: dict[str, Any], reason: str) -> TrajectoryOutput | StepWiseOutput:
        """What stands for a rollout that has no tokens of its own."""
        self._note(extras, reason)
        env: AgentEnv | None = extras.pop(HANDLE, None)
        metrics = env.get_metrics() if env else Tally(domain_of(extras), failure=reason).metrics()
        end = self.tokenizer.eos_token_id or 0
        scalar = self.custom_chat_template is not None
        row = TrajectoryOutput(
            response_ids=[end, end],
            reward=0.0 if scalar else [0.0, 0.0],
            stop_reason=LOST,
            loss_mask=[0, 0],
            prompt_ids=[end],
            rollout_logprobs=None if scalar else [0.0, 0.0],
            env_metrics=metrics,
            e2e_time=metrics["env_seconds"],
        )
        return StepWiseOutput([row], e2e_time=row.e2e_time) if self.generator_cfg.step_wise_trajectories else row

    def _note(self, extras: dict[str, Any], reason: str) -> None:
        extras[_FAILURE] = reason
        self._reasons[reason] += 1
        logger.warning(f"rollout lost: {reason}")

    def _labels(self, batch: GeneratorInput, i: int) -> dict[str, Any]:
        """How the server should label the episode of rollout `i`."""
        about, which = batch.get("batch_metadata"), (batch.get("trajectory_ids") or {i: None})[i]
        run = self.run
        if run is not None and about is not None and about.training_phase == "eval":
            run = f"{run}/eval"  # a run has one purpose, and one that trains is refused test tasks
        labels: dict[str, Any] = {} if run is None else {"run": run}
        if about is not None:
            labels["purpose"] = about.training_phase
            labels["metadata"] = {"global_step": about.global_step}
        if which is not None and about is not None and self.run is not None:
            labels["group_id"] = f"{self.run}/{about.training_phase}-{about.global_step}/{which.instance_id}"
        return labels

    def _account(self, rollouts: int) -> str:
        """Why the run stops."""
        common = "; ".join(f"{count} x {reason}" for reason, count in self._reasons.most_common(5))
        share = self.settings.max_lost_share
        return f"{sum(self._reasons.values())} of {rollouts} rollouts were lost (limit {share:.0%}): {common}"


def _last(output: TrajectoryOutput | StepWiseOutput) -> TrajectoryOutput:
    return output.step_outputs[-1] if isinstance(output, StepWiseOutput) else output


def _prompts(batch: Mapping[str, Any]) -> Sequence[Any]:
    """The prompt of each rollout; without ids each is compared with itself alone."""
    ids = batch.get("trajectory_ids")
    return range(len(batch["prompts"])) if ids is None else [of.instance_id for of in ids]
