"""`read.py FILE.yaml`: reads a data set by LLaMA-Factory's own arguments and loader; runs in its environment.

The file is one that `llamafactory-cli train` takes. The rows are printed as JSON: for each the texts that the model is
given and the texts that it learns from.
"""

import json
import sys
from pathlib import Path

import yaml
from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
from llamafactory.hparams import get_train_args
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer of bytes: it loses nothing."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE({letter: place for place, letter in enumerate(alphabet)}, []))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    plain.add_special_tokens(SPECIAL)
    return PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def main(file: str) -> None:
    """Read and print."""
    model, data, training, finetuning, _ = get_train_args(yaml.safe_load(Path(file).read_text(encoding="utf-8")))
    speaks = tokenizer()
    template = get_template_and_fix_tokenizer(speaks, data)
    stage = "rm" if finetuning.stage == "dpo" else finetuning.stage  # as its DPO trainer asks for pairs
    found = get_dataset(template, model, data, training, stage=stage, tokenizer=speaks)["train_dataset"]
    rows = []
    for row in found:
        texts = {name: ids for name, ids in row.items() if name.endswith(("input_ids", "labels"))}
        kept = {name: [each for each in ids if each >= 0] for name, ids in texts.items()}
        tags = {name: row[name] for name in row if name == "kto_tags"}
        rows.append({name: speaks.decode(ids) for name, ids in kept.items()} | tags)
    sys.stdout.write("\n" + json.dumps(rows))


if __name__ == "__main__":
    main(sys.argv[1])
