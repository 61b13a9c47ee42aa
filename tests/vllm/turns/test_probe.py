"""The prompt that shows an engine's weights, at a real vLLM: it answers alike until it has other weights."""

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.vllm.engine import Vllm
from trainer_client.recipes.grpo.probe import ANSWER_TOKENS, probe


def adapter(model: Path, folder: Path, scale: float) -> Path:
    """An adapter that changes the products of each linear layer; `scale` says how much."""
    torch.manual_seed(5)
    tuned = get_peft_model(
        AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32),
        LoraConfig(r=4, lora_alpha=4, target_modules="all-linear", task_type="CAUSAL_LM"),
    )
    for name, weights in tuned.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weights, std=scale)
    tuned.save_pretrained(folder)
    return folder


def test_only_new_weights_change_the_answer(vllm: Vllm, model: Path, tmp_path: Path) -> None:
    """An adapter that is loaded again, other requests and a full cache change no bit; the smallest step does."""
    asked = probe(AutoTokenizer.from_pretrained(model), "probed")
    old, new = (adapter(model, tmp_path / name, scale) for name, scale in (("old", 1e-4), ("new", 1.1e-4)))

    def answer() -> Any:
        (found,) = asked.answers([vllm.url]).values()
        return found

    vllm.load("probed", old)
    first = answer()
    assert len(first[0]) == len(first[1]) == ANSWER_TOKENS
    vllm.says("probed", [*asked.ids, 5, 6, 7])
    assert [answer() for _ in range(3)] == [first] * 3
    vllm.load("probed", old)
    assert answer() == first
    vllm.load("probed", new)
    assert answer() != first
    vllm.load("probed", old)
    assert answer() == first
