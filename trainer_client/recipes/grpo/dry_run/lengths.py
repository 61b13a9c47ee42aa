"""The checks that need the model's tokenizer or its configuration: lengths of prompts, tied embeddings."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.model import loaded
from trainer_client.recipes.grpo.dry_run.rows import RowKind
from trainer_client.recipes.grpo.settings import ENGINE, LORA, SAMPLING, BadSettings, below, is_whole

Count = Callable[..., int]
"""A function that counts the tokens of messages. It also gets the tools if the chat template describes them."""

TURNS = (f"{SAMPLING}max_generate_length", "generator.eval_sampling_params.max_generate_length")
"""The most tokens of a turn in training, and in evaluation if that differs."""

OF_ENGINE = f"{ENGINE}engine_init_kwargs.max_model_len"
"""vLLM's own limit, which may be smaller than the model's."""


TIED = frozenset({"lm_head", "embed_tokens"})
"""The layers that share their weights where embeddings are tied."""


def prompts_fit(job: Job) -> str:
    """Check that rows pass SkyRL's filter, and that the beginning of an episode leaves room for turns."""
    parts, tokenizer = job.readable(), loaded(job, "AutoTokenizer")
    count = _counter(tokenizer, {})  # SkyRL's filter does not use the template's options
    limit, longest, dropped = job.get("trainer.max_prompt_length"), dict[RowKind, int](), list[str]()
    wrong = []
    for part, rows in parts.items():
        sizes = [(job.kind(part, row), count(row["prompt"])) for row in rows]
        for kind, size in sizes:
            if size <= limit:
                longest[kind] = max(size, longest.get(kind, 0))
        long = Counter(kind for kind, size in sizes if size > limit)
        job.fitting[part] = len(rows) - long.total()
        wrong += _too_few(job, part, [kind for kind in long if kind not in longest])
        dropped += [f"{n} of {kind}" for kind, n in long.items()]
    told = f"too long are {'; '.join(dropped)}" if dropped else "0 are too long"
    if wrong:
        raise BadSettings(f"{'; '.join(wrong)}; trainer.max_prompt_length is {limit}; {told}")
    told = f"rows have up to {max(longest.values())} tokens of {limit}, {told}"
    return f"{told}; {_room_is_left(job, longest, count, _counter(tokenizer, _options(job)))}"


def _too_few(job: Job, part: str, gone: Sequence[RowKind]) -> list[str]:
    """Why too few rows of a part fit, if that is so; no row of the kinds in `gone` fits."""
    rows, fit = len(job.rows[part]), job.fitting[part]
    wrong = []
    if fit < (needed := job.get("trainer.train_batch_size") if part == "train" else 1):
        wrong.append(f"{fit} of {rows} {part} rows fit, needed are {needed}")
    elif fit < rows / 2:
        wrong.append(f"{fit} of {rows} {part} rows fit, which is less than half")
    return [*wrong, *(f"no row of {kind} fits" for kind in gone)]


def _room_is_left(job: Job, longest: dict[RowKind, int], count: Count, count_begun: Count) -> str:
    """Check the longest beginning of each kind: its longest row with its longest first message."""
    room = job.get("generator.max_input_length")
    begins = {
        kind: longest[kind] + max(count_begun(each.opening, each.tools) - count(each.prompt) for each in begun)
        for kind, begun in job.begun.items()
        if kind in longest
    }
    told = "; ".join(f"{kind}: {size}" for kind, size in begins.items())
    if any(size > room for size in begins.values()):
        raise BadSettings(f"a conversation begins with more tokens than generator.max_input_length={room}: {told}")
    if missing := longest.keys() - begins.keys():
        raise Unchecked(f"rows fit, but no episode began: {'; '.join(sorted(map(str, missing)))}")
    return f"conversations begin with up to so many of {room}: {told}"


def context_is_enough(job: Job) -> str:
    """Check that the longest conversation and the turn after it fit into the context of model and engine.

    SkyRL begins a turn with up to `generator.max_input_length` tokens behind it. The engine refuses a request beyond
    its context, which would cost the rollouts that are longest.
    """
    turns = {name: job.get(name) for name in TURNS if job.get(name) is not None}
    name, turn = max(turns.items(), key=lambda item: item[1])
    needed = job.get("generator.max_input_length") + turn
    contexts = _contexts(job)
    where, context = min(contexts.items(), key=lambda item: item[1])
    told = f"generator.max_input_length + {name} = {needed} tokens"
    if needed > context:
        raise BadSettings(f"{told}, and {where} has a context of {context}")
    return f"{told} of {context}, the context of {where}"


def _contexts(job: Job) -> dict[str, int]:
    """The contexts that limit a conversation: the model's, and the engine's if a setting names one."""
    engine = job.get(OF_ENGINE)
    named = {OF_ENGINE: engine} if is_whole(engine) else {}
    config = loaded(job, "AutoConfig")
    model = getattr(config.get_text_config(), "max_position_embeddings", None)
    found = named | ({"the model": model} if is_whole(model) else {})
    if not found:
        raise Unchecked("the configuration of the model does not say how long its context is")
    return found


def model_is_safe(job: Job) -> str:
    """Say whether the embeddings are tied. If all weights are trained, they then stay tied (`workers.py`).

    An adapter for tied embeddings is refused: it would change one of the two layers, and an export would change both.
    """
    tied = "its embeddings are tied"
    if job.get(f"{LORA}rank"):
        targets = job.get(f"{LORA}target_modules")
        adapted = sorted(TIED & set(targets if isinstance(targets, list) else [targets]))
        if adapted and loaded(job, "AutoConfig").tie_word_embeddings:
            raise BadSettings(f"{tied}, so an adapter cannot change {' and '.join(adapted)} alone")
        return "LoRA leaves the embeddings alone" if not adapted else "its embeddings are not tied"
    if loaded(job, "AutoConfig").tie_word_embeddings:
        return f"{tied}, and stay tied while all weights are trained"
    return "its embeddings are not tied"


def _options(job: Job) -> dict[str, Any]:
    return below(job.settings, "generator.chat_template_kwargs")


def _counter(tokenizer: Any, options: dict[str, Any]) -> Count:
    """A function that counts the tokens of messages, with a cache: rows of a domain share their prompt."""

    @cache
    def counted(messages: str, tools: str) -> int:
        if messages == "[]":
            return 0  # templates refuse an empty conversation, and the episode brings its own system message
        given = {"tools": json.loads(tools), **options} if tools else options
        return len(
            tokenizer.apply_chat_template(json.loads(messages), add_generation_prompt=True, return_dict=False, **given)
        )

    return lambda messages, tools=(): counted(json.dumps(messages), json.dumps(tools) if tools else "")
