"""`trainer doctor --smoke vllm` starts a real vLLM where the settings name none, and has it sample a turn."""

import os
from pathlib import Path

import pytest

from tests.skyrl.test_presets import written
from tests.vllm.engine import ENVIRONMENT
from trainer_client.cli import DONE, main
from trainer_client.recipes.doctor import engine


def test_the_doctor_starts_vllm(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the vLLM of the Python that runs the doctor; here that of another environment stands in."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.executable", os.environ["VLLM_PYTHON"])
    monkeypatch.setattr(engine, "find_spec", lambda _: True)
    data = written(tmp_path / "train.jsonl", "desk")
    job = [f"data.train_data=['{data}']", "trainer.eval_interval=-1", "trainer.run_name=well"]
    job += [f"trainer.policy.model.path={model}", "generator.inference_engine.engine_init_kwargs.max_model_len=512"]
    status = main(["doctor", "--preset", "cpu-tiny", "--smoke", "vllm", *job])
    told = capsys.readouterr().out.splitlines()[-1]
    assert (status, told.strip().split(":")[0]) == (DONE, "ok  vllm"), told
    assert "vLLM started and sampled 8 tokens with their log probabilities" in told
