"""`trainer config explain` on the keys of TRL that other trainers do not have.

tests/trainers compares the names with the installed TRL, and tests/skyrl the settings with SkyRL.
"""

import pytest

from trainer_client.recipes.explain.meaning import explained
from trainer_client.recipes.grpo.settings import ALGORITHM, PREFIX, parsed


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("{epsilon: 0.2}", {f"{ALGORITHM}eps_clip_low": 0.2, f"{ALGORITHM}eps_clip_high": 0.2}),
        ("{epsilon: 0.2, epsilon_high: null}", {f"{ALGORITHM}eps_clip_low": 0.2, f"{ALGORITHM}eps_clip_high": 0.2}),
        ("{epsilon: 0.2, epsilon_high: 0.3}", {f"{ALGORITHM}eps_clip_low": 0.2, f"{ALGORITHM}eps_clip_high": 0.3}),
        ("{loss_type: grpo}", {f"{ALGORITHM}loss_reduction": "sequence_mean"}),
        ("{loss_type: dapo}", {f"{ALGORITHM}loss_reduction": "token_mean"}),
        ("{loss_type: bnpo}", {f"{ALGORITHM}loss_reduction": "token_mean_legacy"}),
        (
            "{loss_type: dr_grpo}",
            {f"{ALGORITHM}loss_reduction": "seq_mean_token_sum_norm", f"{ALGORITHM}max_seq_len": 512},
        ),
        (
            "{loss_type: dr_grpo, max_completion_length: 64}",
            {
                f"{ALGORITHM}loss_reduction": "seq_mean_token_sum_norm",
                f"{ALGORITHM}max_seq_len": 64,
                "generator.sampling_params.max_generate_length": 64,
            },
        ),
        ("{importance_sampling_level: sequence}", {f"{ALGORITHM}policy_loss_type": "gspo"}),
        ("{scale_rewards: false}", {f"{ALGORITHM}grpo_norm_by_std": False}),
        ("{scale_rewards: group}", {f"{ALGORITHM}grpo_norm_by_std": True}),
        ("{vllm_mode: colocate}", {"trainer.placement.colocate_all": True}),
        ("{num_iterations: 2}", {"trainer.update_epochs_per_batch": 2}),
        ("{mask_truncated_completions: true}", {"generator.apply_overlong_filtering": True}),
        ("{sync_ref_model: true}", {f"{PREFIX}reference_every": 512, f"{PREFIX}reference_decay": 0.4}),
        (
            "{sync_ref_model: true, ref_model_sync_steps: null, ref_model_mixup_alpha: 0.05}",
            {f"{PREFIX}reference_every": 512, f"{PREFIX}reference_decay": 0.95},
        ),
        ("{eval_strategy: no, save_strategy: steps}", {"trainer.eval_interval": -1}),
        ("{resume_from_checkpoint: true}", {"trainer.resume_mode": "latest"}),
        ("{resume_from_checkpoint: /one}", {"trainer.resume_mode": "from_path", "trainer.resume_path": "/one"}),
        ("{attn_implementation: flash_attention_2}", {"trainer.flash_attn": True}),
        ("{attn_implementation: sdpa, optim: adamw_torch, tf32: null}", {"trainer.flash_attn": False}),
        ("{vllm_mode: colocate, vllm_server_host: 0.0.0.0}", {"trainer.placement.colocate_all": True}),
        ("{min_p: null, run_name: null, top_entropy_quantile: 1.0, warmup_ratio: 0.0}", {}),
        (
            "{sync_ref_model: true, ref_model_sync_steps: 64, ref_model_mixup_alpha: 0.6}",
            {f"{PREFIX}reference_every": 64, f"{PREFIX}reference_decay": 0.4},
        ),
        ("{sync_ref_model: false, ref_model_sync_steps: 64, ref_model_mixup_alpha: 0.6}", {}),
        ("{logging_steps: 5, log_completions: true, shuffle_dataset: true}", {}),
    ],
)
def test_the_keys_of_trl(text: str, settings: dict[str, object]) -> None:
    """TRL's own keys have settings, also with TRL's defaults where one key depends on another; none is refused."""
    found = explained(parsed(text))
    assert not [str(each) for each in found if each.hint]
    assert {name: value for each in found for name, value in each.settings.items()} == settings


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("loss_type: ppo", "expected one of grpo, bnpo, dapo, dr_grpo"),
        ("loss_type: [grpo]", "expected one of"),
        ("loss_type: cispo", "policy_loss_type=cispo"),
        ("{loss_type: cispo, epsilon_high: 5.0}", "with loss_type cispo"),
        ("importance_sampling_level: [token]", "expected one of token, sequence"),
        ("sync_ref_model: 1", "expected true or false"),
        ("{sync_ref_model: 'yes', ref_model_sync_steps: 64}", "expected true or false"),
        ("{sync_ref_model: true, ref_model_sync_steps: 0}", "at least 1"),
        ("warmup_steps: 0.1", "num_warmup_steps"),
        ("epsilon: .inf", "expected a number"),
        ("epsilon_high: .nan", "expected a number"),
        *((f"optim: {name}", "AdamW") for name in ("sgd", "adamw_8bit", "adamw_torch_8bit", "paged_adamw_32bit")),
        ("save_strategy: epoch", "trainer.ckpt_interval"),
        ("scale_rewards: batch", "within their group"),
        ("importance_sampling_level: word", "expected one of token, sequence"),
        ("vllm_mode: server", "external_server_urls"),
        ("{sync_ref_model: true, ref_model_mixup_alpha: some}", "expected a number"),
        ("warmup_ratio: 0.1", "num_warmup_steps"),
        ("delta: 2.0", "clip_ratio_c"),
    ],
)
def test_the_values_of_trl_that_have_no_setting(text: str, hint: str) -> None:
    """The hint names the settings to use instead."""
    assert [each.hint for each in explained(parsed(text)) if hint in each.hint]
