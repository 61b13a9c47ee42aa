"""A tiny language model that is made here: a tokenizer trained on the desk's talk, random weights, some teaching."""

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

# The pattern by which Qwen2's tokenizer splits text. Loaders that know the model's type use it in any case.
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEMPLATE = """{% for m in messages %}<|im_start|>{{ m.role }}
{% generation %}{{ m.content }}{% for call in m.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% if m.role == "system" and tools %}

<tools>{% for tool in tools %}

{{ tool | tojson }}{% endfor %}

</tools>{% endif %}<|im_end|>{% endgeneration %}

{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
"""Tools and calls are written as Qwen's template writes them, reduced to what the tests need."""

THINK, THOUGHT = "<think>", "</think>"
"""The tokens around what a turn thinks."""

THINKING = """{% set asked = namespace(last=-1) %}
{% for m in messages %}{% if m.role == "user" %}{% set asked.last = loop.index0 %}{% endif %}{% endfor %}
""" + TEMPLATE.replace(
    "{{ m.content }}",
    r"""{% set parts = m.content.split("</think>") %}
{% if m.role == "assistant" and parts | length > 1 %}
{% if loop.index0 > asked.last %}<think>
{{ parts[0].split("<think>")[-1].strip("\n") }}
</think>

{% endif %}{{ parts[-1].lstrip("\n") }}{% else %}{{ m.content }}{% endif %}""",
)
"""The same with thinking as in Qwen3's: the thoughts of turns before the last message of the user are left out, those
behind it, as between calls of tools, are kept. `tests/tokens` compares this with Qwen3's own."""

NAMES = ("red", "green", "blue", "white")
"""The desk's lines, told again here: the domain itself needs the server's packages."""

SYSTEM = [{"role": "system", "content": "desk"}]


def call(line: str) -> str:
    """The one short call that solves a task."""
    return f'{{"name": "connect", "arguments": {{"line": "{line}"}}}}'


def make(folder: Path, texts: Sequence[str], heads: int = 4, *, tied: bool = False, thinking: bool = False) -> Path:
    """Write a model and its tokenizer, which knows the words of `texts`, to `folder`."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(SPLIT), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=512, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator([*texts] * 4, trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=THINKING if thinking else TEMPLATE,
    )
    if thinking:
        fast.add_tokens([THINK, THOUGHT])  # no special ones: a decoded turn has them, as Qwen3's
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=len(fast),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=heads,
        num_key_value_heads=heads // 2,
        max_position_embeddings=2048,
        tie_word_embeddings=tied,
        initializer_range=0.08,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder


def teach(folder: Path, pairs: Sequence[tuple[Sequence[int], Sequence[int]]], steps: int, lr: float = 3e-3) -> float:
    """Fine-tune the model in `folder` on (prompt, answer) pairs of token ids for a few steps; the last loss."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = Qwen2ForCausalLM.from_pretrained(folder, dtype=torch.float32).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    loss = torch.tensor(0.0)
    for _ in range(steps):
        rows = [pairs[i] for i in torch.randint(len(pairs), (16,)).tolist()]
        width = max(len(p) + len(a) for p, a in rows)
        ids = torch.full((len(rows), width), model.config.pad_token_id)
        labels = torch.full_like(ids, -100)
        for i, (prompt, answer) in enumerate(rows):
            ids[i, : len(prompt) + len(answer)] = torch.tensor([*prompt, *answer])
            labels[i, len(prompt) : len(prompt) + len(answer)] = torch.tensor(answer)
        loss = model(input_ids=ids, attention_mask=(ids != model.config.pad_token_id).long(), labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    return float(loss.detach())
