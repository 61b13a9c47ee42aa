"""The keys of other GRPO trainers: what takes their value here, what needs no setting, and what has none.

A key is written with its section (`lora.r`). `SECTIONS` says which sections are other names of one, or may be left out.
"""

from collections.abc import Mapping

from trainer_client.recipes.grpo.settings import (
    ALGORITHM,
    ENGINE,
    LORA,
    MODEL,
    OPTIMIZER,
    PLACEMENT,
    PREFIX,
    RUN,
    SAMPLING,
)

TAU = "environment.skyrl_gym.tau_bench."

SECTIONS: Mapping[str, str] = {
    "algo_grpo.": "",
    "grpo.": "",
    "algorithm.": "",
    "optimization.": "",
    "optimizer.": "",
    "training.": "",
    "multi_turn.": "",
    "generation.": "rollout.",
    "lora_mode.": "lora.",
    "quantization.": "",
    "memory_optimization.": "",
    "wandb.": "wandb_",
    "logging.": "",
}
"""Beginning of a key -> what it means; an empty one is left out."""

MAPPED: Mapping[str, tuple[str, ...]] = {
    "model_name_or_path": (MODEL,),
    "model_name": (MODEL,),
    "model.name": (MODEL,),
    "kl_coef": (f"{ALGORITHM}kl_loss_coef",),
    "beta": (f"{ALGORITHM}kl_loss_coef",),
    "kl_penalty": (f"{ALGORITHM}kl_loss_coef",),
    "kl_penalty_coef": (f"{ALGORITHM}kl_loss_coef",),
    "normalize_advantages": (f"{ALGORITHM}grpo_norm_by_std",),
    "learning_rate": (f"{OPTIMIZER}lr",),
    "gradient_clip": (f"{OPTIMIZER}max_grad_norm",),
    "gradient_clipping_value": (f"{OPTIMIZER}max_grad_norm",),
    "max_grad_norm": (f"{OPTIMIZER}max_grad_norm",),
    "weight_decay": (f"{OPTIMIZER}weight_decay",),
    "warmup_steps": (f"{OPTIMIZER}num_warmup_steps",),
    "lr_scheduler_type": (f"{OPTIMIZER}scheduler",),
    "gradient_checkpointing": ("trainer.gradient_checkpointing",),
    "use_flash_attention": ("trainer.flash_attn",),
    "num_epochs": ("trainer.epochs",),
    "num_train_epochs": ("trainer.epochs",),
    "max_epochs": ("trainer.epochs",),
    "save_frequency": ("trainer.ckpt_interval",),
    "save_steps": ("trainer.ckpt_interval",),
    "save_total_limit": ("trainer.max_ckpts_to_keep",),
    "eval_steps": ("trainer.eval_interval",),
    "eval_batch_size": ("trainer.eval_batch_size",),
    "batch_size": ("trainer.train_batch_size", "trainer.policy_mini_batch_size"),
    "train_batch_size": ("trainer.train_batch_size", "trainer.policy_mini_batch_size"),
    "per_device_train_batch_size": ("trainer.micro_train_batch_size_per_gpu",),
    "max_prompt_length": ("trainer.max_prompt_length",),
    "max_response_length": (f"{SAMPLING}max_generate_length",),
    "max_completion_length": (f"{SAMPLING}max_generate_length",),
    "num_generations": ("generator.n_samples_per_prompt",),
    "group_size": ("generator.n_samples_per_prompt",),
    "rollout.num_envs": ("environment.skyrl_gym.max_env_workers",),
    "rollout_parallel_envs": ("environment.skyrl_gym.max_env_workers",),
    "rollout.max_steps_per_episode": ("generator.max_turns",),
    "max_episode_length": ("generator.max_turns",),
    "max_turns": ("generator.max_turns",),
    "rollout.max_new_tokens": (f"{SAMPLING}max_generate_length",),
    "rollout.temperature": (f"{SAMPLING}temperature",),
    "rollout.top_p": (f"{SAMPLING}top_p",),
    "rollout.top_k": (f"{SAMPLING}top_k",),
    "rollout.repetition_penalty": (f"{SAMPLING}repetition_penalty",),
    "temperature": (f"{SAMPLING}temperature",),
    "top_p": (f"{SAMPLING}top_p",),
    "top_k": (f"{SAMPLING}top_k",),
    "repetition_penalty": (f"{SAMPLING}repetition_penalty",),
    "lora.r": (f"{LORA}rank",),
    "lora.rank": (f"{LORA}rank",),
    "lora.alpha": (f"{LORA}alpha",),
    "lora.dropout": (f"{LORA}dropout",),
    "lora_r": (f"{LORA}rank",),
    "lora_rank": (f"{LORA}rank",),
    "lora_alpha": (f"{LORA}alpha",),
    "lora_dropout": (f"{LORA}dropout",),
    "vllm.max_model_len": (f"{ENGINE}engine_init_kwargs.max_model_len",),
    "vllm.gpu_memory_utilization": (f"{ENGINE}gpu_memory_utilization",),
    "vllm.tensor_parallel_size": (f"{ENGINE}tensor_parallel_size",),
    "vllm.enforce_eager": (f"{ENGINE}enforce_eager",),
    "wandb_project": ("trainer.project_name",),
    "wandb_tags": ("trainer.tags",),
    "run_name": (RUN,),
    "experiment_name": (RUN,),
    "seed": ("trainer.seed",),
    "generator.backend": (f"{ENGINE}backend",),
    "generator.model_dtype": (f"{ENGINE}model_dtype",),
    "generator.run_engines_locally": (f"{ENGINE}run_engines_locally",),
    "generator.weight_sync_backend": (f"{ENGINE}weight_sync_backend",),
    "generator.vllm_v1_disable_multiproc": (f"{ENGINE}vllm_v1_disable_multiproc",),
    "generator.max_num_seqs": (f"{ENGINE}max_num_seqs",),
    f"{ALGORITHM}ppo_loss_type": (f"{ALGORITHM}policy_loss_type",),
    "trainer.use_sample_packing": ("trainer.remove_microbatch_padding",),
    "generator.num_inference_engines": (f"{ENGINE}num_engines",),
    "generator.inference_engine_tensor_parallel_size": (f"{ENGINE}tensor_parallel_size",),
    "generator.gpu_memory_utilization": (f"{ENGINE}gpu_memory_utilization",),
    "generator.max_num_batched_tokens": (f"{ENGINE}max_num_batched_tokens",),
    "generator.enforce_eager": (f"{ENGINE}enforce_eager",),
    "generator.enable_prefix_caching": (f"{ENGINE}enable_prefix_caching",),
    "generator.enable_chunked_prefill": (f"{ENGINE}enable_chunked_prefill",),
    "trainer.policy.model.lora_rank": (f"{LORA}rank",),
    "trainer.policy.model.lora_alpha": (f"{LORA}alpha",),
    "trainer.policy.model.lora_dropout": (f"{LORA}dropout",),
    f"{TAU}user_strategy": (f"{PREFIX}reset.user.strategy",),
    f"{TAU}user_model": (f"{PREFIX}reset.user.model",),
    f"{TAU}max_turns": (f"{PREFIX}reset.max_turns",),
}
"""Key -> the settings that take its value as it is. tests/skyrl hold them against SkyRL's schema."""

_PPO = "GRPO has no value function; with the preset ppo"
_REFERENCE = (
    "SkyRL 0.3.0 has no moving reference: trainer.update_ref_every_epoch=true replaces it at the end of each epoch; "
    "the reference loop has one, trainer_client/learn/grpo.py, Settings.ema"
)
_REWARD = "the server computes the reward: docs/rewards.md has its parts, and reward_shaping of /reset their weights"
_NO_MODEL = "there is no reward model: the server computes the reward (docs/rewards.md)"
_DEEPSPEED = "SkyRL 0.3.0 trains with FSDP or Megatron: trainer.strategy"
_SPLITS = "data.val_data takes a list of files; results are told by the data source of their rows"
_FOUR_BIT = "SkyRL 0.3.0 has no setting for weights of fewer bits; use the preset gpu-1-lora-24gb, or a smaller model"
_FILES = "folders are named by the run: trainer.ckpt_path and trainer.export_path, by default ~/ckpts and ~/exports"
_DATA = "rows are made by trainer data prepare or convert: data.train_data and data.val_data name them"
_TOOLS = (
    "trainer data prepare writes the tools of an episode into its rows: --server, --tool, --tools-mode (docs/tools.md)"
)
_ENDS = "the tokens that end and pad a text are the tokenizer's"
_BATCHES = (
    "an update has trainer.train_batch_size prompts x generator.n_samples_per_prompt episodes, played side by side; "
    "trainer.policy_mini_batch_size and trainer.micro_train_batch_size_per_gpu divide it"
)

REFUSED: Mapping[str, str] = {
    "gamma": f"{_PPO} it is {ALGORITHM}gamma",
    "lambda": f"{_PPO} it is {ALGORITHM}lambd",
    "lambda_gae": f"{_PPO} it is {ALGORITHM}lambd",
    "gae_lambda": f"{_PPO} it is {ALGORITHM}lambd",
    "value_loss_coef": f"{_PPO} the critic has an optimiser of its own: trainer.critic.optimizer_config.lr",
    "value_clip_range": f"{_PPO} it is {ALGORITHM}value_clip",
    "target_kl": "the KL coefficient is fixed; the health rule of `policy/policy_kl` warns or halts above a limit",
    "kl_target": "the KL coefficient is fixed; the health rule of `policy/policy_kl` warns or halts above a limit",
    "reference_ema": _REFERENCE,
    "ref_policy_ema_alpha": _REFERENCE,
    "ref_policy_update_frequency": _REFERENCE,
    "reference_ema_decay": _REFERENCE,
    "reference_update_interval": _REFERENCE,
    "adam_beta1": f"both are one setting: {OPTIMIZER}adam_betas='[0.9, 0.999]'",
    "adam_beta2": f"both are one setting: {OPTIMIZER}adam_betas='[0.9, 0.999]'",
    "adam_epsilon": "SkyRL 0.3.0 has no setting for it",
    "gradient_accumulation_steps": _BATCHES,
    "rollout.max_episodes_per_update": _BATCHES,
    "rollout.batch_size": _BATCHES,
    "rollout.minibatch_size": _BATCHES,
    "rollout_batch_size": _BATCHES,
    "episodes_per_update": _BATCHES,
    "rollout.num_workers": "one process plays all rollouts; environment.skyrl_gym.max_env_workers is their number",
    "steps_per_epoch": "an epoch is all rows; trainer.max_training_steps ends a job early",
    "rollout.tools": _TOOLS,
    "model.pad_token_id": _ENDS,
    "rollout.pad_token_id": _ENDS,
    "rollout.eos_token_id": _ENDS,
    "max_length": "the longest conversation is generator.max_input_length, and a turn may follow it",
    "output_dir": _FILES,
    "logging_dir": _FILES,
    "data_path": _DATA,
    "validation_data_path": _DATA,
    "train_data": _DATA,
    "deepspeed": _DEEPSPEED,
    "trainer.policy.deepspeed_config": _DEEPSPEED,
    "trainer.ref.deepspeed_config": _DEEPSPEED,
    "trainer.critic.deepspeed_config": _DEEPSPEED,
    "trainer.reward": _NO_MODEL,
    f"{PLACEMENT}reward_num_nodes": _NO_MODEL,
    f"{PLACEMENT}reward_num_gpus_per_node": _NO_MODEL,
    f"{ALGORITHM}normalize_reward": f"advantages are normalised: {ALGORITHM}grpo_norm_by_std",
    "data.retail_val_data": _SPLITS,
    "data.airline_val_data": _SPLITS,
    "data.test_data": _SPLITS,
    "generator.remote_inference_engine_urls": f"it is {ENGINE}external_server_urls, with external_proxy_url",
    "generator.max_assistant_response_tokens": f"a turn is limited by {SAMPLING}max_generate_length",
    "load_in_8bit": _FOUR_BIT,
    "quantization": _FOUR_BIT,
    "bnb_4bit_compute_dtype": _FOUR_BIT,
    "bnb_4bit_quant_type": _FOUR_BIT,
    "bnb_4bit_use_double_quant": _FOUR_BIT,
    "fp16": "SkyRL 0.3.0 trains in bfloat16 or float32: trainer.policy.fsdp_config.mixed_precision.param_dtype",
    "reward_shaping": _REWARD,
    "reward_scaling": _REWARD,
    "reward_clipping_enabled": _REWARD,
    "reward_clipping_value": _REWARD,
    "turn_level_rewards": _REWARD,
    "tool_rewards": _REWARD,
    "early_stopping": "trainer.max_training_steps ends a job, and rules of health halt it (docs/skyrl.md)",
    TAU.removesuffix("."): "the settings of the environment are those of environment.skyrl_gym.agent_env",
    "curriculum_learning": f"there are no stages: {PREFIX}order=difficulty puts easy rows first in each epoch",
}
"""Key -> why there is no such setting, and what to use instead. The keys below it have the same reason."""

ALWAYS: Mapping[str, tuple[object, str, str]] = {
    "algorithm": ("grpo", "every preset trains by GRPO", "only GRPO, and PPO by the preset ppo"),
    "adaptive_kl": (False, "the KL coefficient is fixed", f"{ALGORITHM}use_kl_in_reward has a controller"),
    "adaptive_kl_penalty": (
        False,
        "the KL coefficient is fixed",
        f"{ALGORITHM}use_kl_in_reward has a controller",
    ),
    "trust_remote_code": (True, "SkyRL always does", "SkyRL always runs a model's own code"),
    "model.trust_remote_code": (True, "SkyRL always does", "SkyRL always runs a model's own code"),
    "vllm.trust_remote_code": (True, "SkyRL always does", "SkyRL always runs a model's own code"),
    "enable_vllm": (True, "rollouts always come from vLLM", "rollouts always come from vLLM"),
    "vllm.enabled": (True, "rollouts always come from vLLM", "rollouts always come from vLLM"),
    "use_vllm": (True, "rollouts always come from vLLM", "rollouts always come from vLLM"),
    "rollout.do_sample": (True, "turns are sampled", "GRPO compares samples; trainer.eval_interval evaluates without"),
    "rollout.tools.enabled": (True, "a domain has its tools", "a domain has its tools; take another domain"),
    "gradient_clipping_enabled": (True, "max_grad_norm clips", f"{OPTIMIZER}max_grad_norm=-1 switches it off"),
    "load_in_4bit": (False, "weights keep their bits", _FOUR_BIT),
    "use_qlora": (False, "weights keep their bits", _FOUR_BIT),
    "qlora": (False, "weights keep their bits", _FOUR_BIT),
    "bf16": (True, "trainer.bf16 is true", "trainer.bf16=false and fsdp_config.mixed_precision.param_dtype=fp32"),
    "lora.bias": ("none", "SkyRL trains no bias of an adapter", "SkyRL trains no bias of an adapter"),
    "lora.task_type": ("CAUSAL_LM", "it is a language model", "SkyRL trains language models alone"),
    "lora.fan_in_fan_out": (False, "linear layers are as they are", "SkyRL 0.3.0 has no setting for it"),
    "lora.init_lora_weights": (True, f"{LORA}init_method is kaiming", f"{LORA}init_method names another beginning"),
    "include_stop_str_in_output": (True, "SkyRL always keeps the stop text", "SkyRL always keeps the stop text"),
    f"{PLACEMENT}colocate_critic_reward": (False, "there is no reward model", _NO_MODEL),
    "trainer.use_orm_score": (False, "there is no reward model", _NO_MODEL),
    f"{ALGORITHM}kl_target": (None, "the KL coefficient is fixed", f"it is {ALGORITHM}kl_ctrl.kl_target"),
    f"{ALGORITHM}init_kl_coef": (0.0, "no KL is in the reward", f"it is {ALGORITHM}kl_loss_coef"),
    f"{ALGORITHM}use_kl_estimator_k3": (
        True,
        f"{ALGORITHM}kl_estimator_type is k3",
        f"{ALGORITHM}kl_estimator_type names another: k1, k2 or abs",
    ),
    f"{ALGORITHM}use_abs_kl": (
        False,
        f"{ALGORITHM}kl_estimator_type is k3",
        f"it is {ALGORITHM}kl_estimator_type=abs",
    ),
    "generator.override_existing_update_group": ("auto", "SkyRL handles it", "SkyRL 0.3.0 handles it by itself"),
    "generator.zero_reward_on_length_threshold": (
        False,
        "the server computes the reward",
        "generator.zero_reward_on_non_stop=true gives no reward to a turn that was cut",
    ),
    "generator.async_engine": (True, "engines are always asynchronous", "engines are always asynchronous"),
    "padding_side": ("left", "SkyRL pads prompts on the left", "SkyRL pads prompts on the left"),
}
"""Key -> the value that needs no setting, why, and the hint for every other value."""
