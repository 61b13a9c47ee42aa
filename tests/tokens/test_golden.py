"""Prompts and rows of training in the tokens of real models: they are what the models' own templates write."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.conftest import server  # noqa: F401 -- a fixture
from tests.skyrl.native import NativeGame
from tests.skyrl.playing import Game, conversation, scores
from tests.tokens.families import Family, families
from trainer_client import Client
from trainer_client.skyrl.shared_client import CHAT, RENDERED

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
"""Family -> the number of ids of `TALK`, and the SHA-256 of their JSON text."""

TOOLS = [{"type": "function", "function": {"name": "seek", "description": "Søk «it».", "parameters": {
    "type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}}}]  # fmt: skip
ARGUMENTS = {"what": "grün & 1234567"}
CALL = {"id": "c1", "type": "function", "function": {"name": "seek", "arguments": ARGUMENTS}}
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind.\n\n- Don't lie."},
    {"role": "user", "content": "Where's order #W1234567?\t\u201cNow\u201d \U0001f600"},
    {"role": "assistant", "content": "I'll look.", "tool_calls": [CALL]},
    {"role": "tool", "content": '{"found": 12345.67}', "tool_call_id": "c1"},
    {"role": "assistant", "content": "Found."},
    {"role": "user", "content": "Thanks."},
]
ALL = list(families())
QWEN = [each for each in ALL if "qwen" in each.name.lower()]
APPENDS = [each for each in ALL if each.name in {"qwen2.5", "llama3.1"}]
"""Those whose template writes a conversation as its turns came. Qwen3's changes earlier turns."""

STEP_WISE = {
    "generator.step_wise_trajectories": True,
    "generator.max_input_length": 16384,
    "generator.max_turns": 4,
}
HOW = "environment.skyrl_gym.agent_env.tools"


def said(text: str) -> list[dict[str, Any]]:
    """A conversation of this system message and the user's first words."""
    return [{"role": "system", "content": text}, {"role": "user", "content": "Hi, I want to cancel."}]


@pytest.mark.parametrize("family", ALL, ids=str)
def test_ids_are_golden(family: Family) -> None:
    """A conversation has the ids that it had, by the template and tokenizer that training uses and by tiktoken."""
    text = family.text(TALK, TOOLS, turn=True)
    ids = family.tokenizer.apply_chat_template(
        TALK, tools=TOOLS, add_generation_prompt=True, return_dict=False, **family.options
    )
    assert ids == family.ids(text)
    assert family.tokenizer.decode(ids) == text
    if family.name in GOLDEN:
        digest = hashlib.sha256(json.dumps(ids).encode()).hexdigest()
        assert [len(ids), digest] == GOLDEN[family.name]


@pytest.mark.parametrize("family", QWEN, ids=str)
def test_the_prompt_qwen_is_the_templates_own(family: Family, server: Server) -> None:  # noqa: F811 -- the fixture
    """In each domain the system message with the tools as text is, byte by byte, what the template makes of `tools`."""
    with Client(server.url, "secret") as client:
        names = [each.name for each in client.domains().domains if any(pack.name == "builtin" for pack in each.packs)]
        assert len(names) > 4
        for name in names:
            options: dict[str, Any] = {
                "split": "train",
                "index": 0,
                "purpose": "eval",
                "run": "tokens",
                "user": {"strategy": "none"},
            }
            plain = client.reset(name, **options)
            written = client.reset(name, tool_prompt="qwen", **options)
            policy, prompt = (episode.messages[0]["content"] for episode in (plain, written))
            native = family.text(said(policy), plain.tools, turn=True)
            assert family.text(said(prompt), turn=True) == native, name
            assert family.ids(native) == family.tokenizer.encode(native, add_special_tokens=False), name


def says(family: Family, thought: str = "") -> Any:
    """Looks the lines up, asks, and connects, in the family's way to write calls."""
    name = "parameters" if "llama" in family.name else "arguments"

    def call(tool: str, arguments: dict[str, Any]) -> str:
        written = json.dumps({"name": tool, name: arguments})
        return written if "llama" in family.name else f"<tool_call>\n{written}\n</tool_call>"

    def say(rollout: str, turn: int) -> str:
        line = tiny.NAMES[int(rollout.partition("_")[0]) % len(tiny.NAMES)]
        return thought + (call("lines", {}), "Which line?", call("connect", {"line": line}))[min(turn, 2)]

    return say


@pytest.mark.parametrize("family", APPENDS, ids=str)
def test_rows_and_masks_of_whole_conversations(family: Family, server: Server) -> None:  # noqa: F811 -- the fixture
    """A row is the template's rendering of the conversation, and the loss is on what the policy said, with its end."""
    room = {"generator.max_input_length": 8192, "generator.max_turns": 4}
    run = f"tokens-{family}"
    output = Game(server.url, family.tokenizer, says(family), prompts=2, samples=1, settings=room, run=run).play()
    assert scores(output) == [1.0] * 2
    with Client(server.url, "secret") as client:
        talks = [conversation(client, each.episode_id) for each in client.episodes(run=run).episodes]
    expected = [rendered(family, [*tiny.SYSTEM, *talk]) for talk in talks]
    found = [
        ([*prompt, *ids], [0] * len(prompt) + list(mask))
        for prompt, ids, mask in zip(
            output["prompt_token_ids"], output["response_ids"], output["loss_masks"], strict=True
        )
    ]
    assert sorted(found) == sorted(expected)


def rendered(family: Family, messages: list[dict[str, Any]]) -> tuple[list[int], list[int]]:
    """The ids up to the policy's last token, and which of them it said, by the template and tiktoken alone."""
    ids: list[int] = []
    mask: list[int] = []
    for place, message in enumerate(messages):
        if message["role"] == "assistant":
            before = family.ids(family.text(messages[:place], turn=True))
            ids = family.ids(family.text(messages[: place + 1]).removesuffix("\n"))
            mask += [0] * (len(before) - len(mask)) + [1] * (len(ids) - len(before))
    return ids, mask


@pytest.mark.parametrize("turns", [True, False], ids=["rows of turns", "appended"])
def test_the_history_of_qwen3_without_thinking(turns: bool, server: Server) -> None:  # noqa: F811 -- the fixture
    """As its presets train it, every turn follows the history that its template writes.

    Where SkyRL only appends, each earlier turn keeps an empty block of thoughts, and that is all the difference.
    """
    (family,) = (each for each in ALL if each.name == "qwen3")
    options = {f"generator.chat_template_kwargs.{name}": value for name, value in family.options.items()}
    settings = {**STEP_WISE, **options, "generator.step_wise_trajectories": turns}
    run = f"tokens-history-{turns}"
    output = Game(server.url, family.tokenizer, says(family), prompts=1, samples=1, settings=settings, run=run).play()
    with Client(server.url, "secret") as client:
        (episode,) = client.episodes(run=run).episodes
        talk = [*tiny.SYSTEM, *conversation(client, episode.episode_id)]
    places = [place for place, message in enumerate(talk) if message["role"] == "assistant"]
    histories = [family.text(talk[:place], turn=True) for place in places]
    assert len(histories) == 3
    if turns:
        assert [family.tokenizer.decode(ids) for ids in output["prompt_token_ids"]] == histories
        assert output["prompt_token_ids"] == list(map(family.ids, histories))
        return
    (row,) = (family.tokenizer.decode(prompt + ids) for prompt, ids in zip(
        output["prompt_token_ids"], output["response_ids"], strict=True))  # fmt: skip
    empty = "<think>\n\n</think>\n\n"
    assert row.count(empty) == len(places)
    assert row.replace(empty, "").startswith(histories[-1].replace(empty, ""))
    assert histories[-1].count(empty) == 1


@pytest.mark.parametrize("how", [RENDERED, CHAT])
@pytest.mark.parametrize("family", [each for each in ALL if each.reference is not None], ids=str)
def test_rows_of_native_turns(family: Family, how: str, server: Server) -> None:  # noqa: F811 -- the fixture
    """Each turn's prompt has the ids of the template's text by tiktoken, and its response the ids that were sampled."""
    thought = "<think>\nHm.\n</think>\n\n" if family.name == "qwen3-thinking" else ""
    options = {f"generator.chat_template_kwargs.{name}": value for name, value in family.options.items()}
    settings = {**STEP_WISE, HOW: how, **options}
    game = NativeGame(server.url, family.tokenizer, says(family, thought), prompts=2, samples=2, settings=settings)
    output = game.play()
    assert scores(output) == [1.0] * 4
    assert output["is_last_step"] == [False, False, True] * 4
    for prompt, ids, mask in zip(output["prompt_token_ids"], output["response_ids"], output["loss_masks"], strict=True):
        assert family.ids(family.tokenizer.decode(prompt)) == prompt
        assert family.ids(family.tokenizer.decode(ids)) == ids
        assert mask == [1] * len(ids)
    if thought:
        first, later = (family.tokenizer.decode(prompt) for prompt in output["prompt_token_ids"][:3:2])
        assert "Hm." not in first
        assert later.count("Hm.") < 2, "the template drops thoughts before the last message of the user"


def test_the_tests_own_template_treats_thoughts_as_qwen3s() -> None:
    """At each point of a conversation the two write its turns alike: with their thoughts, or without."""
    (family,) = (each for each in ALL if each.name == "qwen3-thinking")
    call = '<tool_call>\n{"name": "lines", "arguments": {}}\n</tool_call>'
    talk = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": f"<think>One\nor two.</think>\n\n{call}"},
        {"role": "tool", "content": "[]"},
        {"role": "assistant", "content": f"<think>\nThree.\n</think>\n\n{call}"},
        {"role": "tool", "content": "[]"},
        {"role": "assistant", "content": "<think>Four.</think>Which line?"},
        {"role": "user", "content": "Red."},
        {"role": "assistant", "content": "No thought."},
        {"role": "tool", "content": "[]"},
        {"role": "assistant", "content": "<think>Five.</think>\n\nDone."},
        {"role": "user", "content": "Thanks."},
    ]
    thoughts = []
    for end in range(2, len(talk) + 1):
        texts = [
            family.tokenizer.apply_chat_template(talk[:end], chat_template=of, tokenize=False)
            for of in (None, tiny.THINKING)
        ]
        said = [[part.partition("<|im_end|>")[0] for part in text.split("<|im_start|>assistant\n")] for text in texts]
        if talk[end - 1] != {"role": "assistant", "content": "No thought."}:  # Qwen3's writes an empty one at the end
            assert said[0][1:] == said[1][1:], end
        thoughts.append(texts[1].count("<think>"))
    assert thoughts == [0, 1, 1, 2, 2, 3, 0, 0, 0, 1, 0]
