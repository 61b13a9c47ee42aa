"""The tokens of a conversation, made by the trainer's own tokenizer and chat template."""

from collections.abc import Sequence
from typing import Any

from trainer_client.client import Episode

_CALL = {"type": "function", "function": {"name": "dummy", "arguments": {}}}
_BEFORE: list[dict[str, Any]] = [
    {"role": "user", "content": "dummy"},
    {"role": "assistant", "content": "", "tool_calls": [_CALL]},
]
"""A conversation that stands for the one before: the tokens that follow do not depend on it."""


def prompt_ids(trainer: Any, episode: Episode) -> list[int]:
    """The tokens with which an episode begins: its policy, its tools, the first message, and the agent's header."""
    return _rendered(trainer, episode.messages, tools=episode.tools, add_generation_prompt=True)


def suffix_ids(trainer: Any, observation: Sequence[dict[str, Any]]) -> list[int]:
    """The tokens between the model's end-of-sequence token and its next turn.

    Raises:
        ValueError: if the chat template does not keep the conversation before as it was.
    """
    before = _rendered(trainer, _BEFORE, add_generation_prompt=False)
    whole = _rendered(trainer, [*_BEFORE, *observation], add_generation_prompt=True)
    ends = [i for i, token in enumerate(before) if token in trainer.eos_token_ids]
    before = before[: ends[-1] + 1] if ends else before
    if whole[: len(before)] != before:
        raise ValueError("the chat template changes earlier messages; TRL's training templates do not")
    return whole[len(before) :]


def _rendered(trainer: Any, messages: Sequence[dict[str, Any]], **options: Any) -> list[int]:
    ids: list[int] = trainer.processing_class.apply_chat_template(
        list(messages),
        tokenize=True,
        return_dict=False,
        chat_template=trainer.chat_template,
        **trainer.chat_template_kwargs,
        **options,
    )
    return ids
