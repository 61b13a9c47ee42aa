"""Tools in the chat template with a real vLLM: rendered here, and by its chat endpoint with the parser for hermes."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from skyrl.train.generators.utils import merge_stepwise_output
from skyrl.utils.tok import get_tokenizer
from transformers import AutoModelForCausalLM

from tests.e2e.server import Server
from tests.skyrl.native import ANY_ROOM, caller
from tests.skyrl.playing import Game, scores
from tests.skyrl.standin.chat import CALL
from tests.vllm.engine import CLOSE, Vllm
from trainer_client import Client
from trainer_client.skyrl.row import opening
from trainer_client.skyrl.shared_client import CHAT, RENDERED

TOOLS = "environment.skyrl_gym.agent_env.tools"


@pytest.fixture(scope="module", name="caller")
def taught(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model that makes some right calls in the form of its template."""
    with Client(server.url, "secret") as client:
        return caller(client, tmp_path_factory.mktemp("caller"))


@pytest.fixture(scope="module")
def engine(caller: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vllm]:
    """A vLLM that serves that model."""
    running = Vllm(tmp_path_factory.mktemp("vllm-chat"), caller).start()
    yield running
    running.kill()


@pytest.mark.parametrize("how", [RENDERED, CHAT])
def test_rows_are_what_vllm_sampled(server: Server, caller: Path, engine: Vllm, how: str) -> None:
    """Its log probabilities are those of the ids in the rows, its prompts are our rendering, and calls are played."""
    tokenizer = get_tokenizer(str(caller), trust_remote_code=True, use_fast=True, padding_side="left")
    settings = {**ANY_ROOM, TOOLS: how, "generator.max_input_length": 1900, "generator.max_turns": 3}
    game = Game(server.url, tokenizer, lambda *_: "", prompts=8, samples=8, settings=settings, run=f"chat-{how}")
    game.model = str(caller)
    game.play_with(engine.url)  # the first batch of an engine is slower
    began = time.monotonic()
    output = game.play_with(engine.url)
    seconds = time.monotonic() - began
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    assert any(score == 1.0 for score in scores(output))
    check_logprobs(caller, output)
    merged = merge_stepwise_output(dict(output))
    said = [tokenizer.decode(ids) for ids in output["response_ids"]]
    calls = sum(bool(CALL.search(text)) for text in said)
    print(
        f"{how}: {len(said)} turns of 64 rollouts are {len(merged['response_ids'])} rows after merging; {calls} turns"
        f" have calls, {sum(scores(output)):.0f} rollouts are right, {seconds:.1f} s; {same_again(tokenizer, output)}"
        " turns would have the same ids if their text were tokenised"
    )
    assert calls > 0


def same_again(tokenizer: Any, output: dict[str, Any]) -> int:
    """How many turns have the ids that their text is tokenised to."""
    return sum(
        tokenizer.encode(tokenizer.decode(ids), add_special_tokens=False) == ids for ids in output["response_ids"]
    )


def check_logprobs(model: Path, output: dict[str, Any]) -> None:
    """The engine's log probabilities are transformers' for the very ids of the rows."""
    plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
    for prompt, ids, told in zip(
        output["prompt_token_ids"][:40], output["response_ids"], output["rollout_logprobs"], strict=False
    ):
        with torch.no_grad():
            odds = torch.log_softmax(plain(torch.tensor([[*prompt, *ids]])).logits[0, len(prompt) - 1 : -1], -1)
        found = odds.gather(1, torch.tensor(ids)[:, None])[:, 0]
        assert float((found - torch.tensor(told)).abs().max()) < CLOSE


def test_the_chat_endpoint_renders_what_we_render(server: Server, caller: Path, engine: Vllm) -> None:
    """Its prompts are our own rendering, so that one template and one limit of length serve both."""
    tokenizer = get_tokenizer(str(caller), trust_remote_code=True, use_fast=True, padding_side="left")
    with Client(server.url, "secret") as client:
        episode = client.reset("desk", split="train", index=0)
    settings = {**ANY_ROOM, TOOLS: CHAT, "generator.max_input_length": 1900, "generator.max_turns": 3}
    game = Game(server.url, tokenizer, lambda *_: "", prompts=1, samples=4, settings=settings)
    game.model = str(caller)
    output = game.play_with(engine.url)
    begins = [True, *output["is_last_step"][:-1]]
    firsts = [prompt for prompt, first in zip(output["prompt_token_ids"], begins, strict=True) if first]
    messages = opening([], episode.messages, native=True)
    ours = tokenizer.apply_chat_template(messages, tools=episode.tools, add_generation_prompt=True, return_dict=False)
    assert firsts == [ours] * 4
