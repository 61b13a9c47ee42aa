"""Tools in the chat template: each row has exactly the ids that the engine was given and sampled."""

import random
from typing import Any

import pytest
from skyrl.train.generators.utils import merge_stepwise_output

from tests.e2e.server import Server
from tests.skyrl.native import ANY_ROOM, NativeGame, Sampling, call
from tests.skyrl.playing import Game, scores
from tests.skyrl.standin.engine import Sampled
from tests.skyrl.test_generator import open_episodes
from tests.skyrl.test_presets import Dry, dry  # noqa: F401 -- a fixture
from tests.skyrl.tiny import NAMES
from trainer_client.recipes.grpo.checking import checked
from trainer_client.recipes.grpo.settings import BadSettings, read
from trainer_client.skyrl.lost_rollouts import TooManyLost
from trainer_client.skyrl.shared_client import CHAT, RENDERED

TOOLS = "environment.skyrl_gym.agent_env.tools"
BOTH = (RENDERED, CHAT)


def right(rollout: str) -> str:
    """The line that the rollout's task wants."""
    return NAMES[int(rollout.partition("_")[0]) % len(NAMES)]


def asks_first(rollout: str, turn: int) -> str:
    """Ask, look the lines up, then connect."""
    look = '\n<tool_call>\n{"name": "lines", "arguments": {}}\n</tool_call>'
    return ("Which line?", f"I look.{look}", call(right(rollout)))[min(turn, 2)]


def game(server: Server, tokenizer: Any, how: str, **more: Any) -> NativeGame:
    """A batch in one of the two ways."""
    settings = {**ANY_ROOM, TOOLS: how, **more.pop("settings", {})}
    return NativeGame(server.url, tokenizer, more.pop("say", asks_first), settings=settings, **more)


def turns_of(played: NativeGame, output: dict[str, Any]) -> list[list[Sampling]]:
    """What the engine sampled, for each rollout of the output in order."""
    sessions = list(dict.fromkeys(f"{i.instance_id}_{i.repetition_id}" for i in output["trajectory_ids"]))
    return [[each for each in played.sampled if each.session == session] for session in sessions]


def check_rows_are_the_engines(played: NativeGame, output: dict[str, Any]) -> None:
    """Each row has the ids that the engine was given and the ids that it sampled, all of which are learned from."""
    every = [turn for turns in turns_of(played, output) for turn in turns]
    assert output["prompt_token_ids"] == [turn.prompt for turn in every]
    assert output["response_ids"] == [turn.ids for turn in every]
    assert output["loss_masks"] == [[1] * len(turn.ids) for turn in every]
    assert output["rollout_logprobs"] == [[-0.5] * len(turn.ids) for turn in every]


@pytest.mark.parametrize("how", BOTH)
def test_calls_are_played(server: Server, tokenizer: Any, how: str) -> None:
    """Words, a look-up and the right call are three turns; the prompt has the tools, and the policy once."""
    played = game(server, tokenizer, how, run=f"native-{how}")
    output = played.play()
    assert scores(output) == [1.0] * 16
    assert output["is_last_step"] == [False, False, True] * 16
    check_rows_are_the_engines(played, output)
    prompt = played.tokenizer.decode(output["prompt_token_ids"][2])
    assert prompt.count("Put every caller through") == 1
    assert '"name": "connect"' in prompt.partition("</tools>")[0]
    assert prompt.count('{"name": "lines", "arguments": {}}') == 1
    assert "<|im_start|>tool\n" in prompt
    assert output["rollout_metrics"]["environment/tool_error_rate"] == 0.0
    assert open_episodes(server, f"native-{how}") == 0


@pytest.mark.parametrize("how", BOTH)
def test_turns_are_one_row_where_ids_are_a_prefix(server: Server, tokenizer: Any, how: str) -> None:
    """SkyRL merges them, and learns from exactly what the engine sampled.

    A call with other spaces than the template's begins a new row behind the chat endpoint, which keeps no text.
    """
    whole = game(server, tokenizer, how)
    merged = merge_stepwise_output(dict(whole.play()))
    assert len(merged["response_ids"]) == 16
    learned_of(whole, merged)
    odd = game(server, tokenizer, how, say=odd_spaces)
    merged = merge_stepwise_output(dict(odd.play()))
    assert scores(merged) == [1.0] * 16
    assert len(merged["response_ids"]) == (16 if how == RENDERED else 32)
    learned_of(odd, merged)


def odd_spaces(rollout: str, turn: int) -> str:
    """Looks the lines up, with two spaces where the template has one, then connects."""
    return call(right(rollout), "  ") if turn else '\n<tool_call>\n{"name":  "lines", "arguments": {}}\n</tool_call>'


def learned_of(played: NativeGame, merged: Any) -> None:
    """The ids with loss are those that the engine sampled, in order."""
    rows = zip(merged["response_ids"], merged["loss_masks"], strict=True)
    learned = [id_ for ids, mask in rows for id_, on in zip(ids, mask, strict=True) if on]
    assert learned == [id_ for turns in turns_of(played, merged) for turn in turns for id_ in turn.ids]


@pytest.mark.parametrize("how", BOTH)
@pytest.mark.parametrize("cut", [False, True], ids=["ended", "cut off"])
def test_random_ids_are_never_tokenised_again(server: Server, tokenizer: Any, how: str, cut: bool) -> None:
    """Ids that no tokenizer would write stay as they are, in every row and after merging; so do those of cut turns."""
    chance = random.Random(7)
    plain = [i for i in range(len(tokenizer)) if i not in tokenizer.all_special_ids]

    def ids(_: str, turn: int) -> Sampled:
        found = chance.choices(plain, k=chance.randint(1, 60))
        found = found if cut else [*found, tokenizer.eos_token_id]
        return found, [-0.5] * len(found), "length" if cut else "stop"

    played = game(server, tokenizer, how, ids=ids, settings={"generator.max_turns": 3})
    output = played.play()
    check_rows_are_the_engines(played, output)
    again = [tokenizer.encode(tokenizer.decode(turn.ids), add_special_tokens=False) for turn in played.sampled]
    assert again != [turn.ids for turn in played.sampled], "the ids would have survived another tokenisation"
    merged = merge_stepwise_output(dict(output))
    learned_of(played, merged)
    assert len(merged["response_ids"]) > 16


@pytest.mark.parametrize("how", BOTH)
def test_a_call_that_is_broken_is_a_mistake(server: Server, tokenizer: Any, how: str) -> None:
    """Neither parser finds an object, the server says so, and the conversation goes on with the text."""
    broken = '<tool_call>\n{"name": "connect", "arguments": ["red"\n</tool_call>'
    listed = '<tool_call>\n{"name": "connect", "arguments": ["red"]}\n</tool_call>'
    say = lambda rollout, turn: (broken, listed, call(right(rollout)))[min(turn, 2)]  # noqa: E731
    played = game(server, tokenizer, how, say=say)
    output = played.play()
    assert scores(output) == [1.0] * 16
    check_rows_are_the_engines(played, output)
    assert listed in played.tokenizer.decode(output["prompt_token_ids"][2])
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    assert output["rollout_metrics"]["environment/parse_failure_rate"] > 0


@pytest.mark.parametrize("how", BOTH)
def test_a_full_context_ends_the_conversation(server: Server, tokenizer: Any, how: str) -> None:
    """No turn begins beyond the limit, and the episode is closed; if none fits, the run ends with the reason."""
    talk = lambda *_: "Which line? " * 20  # noqa: E731
    size, later = map(len, game(server, tokenizer, how, say=talk).play()["prompt_token_ids"][:2])
    room = {"generator.max_turns": 30, "generator.max_input_length": 2 * later - size}
    output = game(server, tokenizer, how, say=talk, run=f"full-{how}", settings=room).play()
    assert output["is_last_step"] == [False, False, True] * 16
    assert all(len(prompt) <= 2 * later - size for prompt in output["prompt_token_ids"])
    assert open_episodes(server, f"full-{how}") == 0
    with pytest.raises(TooManyLost, match=f"the conversation begins with {size} tokens, max_input_length is 200"):
        game(server, tokenizer, how, settings={"generator.max_input_length": 200}).play()


@pytest.mark.parametrize("odd", [([], [], "stop"), ([5, 6], [-1.0], "stop")], ids=["empty", "one missing"])
@pytest.mark.parametrize("how", BOTH)
def test_an_odd_answer_costs_its_rollout(server: Server, tokenizer: Any, how: str, odd: Any) -> None:
    """Only the rollout with the odd answer is lost, and its episode is closed without a score."""
    played = game(server, tokenizer, how, run=f"odd-{how}-{len(odd[0])}")
    usual = played.sampler

    def sampler() -> Any:
        sample = usual()
        return lambda session, ids, params: odd if session == "1_2" else sample(session, ids, params)

    played.sampler = sampler  # type: ignore[method-assign]
    output = played.play()
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 1
    assert sum(scores(output)) == 16
    assert open_episodes(server, played.run or "") == 0


def test_the_switch_is_one_setting() -> None:
    """`agent_env.tools` sets what SkyRL and the engine need for it; settings that contradict it are refused."""
    job = ["data.train_data=x", "trainer.run_name=mine", "trainer.eval_interval=-1"]
    found = read(["gpu-4"], [], [*job, f"{TOOLS}=chat"])
    assert found["generator.step_wise_trajectories"] is found["generator.merge_stepwise_output"] is True
    assert found["generator.inference_engine.engine_init_kwargs.tool_call_parser"] == "hermes"
    checked(found)
    checked(read(["gpu-4"], [], [*job, f"{TOOLS}=rendered"]))
    with pytest.raises(BadSettings, match="step_wise_trajectories: must be true"):
        checked(read(["gpu-4"], [], [*job, f"{TOOLS}=rendered", "generator.step_wise_trajectories=false"]))
    with pytest.raises(BadSettings, match="tools"):
        checked(read(["gpu-4"], [], [*job, f"{TOOLS}=hermes"]))


def test_the_generator_refuses_rows_that_are_conversations(tokenizer: Any) -> None:
    """A conversation in one row would hide that its ids were tokenised again."""
    config = {TOOLS: RENDERED}
    with pytest.raises(ValueError, match="step_wise_trajectories"):
        Game("http://127.0.0.1:1", tokenizer, lambda *_: "", settings=config).play_with("http://127.0.0.1:1")


def test_the_dry_run_counts_the_tools(dry: Dry) -> None:  # noqa: F811 -- the fixture
    """They are in the template, and not in the rows: a limit that holds the rows alone is too small."""
    assert dry()[0] == 0
    status, found = dry(f"{TOOLS}=rendered")
    assert status == 1
    assert found["prompt lengths"]["detail"].startswith("a conversation begins with more tokens")
    status, found = dry(f"{TOOLS}=rendered", "generator.max_input_length=1900")
    assert (status, found["prompt lengths"]["verdict"]) == (0, "ok"), found
