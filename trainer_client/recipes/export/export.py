"""Writes the adapter and the merged model of a job, loads both, and compares what they say. It needs torch and peft."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel
from safetensors import SafetensorError, safe_open
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from trainer_client.recipes.export.source import ExportError, Source

TEXT = 'The customer asks for a refund of order #W6204781. I look it up before I answer: {"order_id": "#W6204781"}'
"""The text on which two models are compared."""

LARGEST_GAP = {torch.float32: 1e-3, torch.bfloat16: 0.25, torch.float16: 0.05}
"""Type of the merged weights -> the largest difference of a log probability that rounding to it explains."""

TIED = ("lm_head.weight", "model.embed_tokens.weight")


@dataclass(frozen=True, slots=True)
class Exported:
    """The written files, and the differences of their log probabilities."""

    adapter: str | None
    model: str
    gap: float
    """The largest difference of a log probability between the trained model and the written one."""

    change: float | None
    """The largest difference between the base model and the trained one; None if all weights were trained."""


def export(source: Source, out: Path, dtype: str | None = None) -> Exported:
    """Write `out/adapter` (if there is one) and `out/model`, and compare them after loading both.

    Args:
        source: what was trained.
        out: a folder that does not exist, or is empty.
        dtype: `float32`, `bfloat16` or `float16` for the merged weights; by default that of the base model.

    Raises:
        ExportError: if `out` has files, the model cannot be loaded, the adapter changes nothing, embeddings that are
            tied have come apart, or the written model differs from the trained one. Nothing is left in `out` then.
    """
    if out.exists() and any(out.iterdir()):
        raise ExportError(f"{out} has files already")
    try:
        return _whole(source, out) if source.base is None else _merged(source, source.base, out, dtype)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        for name in ("adapter", "model"):
            shutil.rmtree(out / name, ignore_errors=True)
        if isinstance(error, ExportError):
            raise
        raise ExportError(f"{source.folder} cannot be exported: {type(error).__name__}: {error}") from error


def _merged(source: Source, base: str, out: Path, dtype: str | None) -> Exported:
    """Write adapter and merged model. It is merged in float32, and rounded once."""
    tokenizer = AutoTokenizer.from_pretrained(base)
    ids = _ids(tokenizer, base)
    plain = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32).eval()
    kind = getattr(torch, dtype) if dtype else _type_of(base)
    before = _says(plain, ids)
    trained = PeftModel.from_pretrained(plain, source.folder).eval()
    wanted = _says(trained, ids)
    if not (change := _gap(before, wanted)) > 0:
        raise ExportError(f"the adapter in {source.folder} changes nothing: no step was trained, or it was not saved")
    shutil.copytree(source.folder, out / "adapter")
    tokenizer.save_pretrained(out / "adapter")
    trained.merge_and_unload().to(kind).save_pretrained(out / "model")
    tokenizer.save_pretrained(out / "model")
    again = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), out / "adapter")
    if _gap(wanted, _says(again.eval(), ids)) > LARGEST_GAP[torch.float32]:
        raise ExportError(f"the adapter in {out / 'adapter'} is not the one that was trained")
    return Exported(str(out / "adapter"), str(out / "model"), _checked(wanted, out / "model", ids, kind), change)


def _whole(source: Source, out: Path) -> Exported:
    """Copy a model whose weights were all trained."""
    check_ties(source.folder)
    tokenizer = AutoTokenizer.from_pretrained(source.folder)
    ids, kind = _ids(tokenizer, str(source.folder)), _type_of(str(source.folder))
    wanted = _says(AutoModelForCausalLM.from_pretrained(source.folder, dtype=torch.float32).eval(), ids)
    shutil.copytree(source.folder, out / "model")
    return Exported(None, str(out / "model"), _checked(wanted, out / "model", ids, kind), None)


def check_ties(folder: Path) -> None:
    """Check that embeddings which the configuration ties are equal in the files.

    SkyRL 0.3.0 separates them when all weights are trained (docs/skyrl.md). A loader ties them again and so drops what
    the output layer has learned.

    Raises:
        ExportError: if both are there and differ.
    """
    found: dict[str, Any] = {}
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as weights:
            found |= {name: weights.get_tensor(name) for name in weights.keys() if name in TIED}  # noqa: SIM118 -- no mapping
    both = len(found) == len(TIED) and AutoConfig.from_pretrained(folder).tie_word_embeddings
    if both and not torch.equal(*(found[name] for name in TIED)):
        raise ExportError(
            f"the embeddings in {folder} should be tied and differ: SkyRL 0.3.0 has separated them, and a server would"
            " drop what the output layer has learned; the recipe's worker keeps them tied"
        )


def _checked(wanted: Any, folder: Path, ids: Any, kind: Any) -> float:
    """The gap of the model in `folder`, loaded as a server loads it, if it is small enough."""
    gap = _gap(wanted, _says(AutoModelForCausalLM.from_pretrained(folder, dtype=kind).eval(), ids))
    if not gap <= LARGEST_GAP[kind]:
        raise ExportError(
            f"the model in {folder} differs from the trained model: a log probability differs by {gap:.3g},"
            f" and rounding to {str(kind).removeprefix('torch.')} explains only {LARGEST_GAP[kind]:g}"
        )
    return gap


def _type_of(model: str) -> Any:
    kind = AutoConfig.from_pretrained(model).dtype
    return kind if kind in LARGEST_GAP else torch.float32


def _ids(tokenizer: Any, model: str) -> Any:
    ids: Sequence[int] = tokenizer.encode(TEXT)
    if len(ids) < 2:
        raise ExportError(f"the tokenizer of {model} makes only {len(ids)} tokens of a sentence; 2 are needed")
    return torch.tensor([ids])


def _says(model: Any, ids: Any) -> Any:
    """The log probabilities of all tokens after each token of the text, in float32."""
    with torch.no_grad():
        return torch.log_softmax(model(input_ids=ids).logits[0].float(), -1)


def _gap(first: Any, second: Any) -> float:
    """The largest difference of log probabilities, over tokens whose log probability in `first` is above -10."""
    likely = first > -10
    return float((first - second).abs()[likely].max())
