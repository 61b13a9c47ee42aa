"""verl's agent loop plays episodes on a CPU, with verl's own tokens and masks, and a scripted engine."""

from typing import Any

import hydra
import pytest
from omegaconf import OmegaConf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, DictConfigWrap, ToolListWrap, _agent_loop_registry
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from tests.adapters.conftest import episodes
from tests.adapters.lines import GOOD, IDLE, TASK, ToolUse
from tests.e2e.server import Server
from tests.integrations import record
from trainer_client import Client
from trainer_client.integrations.verl import AgentEnvLoop

pytestmark = pytest.mark.anyio
LINE = "import trainer_client.integrations.verl  # and agent_name: agent_env"
TEMPLATE = """{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A tokenizer whose tokens are bytes, with the roles of ChatML."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    words = {token: at for at, token in enumerate([*special, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    made = Tokenizer(models.BPE(words, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(special)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=TEMPLATE
    )


class Scripted:
    """An engine that says lines, and keeps the prompts that it is given."""

    def __init__(self, tokenizer: Any, lines: list[str | ToolUse]) -> None:
        self.said = [tokenizer.encode((x.text if isinstance(x, ToolUse) else x) + "<|im_end|>") for x in lines]
        self.prompts: list[list[int]] = []

    async def generate(self, *, prompt_ids: list[int], **_asked: Any) -> TokenOutput:
        """The tokens of the next line, each with a log probability."""
        tokens = self.said[len(self.prompts)]
        self.prompts.append(list(prompt_ids))
        return TokenOutput(token_ids=tokens, log_probs=[-0.5] * len(tokens))


async def played(engine: Scripted, tokenizer: Any, response_length: int = 100_000) -> AgentLoopOutput:
    """What verl gets for a row; the loop is made from verl's registry, as verl's worker makes it."""
    rollout = {"prompt_length": 100_000, "response_length": response_length}
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}, "data": {}})
    loop: Any = hydra.utils.instantiate(
        _agent_loop_registry["agent_env"],
        trainer_config=DictConfigWrap(config),
        server_manager=engine,
        tokenizer=tokenizer,
        processor=None,
        hf_model_type=None,
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(config.data),
        tools=ToolListWrap([]),
    )
    assert isinstance(loop, AgentEnvLoop)
    row = {"raw_prompt": [], "extra_info": {"reset": {"domain": "retail", **TASK}}}
    return await loop.run({}, **row)


async def test_two_engines(server: Server, tokenizer: Any) -> None:
    """The good engine's rollout has reward 1 and the idle one's 0."""
    good = await played(Scripted(tokenizer, GOOD), tokenizer)
    idle = await played(Scripted(tokenizer, IDLE), tokenizer)
    assert [e["stop_reason"] for e in episodes(server, 2)] == ["user_stop"] * 2
    assert (good.reward_score, idle.reward_score) == (1, 0)
    record("verl", "verl", LINE, good.reward_score, idle.reward_score)


async def test_the_models_tokens_are_trained_and_no_others(server: Server, tokenizer: Any) -> None:
    """The mask selects exactly the tokens that the engine made, in order, with their log probabilities; each prompt
    continues the last one.
    """
    assert server.process is not None
    engine = Scripted(tokenizer, GOOD)
    out = await played(engine, tokenizer)
    chosen = [token for token, kept in zip(out.response_ids, out.response_mask, strict=True) if kept]
    assert chosen == [token for line in engine.said for token in line]
    assert out.response_logprobs == [-0.5 if kept else 0.0 for kept in out.response_mask]
    for at, prompt in enumerate(engine.prompts):
        assert (out.prompt_ids + out.response_ids)[: len(prompt)] == prompt, at
    assert "#W6204781" in tokenizer.decode(
        [t for t, m in zip(out.response_ids, out.response_mask, strict=True) if not m]
    )
    assert out.num_turns == 2 * len(GOOD) + 1
    assert "rm_scores" in out.as_dict()


@pytest.mark.parametrize("room", [40, 120, 300, 795, 1500])
async def test_a_response_that_is_too_long_is_cut(server: Server, tokenizer: Any, room: int) -> None:
    """The episode is closed, and the rollout has as many tokens as there is room for, and reward 0. The engine is never
    asked to go on from more tokens than fit, wherever the room ends.
    """
    engine = Scripted(tokenizer, GOOD)
    out = await played(engine, tokenizer, response_length=room)
    assert (len(out.response_ids), len(out.response_mask), out.reward_score) == (room, room, 0)
    assert max(map(len, engine.prompts)) < len(out.prompt_ids) + room
    [left] = episodes(server, 1)
    assert (left["done"], left["stop_reason"]) == (True, "closed")


async def test_an_episode_that_is_not_scored_is_masked(server: Server, tokenizer: Any) -> None:
    """No token of an unscored episode is trained."""

    class Interrupted(Scripted):
        async def generate(self, **asked: Any) -> TokenOutput:
            output = await super().generate(**asked)
            if len(self.prompts) == len(self.said):
                [running] = episodes(server, 1)
                with Client(server.url, "secret") as client:
                    client.close_episode(running["episode_id"], "infrastructure")
            return output

    mask = (await played(Scripted(tokenizer, GOOD), tokenizer)).response_mask
    second = mask.index(1, mask.index(0))
    out = await played(Interrupted(tokenizer, GOOD[:2]), tokenizer, response_length=second + 10)
    assert out.extra_fields["scored"] is False
    assert set(out.response_mask) == {0}
