"""The tokens of a conversation, made by the trainer's own tokenizer and chat template."""

from collections.abc import Sequence
from typing import Any

from trainer_client.client import Episode

_CALL = {"type": "function", "function": {"name": "dummy", "arguments": {}}}
_BEFORE: list[dict[str, Any]] = [
    {"role": "user", "content": "dummy"},
    {"role": "assistant", "content": "", "tool_calls": [_CALL]},
]
"""A short conversation in place of the earlier messages: the tokens of later messages do not depend on it."""


def prompt_ids(trainer: Any, episode: Episode) -> list[int]:
    """The tokens with which an episode begins: its policy, its tools, the first message, and the agent's header."""
    return _rendered(trainer, episode.messages, tools=episode.tools, add_generation_prompt=True)


def suffix_ids(trainer: Any, observation: Sequence[dict[str, Any]]) -> list[int]:
    """The tokens between the model's end-of-sequence token and its next turn.

    A template may render an earlier message in another way once others follow it, so its length may change. The number
    of ends of turns does not: the result begins after the last end that the conversation before has.

    Raises:
        ValueError: if the chat template does not end a turn with the tokenizer's end-of-sequence token.
    """
    before = _ends(trainer, _rendered(trainer, _BEFORE, add_generation_prompt=False))
    whole = _rendered(trainer, [*_BEFORE, *observation], add_generation_prompt=True)
    ends = _ends(trainer, whole)
    if not before or len(ends) <= len(before):
        raise ValueError("the chat template does not end a turn with the end-of-sequence token")
    return whole[ends[len(before) - 1] + 1 :]


def _ends(trainer: Any, ids: Sequence[int]) -> list[int]:
    """Where turns end."""
    return [i for i, token in enumerate(ids) if token in trainer.eos_token_ids]


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
