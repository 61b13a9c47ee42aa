"""`trainer export` writes the model that was trained, and refuses any other."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from trainer_client.cli import DONE, MISUSED, main

TEXT = "Good day. red please"


def trained(model: Path, folder: Path, scale: float = 0.3) -> Path:
    """A checkpoint as SkyRL 0.3.0 writes it, with a random adapter of the model."""
    torch.manual_seed(3)
    plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    tuned = get_peft_model(plain, LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"))
    for name, weights in tuned.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weights, std=scale) if scale else torch.nn.init.zeros_(weights)
    tuned.save_pretrained(folder / "global_step_7/policy/lora_adapter")
    (folder / "latest_ckpt_global_step.txt").write_text("7", encoding="utf-8")
    return folder


def says(model: Any, tokenizer: Any) -> torch.Tensor:
    """The model's log probabilities for a text that the command does not use."""
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([tokenizer.encode(TEXT)])).logits
    return torch.log_softmax(logits.float(), -1)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-4), ("bfloat16", 0.3)])
def test_adapter_and_model_are_what_was_trained(
    model: Path, tokenizer: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], dtype: str, tolerance: float
) -> None:
    """Loaded by other libraries, both have the log probabilities of base and adapter together, and not the base's."""
    source, out = trained(model, tmp_path / "ckpt"), tmp_path / "out"
    assert main(["export", str(source), "--out", str(out), "--dtype", dtype, "--json"]) == DONE
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
    base = says(plain, tokenizer)
    wanted = says(PeftModel.from_pretrained(plain, source / "global_step_7/policy/lora_adapter").eval(), tokenizer)
    assert (base - wanted).abs().max() > 0.1
    again = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    assert torch.equal(says(PeftModel.from_pretrained(again, out / "adapter").eval(), tokenizer), wanted)
    merged = AutoModelForCausalLM.from_pretrained(out / "model")
    assert str(merged.dtype) == f"torch.{dtype}"
    assert (says(merged.eval(), tokenizer) - wanted).abs()[wanted > -10].max() < tolerance
    assert not list((out / "model").glob("adapter*"))
    assert 0 <= report["gap"] < tolerance
    assert report["change"] > 0.1


def test_an_adapter_that_changes_nothing(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such an adapter is refused: no step was trained, or the save went wrong, and nobody should serve it."""
    source = trained(model, tmp_path / "ckpt", scale=0.0)
    assert main(["export", str(source), "--out", str(tmp_path / "out")]) == MISUSED
    assert "changes nothing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_model_whose_weights_were_all_trained(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model is copied and loads. A model whose tied embeddings differ is refused."""
    export = tmp_path / "export/global_step_2/policy"
    whole = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    whole.save_pretrained(export)
    for file in model.glob("*token*"):
        (export / file.name).write_bytes(file.read_bytes())
    assert main(["export", str(tmp_path / "export"), "--out", str(tmp_path / "out"), "--json"]) == DONE
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["gap"] == 0
    config = json.loads((export / "config.json").read_text(encoding="utf-8"))
    (export / "config.json").write_text(json.dumps({**config, "tie_word_embeddings": True}), encoding="utf-8")
    assert main(["export", str(tmp_path / "export"), "--out", str(tmp_path / "again")]) == MISUSED
    assert "should be tied and differ" in capsys.readouterr().err
    weights = load_file(export / "model.safetensors")
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"].clone()
    save_file(weights, export / "model.safetensors", {"format": "pt"})
    assert main(["export", str(tmp_path / "export"), "--out", str(tmp_path / "again")]) == DONE


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "has neither an adapter"),
        ({"adapter_config.json": "{}"}, "give --base"),
        ({"config.json": "{}"}, "neither"),
        ({"adapter_config.json": "{"}, "adapter_config.json cannot be read: "),
        ({"adapter_config.json": "[]"}, "adapter_config.json is no JSON object"),
        ({"adapter_config.json": '{"base_model_name_or_path": "./nowhere"}'}, "cannot be exported: "),
        ({"config.json": "{}", "model.safetensors": "x"}, "cannot be exported: "),
    ],
)
def test_what_cannot_be_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], told: str
) -> None:
    """Every reason is one line."""
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["export", str(tmp_path), "--out", str(tmp_path / "out")]) == MISUSED
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_nothing_is_left_of_an_export_that_failed(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed export leaves no file that could be taken for a model, and the same command can run again."""
    source, out = trained(model, tmp_path / "ckpt"), tmp_path / "out"
    with monkeypatch.context() as broken:
        broken.setattr("trainer_client.recipes.export.export.LARGEST_GAP", {torch.float32: -1.0})
        assert main(["export", str(source), "--out", str(out)]) == MISUSED
    assert "is not the one that was trained" in capsys.readouterr().err
    assert list(out.iterdir()) == []
    assert main(["export", str(source), "--out", str(out)]) == DONE


def test_files_are_never_mixed(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that has files is left alone."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/old").touch()
    assert main(["export", str(trained(model, tmp_path / "ckpt")), "--out", str(tmp_path / "out")]) == MISUSED
    assert "has files already" in capsys.readouterr().err
