"""`trainer config explain`: every key of a file has a setting here, or a reason and a hint."""

import json
import shlex
from pathlib import Path

import pytest

from trainer_client.cli import DONE, FAILED, MISUSED, main
from trainer_client.recipes.explain.keys import ALWAYS, MAPPED, REFUSED
from trainer_client.recipes.explain.meaning import READ, explained
from trainer_client.recipes.grpo.schema.names import is_setting
from trainer_client.recipes.grpo.settings import ALGORITHM, LORA, PREFIX, TOOLS, BadSettings, parsed, read

KEPT = {"trainer.strategy", "environment.env_class", "generator.sampling_params.stop"}
"""Settings of SkyRL's whose values are read: an old one, one that is always the same, a text in place of a list."""

FILE = """
model_name_or_path: Qwen/Qwen2.5-0.5B-Instruct
enable_vllm: true
algo_grpo: {clip_ratio: 0.2, kl_coef: 0.01}
rollout: {num_envs: 4, temperature: 0.7, top_p: 0.95}
lora: {r: 16, alpha: 32, dropout: 0.05}
"""

THEIRS = """
algorithm: grpo
grpo: {gamma: 0.99, lambda_gae: 0.95, clip_ratio: 0.2, value_loss_coef: 0.5, entropy_coef: 0.0, kl_coef: 0.1,
  target_kl: 0.3, adaptive_kl: true, normalize_advantages: true}
optimization: {learning_rate: 5e-6, gradient_clip: 1.0, gradient_accumulation_steps: 8}
training: {max_epochs: 3, steps_per_epoch: 1000, save_frequency: 100}
model: {name: tiny, dtype: bfloat16, tokenizer: tiny, trust_remote_code: true, pad_token_id: 0}
finetune: {mode: lora}
lora: {enabled: true, r: 16, alpha: 32, dropout: 0.05, target_modules: [q_proj, k_proj, v_proj, o_proj], bias: none}
vllm: {enabled: true, max_model_len: 4096, gpu_memory_utilization: 0.3, enforce_eager: true, trust_remote_code: true}
rollout: {backend: auto, num_envs: 4, num_workers: 2, max_steps_per_episode: 8, max_episodes_per_update: 16,
  max_new_tokens: 256, temperature: 0.7, top_p: 0.95, return_token_logprobs: true, batch_size: 4, minibatch_size: 1,
  tools: {enabled: true, timeout_seconds: 20.0, retry_attempts: 1, allow_list: [polygon]}}
ref_policy_update_frequency: 100
ref_policy_ema_alpha: 0.95
lora_mode: {enabled: true, r: 16, alpha: 32}
quantization: {load_in_4bit: true, bnb_4bit_quant_type: nf4}
generation: {do_sample: true}
trainer: {epochs: 3, policy: {model: {lora_rank: 16}}}
generator: {num_inference_engines: 2, async_engine: true, use_native_tool_calling: true, n_samples_per_prompt: 3}
environment: {env_class: tau_bench, skyrl_gym: {tau_bench: {user_strategy: llm, user_model: m, max_turns: 6, seed: 1}}}
curriculum_learning: {enabled: true, warmup_epochs: 1}
"""
"""Keys of the recipes that the table is for, each once."""


def test_every_key_that_has_a_setting_is_named_with_its_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key may stand for two settings; the printed settings can be pasted into a command line."""
    file = tmp_path / "theirs.yaml"
    file.write_text(FILE, encoding="utf-8")
    assert main(["config", "explain", str(file)]) == DONE
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert (len(lines), printed.err) == (10, "all 10 keys are settled\n")
    assert "algo_grpo.clip_ratio: trainer.algorithm.eps_clip_low=0.2 trainer.algorithm.eps_clip_high=0.2" in lines
    assert "rollout.num_envs: environment.skyrl_gym.max_env_workers=4" in lines
    assert "enable_vllm: nothing to set: rollouts always come from vLLM" in lines
    assert 'model_name_or_path: trainer.policy.model.path="Qwen/Qwen2.5-0.5B-Instruct"' in lines


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "Qwen/Qwen3-4B",
        "1e5",
        "true",
        "2026-01-02",
        "2026-13-45",
        "a:",
        "two words",
        "it's $HOME",
        "`x`",
        "<|im_end|>",
        "\N{SNOWMAN}",
    ],
)
def test_an_argument_survives_the_shell(value: str) -> None:
    """A printed argument, read by a shell and then as a setting, has the same value."""
    (found,) = explained({"wandb_project": value})
    (argument,) = shlex.split(str(found).partition(": ")[2])
    assert "$" not in str(found) or "'" in str(found)
    assert read([], [], [argument])["trainer.project_name"] == value


def test_keys_without_a_setting_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Known keys have a hint, unknown ones the likely key; the command fails."""
    file = tmp_path / "theirs.yaml"
    file.write_text("{enable_vllm: false, load_in_4bit: true, lora: {rr: 3}, finetune: {mode: full}}", encoding="utf-8")
    assert main(["config", "explain", str(file), "--json"]) == FAILED
    found = {each["key"]: each for each in json.loads(capsys.readouterr().out)["keys"]}
    assert found["enable_vllm"]["hint"] == "rollouts always come from vLLM"
    assert "gpu-1-lora-24gb" in found["load_in_4bit"]["hint"]
    assert found["lora.rr"]["hint"] == "unknown; did you mean lora.r?"
    assert found["finetune.mode"]["settings"] == {"trainer.policy.model.lora.rank": 0}


def test_every_key_of_the_recipes_has_a_meaning() -> None:
    """No key is unknown, each has settings, a note or a hint, and numbers without a dot are numbers."""
    found = {each.key: each for each in explained(parsed(THEIRS))}
    assert not [each.key for each in found.values() if "unknown" in each.hint]
    assert {bool(each.settings) + bool(each.note) + bool(each.hint) for each in found.values()} == {1}
    assert found["optimization.learning_rate"].settings == {"trainer.policy.optimizer_config.lr": 5e-6}
    modules = ["q_proj", "k_proj", "v_proj", "o_proj"]
    assert found["lora.target_modules"].settings == {f"{LORA}target_modules": modules}
    assert str(found["lora.target_modules"]).endswith(
        f"""'{LORA}target_modules=["q_proj", "k_proj", "v_proj", "o_proj"]'"""
    )
    assert found["rollout.temperature"].settings == {"generator.sampling_params.temperature": 0.7}
    assert found["trainer.epochs"].settings == {"trainer.epochs": 3}
    assert found["trainer.policy.model.lora_rank"].settings == {f"{LORA}rank": 16}
    assert found["generator.use_native_tool_calling"].settings == {TOOLS: "rendered"}
    user = "environment.skyrl_gym.tau_bench.user_strategy"
    assert found[user].settings == {f"{PREFIX}reset.user.strategy": "llm"}
    refused = {key for key, each in found.items() if each.hint}
    assert "environment.skyrl_gym.tau_bench.seed" in refused
    assert found["ref_policy_update_frequency"].settings == {f"{PREFIX}reference_every": 100}
    assert found["ref_policy_ema_alpha"].settings == {f"{PREFIX}reference_decay": 0.95}
    assert {"quantization.load_in_4bit", "curriculum_learning.warmup_epochs", "rollout.tools.allow_list"} <= refused
    for key in ("finetune.mode", "lora.enabled", "lora.bias", "model.tokenizer", "algorithm", "generation.do_sample"):
        assert found[key].note, key


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("finetune: {mode: qlora}", "fewer bits"),
        ("quantization: qlora", "fewer bits"),
        ("use_qlora: true", "fewer bits"),
        ("difficulty: easy", "levels are from 1 to 5"),
        ("finetune: {mode: [full]}", "lora and full"),
        ("lora: {enabled: maybe}", "lora and full"),
        ("lora: {target_modules: [1, 2]}", "names of modules"),
        ("lora: {bias: all}", "no bias"),
        ("rollout: {backend: hf}", "always come from vLLM"),
        ("enable_vllm: [true]", "always come from vLLM"),
        ("{model_name: a, tokenizer_name: b}", "tokenizer of trainer.policy.model.path"),
        ("model: {dtype: float16}", "bfloat16 or float32"),
        ("report_to: [wandb, weave]", "takes one of wandb"),
        ("algorithm: ppo", "preset ppo"),
        ("lora: {}", "unknown"),
        ("frobnicate: 3", "unknown"),
        ("curriculum_learning: {stages: 3}", "order=difficulty puts easy rows first"),
        ("curriculum_learning: {enabled: hard}", "order=difficulty puts easy rows first"),
        ("trainer: {nope: 1}", "unknown"),
        ("trainer: {total_epochs: 5}", "unknown; did you mean trainer.epochs?"),
        ("generator: {inference_engine: {backends: vllm}}", "did you mean generator.inference_engine.backend?"),
        ("trainer: {reward: {model: {path: judge}}}", "no reward model"),
        ("trainer: {algorithm: {use_abs_kl: true}}", "kl_estimator_type=abs"),
        ("environment: {skyrl_gym: {agent_env: {urls: x}}}", "did you mean url?"),
        ("max_steps: 0", "trainer.max_training_steps: expected a whole number from 1"),
        ("num_train_epochs: 2.5", "trainer.epochs: expected a whole number, found 2.5"),
        ("num_generations: 0", "generator.n_samples_per_prompt: expected a whole number from 1"),
        ("num_generations: many", "generator.n_samples_per_prompt: expected a whole number, found 'many'"),
        ("learning_rate: fast", "optimizer_config.lr: expected a number, found 'fast'"),
        ("lora: {alpha: 8.5}", "lora.alpha: expected a whole number, found 8.5"),
        ("trainer: {placement: {colocate_all: 1}}", "colocate_all: expected true or false, found 1"),
        ("seed: null", "trainer.seed: expected a whole number, found None"),
        ("generator: {batched: true}", "generator.batched: must be false"),
        ("clip_ratio: [0.1, 0.2, 0.3]", "eps_clip_low and"),
        ("clip_range: wide", "eps_clip_low and"),
        ("stop_sequences: [1]", "list of texts"),
        ("include_stop_str_in_output: false", "always keeps the stop text"),
        ("run_name: a b", "trainer.run_name: expected a letter or digit"),
        ("{max_episode_length: 8, multi_turn: {max_turns: 10}}", "8 by max_episode_length, 10 by multi_turn.max_turns"),
        ("{training: {max_difficulty: 3}, max_difficulty: 4}", "3 by training.max_difficulty, 4 by max_difficulty"),
        ("max_difficulty: 9", "levels are from 1 to 5"),
        ("{min_difficulty: 3, max_difficulty: 2}", "levels are from 1 to 5"),
        ("trainer: {strategy: deepspeed}", "trainer.strategy: expected one of fsdp, megatron, found 'deepspeed'"),
        ("trainer: {strategy: null}", "trainer.strategy: expected one of fsdp, megatron, found None"),
        ("trainer: {strategy: [fsdp]}", "trainer.strategy: expected one of fsdp, megatron, found ['fsdp']"),
        ("trainer: {algorithm: {advantage_estimator: gea}}", "advantage_estimator: expected one of grpo, gae, rloo"),
        ("trainer: {algorithm: {ppo_loss_type: clip}}", "policy_loss_type: expected one of regular, dual_clip"),
        ("trainer: {resume_mode: newest}", "trainer.resume_mode: expected one of none, latest, from_path"),
        ("trainer: {logger: weave}", "trainer.logger: expected one of wandb, tensorboard"),
        ("trainer: {project_name: 5}", "trainer.project_name: expected text, found 5"),
        ("model_name: [a]", "trainer.policy.model.path: expected text, found ['a']"),
        ("lr_scheduler_type: null", "optimizer_config.scheduler: expected text, found None"),
        ("trainer: {policy: {optimizer_config: {adam_betas: [0.9]}}}", "adam_betas: expected a list of 2 numbers"),
        (
            "trainer: {policy: {optimizer_config: {adam_betas: 0.9}}}",
            "adam_betas: expected a list of 2 numbers, found 0.9",
        ),
        ("trainer: {policy: {optimizer_config: {adam_betas: [0.9, x]}}}", "adam_betas: expected a list of 2 numbers"),
        ("wandb: {tags: mine}", "trainer.tags: expected a list of texts, found 'mine'"),
        ("wandb: {tags: [mine, 1]}", "trainer.tags: expected a list of texts, found 1"),
        ("trainer: {policy: {torch_profiler_config: {ranks: [zero]}}}", "ranks: expected a list of whole numbers"),
        (
            "trainer: {ref: {model: {lora: {exclude_modules: [1]}}}}",
            "exclude_modules: expected a list of texts, found 1",
        ),
        ("{load_in_4bit: true, bnb_4bit_quant_type: nf4}", "fewer bits"),
        ("bnb_4bit_quant_type: nf4", "fewer bits"),
    ],
)
def test_values_that_have_no_setting(text: str, hint: str) -> None:
    """A mode, a list or a word that means something else here is refused with a hint, and never ignored."""
    *_, found = explained(parsed(text))
    assert hint in found.hint
    assert not found.settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("full_finetune_mode: {enabled: true}", {f"{LORA}rank": 0}),
        ("use_lora: false", {f"{LORA}rank": 0}),
        (
            "entropy_coef: 0.01",
            {"trainer.algorithm.use_entropy_loss": True, "trainer.algorithm.entropy_loss_coef": 0.01},
        ),
        ("entropy_coef: 0", {"trainer.algorithm.use_entropy_loss": False}),
        ("beta: 0.04", {f"{ALGORITHM}use_kl_loss": True, f"{ALGORITHM}kl_loss_coef": 0.04}),
        ("beta: 0.0", {f"{ALGORITHM}use_kl_loss": False}),
        ("max_completion_length: 512", {"generator.sampling_params.max_generate_length": 512}),
        ("temperature: 0.7", {"generator.sampling_params.temperature": 0.7}),
        ("lora_alpha: 32", {f"{LORA}alpha": 32}),
        ("max_steps: -1", {"trainer.max_training_steps": None}),
        ("num_train_epochs: 3.0", {"trainer.epochs": 3}),
        ("lora: {alpha: 32.0}", {f"{LORA}alpha": 32}),
        ("learning_rate: 1", {"trainer.policy.optimizer_config.lr": 1}),
        ("rollout: {return_token_logprobs: false}", {"generator.sampling_params.logprobs": None}),
        (
            "trainer: {eval_batch_size: '${trainer.train_batch_size}'}",
            {"trainer.eval_batch_size": "${trainer.train_batch_size}"},
        ),
        ("generator: {sampling_params: {stop: done}}", {"generator.sampling_params.stop": ["done"]}),
        ("clip_ratio: [0.2, 0.28]", {"trainer.algorithm.eps_clip_low": 0.2, "trainer.algorithm.eps_clip_high": 0.28}),
        ("stop_sequences: </tool_call>", {"generator.sampling_params.stop": ["</tool_call>"]}),
        ("training: {max_difficulty: 2}", {f"{PREFIX}difficulty": "1-2"}),
        ("trainer: {strategy: fsdp2}", {"trainer.strategy": "fsdp"}),
        ("trainer: {target_modules: all-linear}", {f"{LORA}target_modules": "all-linear"}),
        ("generator: {backend: vllm}", {"generator.inference_engine.backend": "vllm"}),
        (
            "generator: {chat_template_kwargs: {enable_thinking: false}}",
            {"generator.chat_template_kwargs.enable_thinking": False},
        ),
        ("report_to: [wandb]", {"trainer.logger": "wandb"}),
        ("trainer: {resume_mode: null}", {"trainer.resume_mode": None}),
        ("trainer: {resume_mode: none}", {"trainer.resume_mode": "none"}),
        (
            "trainer: {policy: {optimizer_config: {adam_betas: [0.9, 1]}}}",
            {"trainer.policy.optimizer_config.adam_betas": [0.9, 1]},
        ),
        ("wandb: {tags: [mine]}", {"trainer.tags": ["mine"]}),
        (
            "trainer: {policy: {torch_profiler_config: {ranks: [0.0]}}}",
            {"trainer.policy.torch_profiler_config.ranks": [0]},
        ),
        ("trainer: {ref: {model: {lora: {exclude_modules: [a]}}}}", {"trainer.ref.model.lora.exclude_modules": ["a"]}),
        ("data: {train_data: a.parquet}", {"data.train_data": "a.parquet"}),
        ("data: {train_data: [a.parquet]}", {"data.train_data": ["a.parquet"]}),
        ("report_to: none", {"trainer.logger": "console"}),
        ("reward_shaping: first_tool", {f"{PREFIX}reset.reward_shaping": "first_tool"}),
        ("difficulty: 1-2", {f"{PREFIX}difficulty": "1-2"}),
        ("min_difficulty: 2", {f"{PREFIX}difficulty": "2-5"}),
        ("curriculum_learning: {enabled: true}", {f"{PREFIX}order": "difficulty"}),
    ],
)
def test_values_that_have_settings_of_their_own(text: str, settings: dict[str, object]) -> None:
    """The settings follow from the value, and not from the key alone."""
    (found,) = explained(parsed(text))
    assert found.settings == settings


@pytest.mark.parametrize(
    "text",
    [
        *(f"{key}: {off}" for key in sorted(REFUSED) for off in ("null", "false")),
        "trainer: {reward: null}",
        "early_stopping: {enabled: false}",
        "{load_in_4bit: false, bnb_4bit_quant_type: nf4, bnb_4bit_compute_dtype: float16}",
    ],
)
def test_what_is_off_needs_nothing(text: str) -> None:
    """A key without a setting needs none if its value is null or false, as in files that list all keys."""
    for found in explained(parsed(text)):
        assert (found.hint, bool(found.note)) == ("", True), found


EVERY, KEEPS = f"{PREFIX}reference_every", f"{PREFIX}reference_decay"


@pytest.mark.parametrize(
    ("text", "settings", "notes"),
    [
        ("{reference_ema: false, reference_update_interval: 100, reference_ema_decay: 0.9}", {}, 3),
        ("{reference_ema: true, reference_update_interval: 100}", {EVERY: 100}, 1),
        ("{reference_ema: true, ref_policy_update_frequency: 5, ref_policy_ema_alpha: 0.9}", {EVERY: 5, KEEPS: 0.9}, 1),
        ("ref_policy_ema_alpha: 0.9", {}, 1),
        ("{ref_policy_ema_alpha: 0.9, ref_policy_update_frequency: 0}", {EVERY: 0}, 1),
        (
            f"{{{PREFIX}reset.tools: null, {PREFIX}reset.tools.mode: live}}",
            {f"{PREFIX}reset.tools": None, f"{PREFIX}reset.tools.mode": "live"},
            0,
        ),
    ],
)
def test_a_reference_moves_where_a_file_says_how_often(text: str, settings: dict[str, object], notes: int) -> None:
    """A switch that is off moves nothing; one that is on needs no setting beside the interval."""
    found = explained(parsed(text))
    assert [each.hint for each in found if each.hint] == []
    assert {name: value for each in found for name, value in each.settings.items()} == settings
    assert sum(bool(each.note) for each in found) == notes


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("reference_ema: true", "reference_ema", f"no key says how often the reference moves: {EVERY}"),
        (
            "{ref_policy_update_frequency: 100, trainer: {update_ref_every_epoch: true}}",
            "trainer.update_ref_every_epoch",
            f"trainer.update_ref_every_epoch: must be false with {EVERY}",
        ),
        (
            "{ref_policy_update_frequency: 100, trainer: {strategy: megatron}}",
            "ref_policy_update_frequency",
            f"{EVERY}: must be 0 with trainer.strategy=megatron",
        ),
        (
            "{ref_policy_update_frequency: 100, trainer: {algorithm: {use_kl_loss: false}}}",
            "ref_policy_update_frequency",
            f"{EVERY}: there is no reference without trainer.algorithm.use_kl_loss",
        ),
        (
            "{rollout: {num_envs: 1000}, ref_policy_update_frequency: 100}",
            "rollout.num_envs",
            f"{PREFIX}connections: fewer than environment.skyrl_gym.max_env_workers",
        ),
        (
            "generator: {use_native_tool_calling: true, step_wise_trajectories: false}",
            "generator.step_wise_trajectories",
            "generator.step_wise_trajectories: must be true with",
        ),
        (
            "trainer: {algorithm: {normalize_reward: false}}",
            "trainer.algorithm.normalize_reward",
            "trainer.algorithm.grpo_norm_by_std",
        ),
    ],
)
def test_settings_that_a_job_refuses_together(text: str, key: str, hint: str) -> None:
    """The settings of all keys are checked together as a job's; only the key that the fault is about is refused."""
    (wrong,) = [each for each in explained(parsed(text)) if each.hint]
    assert (wrong.key, wrong.settings) == (key, {})
    assert hint in wrong.hint


def test_an_empty_section_needs_nothing() -> None:
    """Files whose lines are commented out have empty sections."""
    (found,) = explained(parsed("trainer: {policy: {}}"))
    assert found.note == "the section is empty"


def test_two_bounds_are_one_setting() -> None:
    """Both keys give the same range, so that either line can be pasted."""
    for text in ("{min_difficulty: 2, max_difficulty: 3}", "training: {min_difficulty: 2, max_difficulty: 3}"):
        first, second = explained(parsed(text))
        assert first.settings == second.settings == {f"{PREFIX}difficulty": "2-3"}


def test_two_keys_with_one_setting_have_one_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Different values are refused for both keys, and the command fails; equal values are accepted."""
    file = tmp_path / "theirs.yaml"
    file.write_text("{max_episode_length: 8, multi_turn: {max_turns: 10}, seed: 1}", encoding="utf-8")
    assert main(["config", "explain", str(file)]) == FAILED
    first, second, third = capsys.readouterr().out.splitlines()
    hint = "no setting: generator.max_turns has different values: 8 by max_episode_length, 10 by multi_turn.max_turns"
    assert (first, second) == (f"max_episode_length: {hint}; leave one", f"multi_turn.max_turns: {hint}; leave one")
    assert third == "seed: trainer.seed=1"
    file.write_text("{max_episode_length: 8, multi_turn: {max_turns: 8}}", encoding="utf-8")
    assert main(["config", "explain", str(file)]) == DONE


def test_the_tables_agree() -> None:
    """No key is both mapped and refused, and every setting is of a section that jobs have."""
    tables = (MAPPED, REFUSED, ALWAYS, READ)
    assert sum(map(len, tables)) == len({key for table in tables for key in table}) + len(REFUSED.keys() & READ.keys())
    assert all(is_setting(name) for names in MAPPED.values() for name in names)
    assert not [key for table in tables for key in table if is_setting(key) and key not in KEPT]
    plain = [key for key in REFUSED if key not in READ]
    assert all(meaning.hint == REFUSED[meaning.key] for meaning in explained(dict.fromkeys(plain, 1)))


@pytest.mark.parametrize(
    "text", ["[1, 2]", "{a: [", "{seed: 1, seed: 2}", "a: {r: 1, r: 1}", "{a.r: 1, a: {r: 2}}", "&a {b: *a}", None]
)
def test_what_is_no_file_of_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None) -> None:
    """An unusable file is an error of one line."""
    file = tmp_path / "theirs.yaml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["config", "explain", str(file)]) == MISUSED
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_of_a_job_names_a_setting_once(tmp_path: Path) -> None:
    """A dotted name beside its section is an error with the file's name; neither of the two is ignored."""
    file = tmp_path / "ours.yaml"
    file.write_text("{trainer.seed: 1, trainer: {seed: 2}}", encoding="utf-8")
    with pytest.raises(BadSettings, match=r"ours\.yaml: trainer\.seed: there twice"):
        read([], [file], [])


def test_a_key_that_is_there_twice_is_named_with_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error has the key and its two lines, and nothing else."""
    file = tmp_path / "theirs.yaml"
    file.write_text("seed: 1\nbeta: 0\nseed: 2\n", encoding="utf-8")
    assert main(["config", "explain", str(file)]) == MISUSED
    assert "seed is there twice, in line 1 and in line 3\n" in capsys.readouterr().err
