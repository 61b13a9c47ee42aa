"""Tokenizers and chat templates of models, from the files of packages (TOKENS_AT) and from MODELS_DIR if it is set.

Nothing of them is in this repository. `tiktoken` reads the same vocabularies on its own, and so says what the ids of a
text must be.
"""

import base64
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import tiktoken
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import TikTokenConverter

FILES = Path(os.environ["TOKENS_AT"])
TEMPLATES = FILES / "trl/chat_templates"
VOCABULARIES = {
    "qwen": FILES / "dashscope/resources/qwen.tiktoken",
    "llama": FILES / "llama_models/llama3/tokenizer.model",
}
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PATTERNS = {"qwen": CONTRACTIONS + r"\p{N}" + REST, "llama": CONTRACTIONS + r"\p{N}{1,3}" + REST}
"""How each family cuts a text into words: by single digits, or by up to three."""

QWEN = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>"),
    *("<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>"),
    *("<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>"),
    *("<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
)
LLAMA = (
    *("<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>", "<|reserved_special_token_1|>"),
    *("<|finetune_right_pad_id|>", "<|reserved_special_token_2|>", "<|start_header_id|>", "<|end_header_id|>"),
    *("<|eom_id|>", "<|eot_id|>", "<|python_tag|>"),
)
ADDED: Mapping[str, tuple[str, ...]] = {
    "qwen2.5": QWEN,
    "qwen3": (*QWEN, "<tool_response>", "</tool_response>", "<think>", "</think>"),
    "llama3": LLAMA,
}
"""The tokens behind each vocabulary, in the order of their ids."""


@dataclass(frozen=True)
class Family:
    """A tokenizer with its template; `options` are the template's."""

    name: str
    tokenizer: Any = field(repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    reference: tiktoken.Encoding | None = field(default=None, repr=False)
    """Tiktoken's encoding of the same vocabulary; None for a model of MODELS_DIR."""

    def __str__(self) -> str:
        """Name it in the output of tests."""
        return self.name

    def text(self, messages: Any, tools: Any = None, *, turn: bool = False) -> str:
        """The template's text; `turn` begins the next turn."""
        found: str = self.tokenizer.apply_chat_template(
            messages, tools=tools, tokenize=False, add_generation_prompt=turn, **self.options
        )
        return found

    def ids(self, text: str) -> list[int]:
        """The ids of a text, by the reference where there is one."""
        if self.reference is None:
            found: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
            return found
        return self.reference.encode(text, allowed_special="all")


@cache
def _family(name: str, vocabulary: str, added: str, template: str, ends: str, pads: str, **options: Any) -> Family:
    path, tokens = VOCABULARIES[vocabulary], ADDED[added]
    fast = TikTokenConverter(str(path), pattern=PATTERNS[vocabulary], extra_special_tokens=tokens).converted()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=fast,
        bos_token="<|begin_of_text|>" if vocabulary == "llama" else None,
        eos_token=ends,
        pad_token=pads,
        chat_template=(TEMPLATES / f"{template}.jinja").read_text(encoding="utf-8"),
    )
    lines = path.read_bytes().splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    special = {token: len(ranks) + place for place, token in enumerate(tokens)}
    reference = tiktoken.Encoding(name, pat_str=PATTERNS[vocabulary], mergeable_ranks=ranks, special_tokens=special)
    return Family(name, tokenizer, options, reference)


def families() -> Iterator[Family]:
    """Each family of the packages, then each model of MODELS_DIR."""
    qwen = {"vocabulary": "qwen", "ends": "<|im_end|>", "pads": "<|endoftext|>"}
    yield _family("qwen2.5", added="qwen2.5", template="qwen2_5", **qwen)
    yield _family("qwen3-thinking", added="qwen3", template="qwen3", **qwen)
    yield _family("qwen3", added="qwen3", template="qwen3", enable_thinking=False, **qwen)
    llama = {"vocabulary": "llama", "added": "llama3", "ends": "<|eot_id|>", "pads": "<|finetune_right_pad_id|>"}
    yield _family("llama3.1", template="llama3_1", **llama)
    for folder in sorted(Path(os.environ["MODELS_DIR"]).iterdir()) if os.environ.get("MODELS_DIR") else ():
        if (folder / "tokenizer_config.json").exists():
            yield Family(folder.name, AutoTokenizer.from_pretrained(folder))
