"""`trainer config explain`: every key of a file is a setting here, or has a reason and a hint."""

import json
from pathlib import Path

import pytest

from trainer_client.cli import DONE, FAILED, MISUSED, main
from trainer_client.recipes.grpo.checking import SECTIONS
from trainer_client.recipes.grpo.foreign import MAPPED, REFUSED, explained

FILE = """
model_name_or_path: Qwen/Qwen2.5-0.5B-Instruct
enable_vllm: true
algo_grpo: {clip_ratio: 0.2, kl_coef: 0.01}
rollout: {num_envs: 4, temperature: 0.7, top_p: 0.95}
lora: {r: 16, alpha: 32, dropout: 0.05}
"""


def test_every_key_that_has_a_setting_is_named_with_its_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key may stand for two settings; what is printed can be pasted into a command line."""
    file = tmp_path / "theirs.yaml"
    file.write_text(FILE, encoding="utf-8")
    assert main(["config", "explain", str(file)]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert "algo_grpo.clip_ratio: trainer.algorithm.eps_clip_low=0.2 trainer.algorithm.eps_clip_high=0.2" in lines
    assert "rollout.num_envs: environment.skyrl_gym.max_env_workers=4" in lines
    assert 'enable_vllm: generator.inference_engine.backend="vllm"' in lines


def test_keys_without_a_setting_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Known ones have a hint, unknown ones the key that was probably meant; the command fails."""
    file = tmp_path / "theirs.yaml"
    file.write_text("{enable_vllm: false, load_in_4bit: true, lora: {rr: 3}, finetune: {mode: full}}", encoding="utf-8")
    assert main(["config", "explain", str(file), "--json"]) == FAILED
    found = {each["key"]: each for each in json.loads(capsys.readouterr().out)["keys"]}
    assert found["enable_vllm"]["hint"] == "rollouts always come from vLLM"
    assert "gpu-1-lora-24gb" in found["load_in_4bit"]["hint"]
    assert found["lora.rr"]["hint"] == "unknown; did you mean lora.r?"
    assert found["finetune.mode"]["settings"] == {"trainer.policy.model.lora.rank": 0}


def test_the_tables_agree() -> None:
    """No key is both mapped and refused, and every setting is of a section that jobs have."""
    assert not MAPPED.keys() & REFUSED.keys()
    assert {name.partition(".")[0] for names in MAPPED.values() for name in names} <= set(SECTIONS)
    assert all(meaning.hint == REFUSED[meaning.key] for meaning in explained(dict.fromkeys(REFUSED, 1)))


@pytest.mark.parametrize("text", ["[1, 2]", "{a: [", None])
def test_what_is_no_file_of_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None) -> None:
    """One line, whatever is wrong."""
    file = tmp_path / "theirs.yaml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["config", "explain", str(file)]) == MISUSED
    assert len(capsys.readouterr().err.splitlines()) == 1
