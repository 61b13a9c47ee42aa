"""Smoke test of the trainer: one optimiser step of a LoRA adapter, on the first row."""

import math
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.model import loaded
from trainer_client.recipes.grpo.settings import LORA, MODEL, BadSettings

RANK = 8
TOKENS = 512
"""The most tokens of the row that the step is taken on."""


def a_step_is_taken(job: Job) -> str:
    """Load the model, add an adapter, take one step, and check that the adapter has changed and the base has not."""
    tokenizer = loaded(job, "AutoTokenizer")
    try:
        import torch  # noqa: PLC0415 -- it may be missing
        from peft import LoraConfig, get_peft_model  # noqa: PLC0415 -- as above
        from transformers import AutoModelForCausalLM  # noqa: PLC0415 -- as above
    except ImportError as missing:
        raise Unchecked(f"{missing.name} is not installed") from None
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    row = job.readable()["train"][0]
    ids = tokenizer.apply_chat_template(row["prompt"], return_dict=False)[-TOKENS:]
    base = AutoModelForCausalLM.from_pretrained(job.get(MODEL), dtype=dtype).to(device)
    rank = job.get(f"{LORA}rank") or RANK
    targets = job.get(f"{LORA}target_modules")
    model = get_peft_model(base, LoraConfig(r=rank, lora_alpha=rank, target_modules=targets, task_type="CAUSAL_LM"))
    before = {name: each.detach().clone() for name, each in model.named_parameters()}
    optimizer = torch.optim.AdamW([each for each in model.parameters() if each.requires_grad], lr=1e-3)
    fed = torch.tensor([ids], device=device)
    loss = model(input_ids=fed, labels=fed).loss
    loss.backward()
    optimizer.step()
    return _told(model, before, float(loss.detach()), f"{len(ids)} tokens on {device} in {dtype}, rank {rank}")


def _told(model: Any, before: dict[str, Any], loss: float, about: str) -> str:
    changed = {name for name, each in model.named_parameters() if not each.detach().equal(before[name])}
    trained = {name for name, each in model.named_parameters() if each.requires_grad}
    if not math.isfinite(loss) or not changed or changed - trained:
        raise BadSettings(f"{about}: loss {loss}, {len(changed & trained)} weights of the adapter changed,"
                          f" {len(changed - trained)} of the base")  # fmt: skip
    return f"{about}: loss {loss:.3f}, the adapter changed and the base did not"
