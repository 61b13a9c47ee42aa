"""Keys of TRL's `GRPOConfig`, and of transformers' `TrainingArguments` in it, that have no counterpart here.

Most change nothing about a training, or are done by SkyRL in its own way. The others have no setting: they are refused
unless they are off.
"""

from collections.abc import Mapping

NEEDLESS: Mapping[str, str] = {
    "logs and progress are not part of the training": """
        debug disable_tqdm include_num_input_tokens_seen log_completions log_completions_hub_repo log_level
        log_level_replica log_multimodal log_on_each_node log_unique_prompts logging_first_step logging_nan_inf_filter
        logging_steps logging_strategy num_completions_to_print project skip_memory_metrics trackio_bucket_id
        trackio_space_id trackio_static_space_id
    """,
    "a job here always trains": "do_train do_predict do_eval",
    "SkyRL places its workers and connects them": """
        accelerator_config average_tokens_across_devices ddp_backend ddp_broadcast_buffers ddp_bucket_cap_mb
        ddp_find_unused_parameters ddp_static_graph ddp_timeout ds3_gather_for_generation fsdp local_rank
        parallelism_config vllm_group_port vllm_server_timeout
    """,
    "SkyRL loads rows in its own way": """
        dataloader_in_order dataloader_multiprocessing_context dataloader_num_workers dataloader_persistent_workers
        dataloader_pin_memory dataloader_prefetch_factor label_names length_column_name pad_to_multiple_of
        remove_unused_columns
    """,
    "SkyRL saves and evaluates in its own way": """
        batch_eval_metrics enable_jit_checkpoint eval_accumulation_steps eval_do_concat_batches eval_use_gather_object
        greater_is_better include_for_metrics prediction_loss_only save_on_each_node
    """,
    "vLLM computes rollouts in its own way": """
        cache_implementation transformers_continuous_batching_config use_cache use_transformers_continuous_batching
        use_transformers_paged vllm_enable_sleep_mode vllm_model_impl
    """,
    "it belongs to a part of TRL that has no setting here": """
        entropy_coef_delta entropy_coef_max entropy_coef_min entropy_target hub_always_push hub_model_id
        hub_private_repo hub_revision hub_strategy hub_token metric_for_best_model vespo_k_neg vespo_k_pos
        vespo_lambda_neg vespo_lambda_pos vllm_importance_sampling_cap vllm_importance_sampling_clip_max
        vllm_importance_sampling_clip_min vllm_importance_sampling_mode
    """,
}
"""Why a key needs no setting, whatever its value -> the keys."""

WITHOUT = """
    activation_checkpointing activation_checkpointing_kwargs auto_find_batch_size bf16_full_eval cast_lm_head_to_fp32
    data_seed dataloader_drop_last fp16_full_eval fsdp_config full_determinism generation_kwargs
    gradient_checkpointing_kwargs ignore_data_skip liger_kernel_config load_best_model_at_end
    lr_scheduler_kwargs model_init_kwargs neftune_noise_alpha off_policy_mask_threshold optim_args optim_target_modules
    restore_callback_states_from_checkpoint router_aux_loss_coef save_only_model tf32 torch_compile
    torch_compile_backend torch_compile_mode torch_empty_cache_steps use_adaptive_entropy use_bias_correction_kl
    use_cpu use_liger_kernel use_liger_loss vllm_structured_outputs_regex
"""

_NONE = "SkyRL 0.3.0 has no setting for it"
_PUSHED = "trainer export writes an adapter or a whole model, which you can push"
_ROWS = "rows are made by trainer data prepare or convert: data.train_data and data.val_data name them"

REFUSED: Mapping[str, str] = {
    **dict.fromkeys(WITHOUT.split(), _NONE),
    "push_to_hub": _PUSHED,
    "dataset_name": _ROWS,
    "dataset_config": _ROWS,
    "dataset_train_split": _ROWS,
    "dataset_test_split": _ROWS,
}

ALWAYS: Mapping[str, tuple[object, str, str]] = {
    "eval_delay": (0, "evaluations begin at once", _NONE),
    "label_smoothing_factor": (0.0, "labels are as they are", _NONE),
    "multi_objective_aggregation": ("sum_then_normalize", "there is one reward", "the server computes one reward"),
    "shuffle_dataset": (True, "rows are shuffled", "rows are shuffled; order=difficulty puts easy rows first"),
    "train_sampling_strategy": ("random", "rows are shuffled", "order=difficulty puts easy rows first"),
    "disable_dropout": (False, "dropout is that of the adapter", "trainer.policy.model.lora.dropout=0 switches it off"),
}

UNSET = frozenset(
    ("bf16", "eval_steps", "min_p", "num_generations_eval", "run_name", "save_total_limit", "top_k", "dtype")
)
"""Keys that have a setting, and which TRL leaves unset with `null`."""
