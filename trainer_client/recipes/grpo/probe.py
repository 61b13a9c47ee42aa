"""What the engines themselves say of their weights: each one's answer to a fixed prompt. SkyRL must be installed.

SkyRL 0.3.0 counts transfers of weights in its client and asks no engine. An engine that gets new weights answers a
prompt with other log probabilities; one that does not answers as before, to the last bit, because the prompt is alone
in its batch and the answer is greedy. This module asks each engine, and not the router before them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import httpx2
from loguru import logger

LIMIT_S = 60.0
TEXT = "The customer asks for a refund of the order."
PROMPT_TOKENS, ANSWER_TOKENS = 6, 6
"""Together fewer than the 16 tokens of a block of vLLM's cache, so that no answer comes from there."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A prompt for the engines' model of this name."""

    model: str
    ids: Sequence[int]

    def answers(self, engines: Sequence[str]) -> dict[str, Any]:
        """Engine -> its answer: ids and log probabilities. One that gives none is left out, with a warning."""
        found = {}
        for engine in engines:
            try:
                found[f"the engine at {engine}"] = self._answer(engine)
            except (httpx2.HTTPError, ValueError, LookupError, TypeError) as error:
                told = f"{type(error).__name__}: {error}"
                logger.warning(f"the engine at {engine} did not answer the prompt that shows its weights: {told}")
        return found

    def _answer(self, engine: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        params = {"max_tokens": ANSWER_TOKENS, "temperature": 0.0, "logprobs": 0, "ignore_eos": True}
        body = {"model": self.model, "token_ids": list(self.ids), "sampling_params": params}
        reply = httpx2.post(f"{engine}/inference/v1/generate", json=body, timeout=LIMIT_S).raise_for_status()
        (choice,) = reply.json()["choices"]
        return tuple(choice["token_ids"]), tuple(each["logprob"] for each in choice["logprobs"]["content"])


def probe(tokenizer: Any, model: str) -> Probe:
    """The prompt in the tokens of the job's tokenizer."""
    ids: list[int] = tokenizer.encode(TEXT, add_special_tokens=False)
    return Probe(model, ids[:PROMPT_TOKENS])
