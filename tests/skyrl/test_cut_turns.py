"""Turns that reach the limit of tokens: an observation never follows one without the token that ends a message."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.playing import Game, after_talk
from tests.skyrl.standin.engine import Sampled, Sampler


@dataclass
class Cut(Game):
    """Every first turn is cut off before its end token."""

    def sampler(self) -> Sampler:
        """The game's sampler, whose first turns are cut."""
        usual, seen = super().sampler(), set[str]()

        def sample(rollout: str, ids: list[int], params: dict[str, Any]) -> Sampled:
            tokens, logprobs, reason = usual(rollout, ids, params)
            if rollout in seen:
                return tokens, logprobs, reason
            seen.add(rollout)
            return tokens[:-1], logprobs[:-1], "length"

        return sample


@pytest.mark.parametrize("game", [Game, Cut])
def test_a_cut_turn_is_ended_and_the_end_is_not_trained(server: Server, tokenizer: Any, game: type[Game]) -> None:
    """The conversation has the template's own tokens, and only those that the policy sampled have a loss."""
    output = game(server.url, tokenizer, after_talk, prompts=1, samples=1).play()
    ids = output["prompt_token_ids"][0] + output["response_ids"][0]
    text = tokenizer.decode(ids)
    first, last = after_talk("0_0", 0), after_talk("0_0", 1)
    between = text.partition(f"{first}<|im_end|>")[2].partition(last)[0]
    assert between.startswith("\n<|im_start|>"), text
    said = [token for token, counts in zip(output["response_ids"][0], output["loss_masks"][0], strict=True) if counts]
    end = [tokenizer.eos_token_id]
    first_ids, last_ids = (tokenizer.encode(each, add_special_tokens=False) for each in (first, last))
    assert said == [*first_ids, *(end if game is Game else []), *last_ids, *end]
    trained = zip(output["rollout_logprobs"][0], output["loss_masks"][0], strict=True)
    assert all(logprob == (-0.5 if counts else 0.0) for logprob, counts in trained)


def test_the_two_conversations_have_the_same_tokens(server: Server, tokenizer: Any) -> None:
    """Cut or not, the engine gets the same ids in the second turn."""
    whole, cut = (kind(server.url, tokenizer, after_talk, prompts=1, samples=1).play() for kind in (Game, Cut))
    assert whole["response_ids"] == cut["response_ids"]
