"""The checks that need the model's tokenizer or its configuration."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from trainer_client.recipes.grpo.findings import Unchecked
from trainer_client.recipes.grpo.job import Job, Messages
from trainer_client.recipes.grpo.rows import Kind, kind_of
from trainer_client.recipes.grpo.settings import BadSettings, below

MODEL = "trainer.policy.model.path"

Count = Callable[[Messages], int]


def prompts_fit(job: Job) -> str:
    """Rows pass SkyRL's filter, and what an episode begins with leaves room for turns."""
    parts, tokenizer = job.readable(), _loaded("AutoTokenizer", job.get(MODEL))
    count = _counter(tokenizer, {})  # SkyRL's filter does not use the template's options
    limit, longest = job.get("trainer.max_prompt_length"), dict[Kind, int]()
    for part, rows in parts.items():
        sizes = [(size, row) for row in rows if (size := count(row["prompt"])) <= limit]
        job.fitting[part] = len(sizes)
        for size, row in sizes:
            kind = kind_of(part, row)
            longest[kind] = max(size, longest.get(kind, 0))
    if few := _too_few(job):
        raise BadSettings(f"{'; '.join(few)}; trainer.max_prompt_length is {limit}")
    dropped = sum(map(len, parts.values())) - sum(job.fitting.values())
    told = f"rows have up to {max(longest.values())} tokens of {limit}, {dropped} are too long"
    return f"{told}; {_room_is_left(job, longest, count, _counter(tokenizer, _options(job)))}"


def _too_few(job: Job) -> list[str]:
    """Parts of which too few rows fit: to train on a batch is needed, to evaluate on one row."""
    needed = {"train": job.get("trainer.train_batch_size"), "val": 1}
    return [
        f"{job.fitting[part]} of {len(rows)} {part} rows fit, needed are {needed[part]}"
        for part, rows in job.rows.items()
        if job.fitting[part] < needed[part]
    ]


def _room_is_left(job: Job, longest: dict[Kind, int], count: Count, count_begun: Count) -> str:
    """No conversation begins with more than there is room for: its kind's longest row, and longest first message."""
    room = job.get("generator.max_input_length")
    begins = {
        kind: longest[kind] + max(count_begun(each.opening) - count(each.prompt) for each in begun)
        for kind, begun in job.begun.items()
        if kind in longest
    }
    told = "; ".join(f"{kind}: {size}" for kind, size in begins.items())
    if any(size > room for size in begins.values()):
        raise BadSettings(f"a conversation begins with more tokens than generator.max_input_length={room}: {told}")
    if missing := longest.keys() - begins.keys():
        raise Unchecked(f"rows fit, but no episode began: {'; '.join(sorted(map(str, missing)))}")
    return f"conversations begin with up to so many of {room}: {told}"


def model_is_safe(job: Job) -> str:
    """The embeddings are not tied where all weights are trained."""
    if job.get("trainer.policy.model.lora.rank"):
        return "LoRA leaves the embeddings alone"
    if _loaded("AutoConfig", job.get(MODEL)).tie_word_embeddings:
        raise BadSettings("its embeddings are tied, and SkyRL 0.3.0 separates them: use LoRA, or another model")
    return "its embeddings are not tied"


def _options(job: Job) -> dict[str, Any]:
    return below(job.settings, "generator.chat_template_kwargs")


def _counter(tokenizer: Any, options: dict[str, Any]) -> Count:
    """How many tokens messages have. Rows of a domain share their prompt, so each is counted once."""

    @cache
    def counted(messages: str) -> int:
        return len(
            tokenizer.apply_chat_template(
                json.loads(messages), add_generation_prompt=True, return_dict=False, **options
            )
        )

    return lambda messages: counted(json.dumps(messages))


def _loaded(which: str, model: str) -> Any:
    """The tokenizer or the configuration of a model."""
    try:
        import transformers  # noqa: PLC0415  # it comes with SkyRL, and is missing without
    except ImportError:
        raise Unchecked("transformers is not installed") from None
    try:
        return getattr(transformers, which).from_pretrained(model)
    except OSError as error:
        raise Unchecked(f"{which} of {model} cannot be loaded here: {str(error)[:100]}") from error
