"""SkyRL's generator, extended to tolerate failures of environments and engine.

SkyRL 0.3.0 discards a whole batch, and leaves its environments open, when one rollout raises. This generator masks a
rollout that fails, or whose episode is not scored, and keeps it out of every comparison. It closes every episode, and
stops the run with a reason when too many rollouts are lost.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from loguru import logger
from skyrl.backends.skyrl_train.inference_servers.engine_utils import get_sampling_params_for_backend
from skyrl.train.generators.base import GeneratorInput, GeneratorOutput
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator, StepWiseOutput, TrajectoryOutput

from trainer_client.skyrl.engine_checks import CheckedEngine, check_rows
from trainer_client.skyrl.env import CLOSERS, HANDLE, LABELS, AgentEnv, register
from trainer_client.skyrl.evaluation import Evaluated
from trainer_client.skyrl.lost_rollouts import LOST, LostRolloutLimit, last_rows, mask_lost, total
from trainer_client.skyrl.native_tools import SAMPLERS, Engine, play
from trainer_client.skyrl.original import ORIGINAL_CLASS
from trainer_client.skyrl.rollout_stats import RolloutStats
from trainer_client.skyrl.row import ENV_CLASS, domain_of
from trainer_client.skyrl.shared_client import TEXT, settings_from

_STATS = "agent_env_stats"
"""The key of a rollout's extras under which its counts are stored when it is over."""

ENOUGH = 8
"""After so many episodes that could not be closed, no other is tried until the batch is over: the server is away."""


class RobustGenerator(SkyRLGymGenerator):
    """`SkyRLGymGenerator`, which masks lost rollouts."""

    def __init__(self, *args: Any, run: str | None = None, **kwargs: Any) -> None:
        """Take the arguments of SkyRL's generator, and the run's name, with which the server labels the episodes."""
        super().__init__(*args, **kwargs)
        register()
        if self.batched:
            raise ValueError("generator.batched=true plays one turn without an environment's reply; set it to false")
        self.run = run
        self.settings = settings_from(getattr(self.skyrl_gym_cfg, ENV_CLASS, {}))
        if self.settings.tools != TEXT and not self.generator_cfg.step_wise_trajectories:
            raise ValueError("agent_env.tools needs generator.step_wise_trajectories=true, because each turn is a row")
        self.evaluated: list[Evaluated] = []
        """The rollouts of evaluations; the trainer clears the list before an evaluation and reads it afterwards."""
        self._launch, self._batch = uuid4().hex[:12], 0
        """Both distinguish batches of one step: a resumed job plays some again, and evaluations may repeat."""
        self.inference_engine_client: CheckedEngine = CheckedEngine(self.inference_engine_client)
        self._limit = LostRolloutLimit(self.settings.max_lost_share)
        self._unclosed: list[AgentEnv] = []
        self._playing: list[asyncio.Task[Any]] = []

    async def generate(self, input_batch: GeneratorInput, disable_tqdm: bool = False) -> GeneratorOutput:
        """Play a batch.

        Raises:
            TooManyLost: if more than `max_lost_share` of the rollouts were lost; their episodes are closed by then, as
                far as the server could be reached.
        """
        rollouts = input_batch["env_extras"]
        named = [ENV_CLASS if name == ORIGINAL_CLASS else name for name in input_batch["env_classes"]]
        input_batch = GeneratorInput(**{**input_batch, "env_classes": named})
        self._batch += 1
        self._limit.begin(len(rollouts))
        for i, extras in enumerate(rollouts):
            extras[LABELS] = self._labels(input_batch, i)
            extras[CLOSERS] = [str(t) for t in (self.tokenizer.eos_token, self.tokenizer.pad_token) if t]
        playing: list[asyncio.Task[Any]] = []
        self._playing = playing
        try:
            output = await super().generate(input_batch, disable_tqdm=disable_tqdm)
        except BaseException as error:
            await asyncio.shield(self._stopped(playing, rollouts, error))
            raise
        self._limit.check()
        await self._close_the_rest()
        all_stats: list[RolloutStats | None] = [extras.pop(_STATS, None) for extras in rollouts]
        for extras in rollouts:  # SkyRL may write the extras to a file
            for name in (LABELS, CLOSERS):
                extras.pop(name, None)
        lost = [stats is not None and stats.lost for stats in all_stats]
        mask_lost(output, lost, _prompts(input_batch))
        if output["rollout_metrics"] is not None:
            output["rollout_metrics"]["environment/lost_rollouts"] = float(sum(lost))
        if (about := input_batch.get("batch_metadata")) is not None and about.training_phase == "eval":
            self.evaluated += _evaluated(input_batch, output, all_stats)
        return output

    def agent_loop(self, *args: Any, **kwargs: Any) -> "asyncio.Task[TrajectoryOutput | StepWiseOutput]":
        """Play one rollout. It never raises. Only a cancelled one leaves its episode open; `generate` closes it.

        The rollout becomes a task at once, because `generate` has to cancel it: the tasks of SkyRL's progress bar go on
        when a batch is cancelled.
        """
        task = asyncio.get_running_loop().create_task(self._played(*args, **kwargs))
        self._playing.append(task)  # for this batch: SkyRL calls this for all rollouts before it waits for one
        return task

    def _update_agent_loop_state_with_multiturn_chat_template(self, agent_loop_state: Any, turn_output: Any) -> Any:
        """Append a turn; one that was cut off is ended first, before an observation follows.

        SkyRL 0.3.0 writes the observation straight behind the last token, in a form that no chat template makes. The
        end token belongs to the observation: the policy did not say it, so it gets no loss and no log probability.
        """
        if turn_output.obs_ids and turn_output.output_ids[-1] not in self.tokenizer.all_special_ids:
            turn_output.obs_ids = [self.tokenizer.eos_token_id, *turn_output.obs_ids]
        return super()._update_agent_loop_state_with_multiturn_chat_template(agent_loop_state, turn_output)

    async def _played(
        self, prompt: Any, env_class: str, env_extras: dict[str, Any], *args: Any, **kwargs: Any
    ) -> TrajectoryOutput | StepWiseOutput:
        if self._limit.exceeded:  # the run will stop, so the rest is not begun
            return self._lost(env_extras, RuntimeError("not begun, because too many rollouts were lost before"))
        try:
            loop = super().agent_loop if self.settings.tools == TEXT else self._native_loop
            output = await loop(prompt, env_class, env_extras, *args, **kwargs)
            check_rows(output, logprobs=self._wants_logprobs(kwargs.get("sampling_params")))
            env: AgentEnv | None = env_extras.pop(HANDLE, None)
            if env is not None:
                if env.episode is not None:
                    self._unclosed.append(env)
                _last(output).env_metrics = env.get_metrics()  # again: now with the result of closing it
                self._over(env_extras, env.stats)
            return output
        except Exception as error:
            await self._given_up(env_extras, error)
            return self._lost(env_extras, error)

    async def _native_loop(
        self,
        prompt: Any,
        _: str,
        extras: dict[str, Any],
        __: int,
        max_input_length: int,
        sampling_params: dict[str, Any] | None = None,
        trajectory_id: Any = None,
        cache_salt: str | None = None,
    ) -> StepWiseOutput:
        """SkyRL's `agent_loop`, with the tools in the chat template."""
        which = trajectory_id
        session = uuid4().hex if which is None else f"{which.instance_id}_{which.repetition_id}"
        params = sampling_params or get_sampling_params_for_backend("vllm", self.generator_cfg.sampling_params)
        extras["max_turns"] = self.max_turns
        env = AgentEnv(self.settings, extras)
        asked = {"params": params, "session": session, "salt": cache_salt}
        wait = self._run_in_executor_if_available
        try:
            sample = SAMPLERS[self.settings.tools]
            return await play(self._engine(), sample, env, prompt, asked, max_input_length, wait)
        finally:
            await self.inference_engine_client.finish_session(session)

    def _engine(self) -> Engine:
        options = self.generator_cfg.chat_template_kwargs
        return Engine(self.inference_engine_client, self.policy_model_name, self.tokenizer, options)

    async def _stopped(
        self, playing: Sequence[asyncio.Task[Any]], rollouts: Sequence[dict[str, Any]], error: BaseException
    ) -> None:
        """End the rollouts of a batch that was cancelled: its event loop may go on."""
        left: list[AgentEnv] = [extras[HANDLE] for extras in rollouts if HANDLE in extras]
        for env in left:
            env.give_up()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for env in left:
            env.stats.fail(error, environment=False)
        self._unclosed += left
        await self._close_the_rest()

    async def _given_up(self, extras: dict[str, Any], error: Exception) -> None:
        """Close the episode of a rollout that raised."""
        env: AgentEnv | None = extras.get(HANDLE)
        if env is None:
            return
        env.give_up()
        env.stats.fail(self._explained(env, error), environment=False)
        await self._run_in_executor_if_available(self._close, env)

    def _close(self, env: AgentEnv) -> None:
        """Close an episode, in a thread; keep it for later if that fails."""
        if len(self._unclosed) < ENOUGH:
            env.close()
        if env.episode is not None:
            self._unclosed.append(env)

    async def _close_the_rest(self) -> None:
        """Close the episodes that could not be closed before; the server expires those that fail again."""
        again, self._unclosed = self._unclosed, []
        await asyncio.gather(*(self._run_in_executor_if_available(self._close, env) for env in again))

    @property
    def _longest(self) -> int:
        return int(self.generator_cfg.max_input_length)

    def _wants_logprobs(self, params: Mapping[str, Any] | None) -> bool:
        wanted = self.generator_cfg.sampling_params.logprobs if params is None else params.get("logprobs")
        return wanted is not None

    def _explained(self, env: AgentEnv, error: Exception) -> Exception:
        """Replace an error before the first turn by its cause, if the conversation does not fit into the context."""
        try:
            size = self._size(env) if env.turns == 0 and env.opening else 0
        except Exception:  # the chat template refuses the conversation, as `error` says already
            return error
        if size <= self._longest:
            return error
        return ValueError(f"the conversation begins with {size} tokens, max_input_length is {self._longest}")

    def _size(self, env: AgentEnv) -> int:
        if self.settings.tools != TEXT and env.episode is not None:
            return len(self._engine().render(env.opening, env.episode.tools))
        kwargs = self.generator_cfg.chat_template_kwargs
        ids = self.tokenizer.apply_chat_template(env.opening, add_generation_prompt=True, return_dict=False, **kwargs)
        return len(ids)

    def _lost(self, extras: dict[str, Any], error: Exception) -> TrajectoryOutput | StepWiseOutput:
        """The output for a rollout that has no tokens of its own."""
        env: AgentEnv | None = extras.pop(HANDLE, None)
        stats = RolloutStats(domain_of(extras)) if env is None else env.stats
        stats.fail(error, environment=False)
        self._over(extras, stats)
        end = self.tokenizer.eos_token_id or 0
        scalar = self.custom_chat_template is not None
        row = TrajectoryOutput(
            response_ids=[end, end],
            reward=0.0 if scalar else [0.0, 0.0],
            stop_reason=LOST,
            loss_mask=[0, 0],
            prompt_ids=[end],
            rollout_logprobs=None if scalar else [0.0, 0.0],
            env_metrics=stats.metrics(),
            e2e_time=stats.env_seconds,
        )
        return StepWiseOutput([row], e2e_time=row.e2e_time) if self.generator_cfg.step_wise_trajectories else row

    def _over(self, extras: dict[str, Any], stats: RolloutStats) -> None:
        """Store the counts of a rollout that is over, and count it as lost if it is."""
        extras[_STATS] = stats
        if stats.lost:
            self._limit.lose(stats.loss)
            logger.warning(f"rollout lost: {stats.loss}")

    def _labels(self, batch: GeneratorInput, i: int) -> dict[str, Any]:
        """The labels of the episode of rollout `i`."""
        about, which = batch.get("batch_metadata"), (batch.get("trajectory_ids") or {i: None})[i]
        run = self.run
        if run is not None and about is not None and about.training_phase == "eval":
            run = f"{run}/eval"  # a run has one purpose, and the server refuses test tasks to one that trains
        labels: dict[str, Any] = {} if run is None else {"run": run}
        labels["metadata"] = {"launch": self._launch, "batch": self._batch}
        if about is not None:
            labels["purpose"] = about.training_phase
            labels["metadata"]["global_step"] = about.global_step
        if which is not None:
            labels["group_id"] = f"{self._launch}/{self._batch}/{which.instance_id}"
        return labels


def _last(output: TrajectoryOutput | StepWiseOutput) -> TrajectoryOutput:
    return output.step_outputs[-1] if isinstance(output, StepWiseOutput) else output


def _prompts(batch: Mapping[str, Any]) -> Sequence[Any]:
    """The prompt of each rollout; without ids every rollout counts as a prompt of its own."""
    ids = batch.get("trajectory_ids")
    return range(len(batch["prompts"])) if ids is None else [of.instance_id for of in ids]


def _evaluated(
    batch: Mapping[str, Any], output: Mapping[str, Any], all_stats: Sequence[RolloutStats | None]
) -> Iterator[Evaluated]:
    """The result of each rollout of a batch."""
    last = last_rows(output, len(all_stats))
    for extras, prompt, row, stats in zip(batch["env_extras"], _prompts(batch), last, all_stats, strict=True):
        counts = None if stats is None else stats.metrics()
        lost = stats is not None and stats.lost
        yield Evaluated(extras.get("data_source"), str(prompt), total(output["rewards"][row]), counts, lost)
