"""A row of a training set: which episode it asks for, and what its conversation begins with."""

import json
from typing import Any

import pytest

from agent_env_schemas import ResetRequest
from trainer_client.skyrl.row import domain_of, opening, overridden, reset_options, without_closers

SYSTEM, USER = {"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi."}


def test_a_row_names_its_episode() -> None:
    """Null counts as absent, nested values may be JSON text, and a task's own limit can only lower the trainer's."""
    info = {
        "domain": "retail",
        "pack": "tau2",
        "task_id": "7",
        "split": "train",
        "index": 3,
        "seed": None,
        "difficulty": 2,
    }
    info |= {"user": '{"strategy": "llm"}', "max_turns": 9, "pack_version": "v1", "template": "return"}
    expected = {"domain": "retail", "pack": "tau2", "task_id": "7", "user": {"strategy": "llm"}, "max_turns": 9}
    for given in (info, json.dumps(info)):
        options = reset_options({"extra_info": given}, 30)
        assert options == {**expected, "expect": {"pack_version": "v1"}}
        ResetRequest.model_validate(options)
    assert reset_options({"extra_info": info}, 5)["max_turns"] == 5
    place = {"domain": "retail", "split": "train", "index": 0}
    assert reset_options({"extra_info": place}, 5) == {**place, "max_turns": 5}
    assert reset_options({"extra_info": {**place, "difficulty": 2.0}}, 5)["difficulty"] == 2
    among = {**place, "difficulty": "1-2"}
    assert reset_options({"extra_info": among}, 5) == {**among, "max_turns": 5}


def test_tools_and_shaping_reach_the_reset() -> None:
    """Options of tools and weights may be JSON text; a preset is a name."""
    place = {"domain": "research", "index": 0}
    tools, weights = {"mode": "replay", "tag": "june"}, {"valid": 0.5}
    for given in ({"tools": tools, "reward_shaping": weights}, {"tools": json.dumps(tools)}):
        given.setdefault("reward_shaping", json.dumps(weights))
        options = reset_options({"extra_info": place | given}, 5)
        assert options == {**place, "max_turns": 5, "tools": tools, "reward_shaping": weights}
        ResetRequest.model_validate(options)
    named = reset_options(
        {"extra_info": place | {"tools": None, "reward_shaping": "mcp_tool_env", "conduct": "off"}}, 5
    )
    assert named == {**place, "max_turns": 5, "reward_shaping": "mcp_tool_env", "conduct": "off"}


@pytest.mark.parametrize("info", [None, "", "[]", {}, {"domain": "retail"}, {"index": 1}])
def test_a_row_without_a_task_is_refused(info: object) -> None:
    """Without a domain or a task the server would draw one by chance."""
    with pytest.raises(ValueError, match=r"."):
        reset_options({"extra_info": info}, 5)
    assert domain_of({"extra_info": info}) in ("unknown", "retail")


def test_one_system_message() -> None:
    """The row's system message, which has the tools, replaces the episode's; examples between them stay."""
    own = {"role": "system", "content": "Be kind. Tools: ..."}
    assert opening([own], [SYSTEM, USER]) == [own, USER]
    assert opening([], [SYSTEM, USER]) == [SYSTEM, USER]
    assert opening([own, USER, SYSTEM], [USER]) == [own, USER, SYSTEM, USER]


@pytest.mark.parametrize("native", [False, True])
def test_the_system_message_comes_first(native: bool) -> None:
    """It stands before the row's other messages, as templates require; the user's first message is last."""
    shown = [{"role": "user", "content": "An example."}, {"role": "assistant", "content": "I see."}]
    assert opening(shown, [SYSTEM, USER], native=native) == [SYSTEM, *shown, USER]


@pytest.mark.parametrize(
    ("prompt", "given", "asked"),
    [
        ([], {}, "hermes"),
        ([USER], {"tool_prompt": None}, "hermes"),
        ([], {"tool_prompt": "json"}, "json"),
        ([], {"tool_prompt": "none"}, "none"),
        ([SYSTEM], {}, None),
        (None, {}, None),
    ],
)
def test_the_policy_is_told_of_its_tools(prompt: list[dict[str, str]] | None, given: Any, asked: str | None) -> None:
    """If the row's prompt has no system message, the episode's own has the tools. A native template needs no text."""
    row = {"extra_info": {"domain": "retail", "task_id": "7", **given}} | ({} if prompt is None else {"prompt": prompt})
    options = reset_options(row, 5)
    ResetRequest.model_validate(options)
    assert options.get("tool_prompt") == asked
    assert "tool_prompt" not in overridden(options, {}, "train", native=True)
    assert overridden(options, {"tool_prompt": "qwen"}, "train")["tool_prompt"] == "qwen"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("done<|im_end|>", "done"),
        ("done <|im_end|>\n<|endoftext|> ", "done"),
        ("<tool_call>{}</tool_call><|im_end|>", "<tool_call>{}</tool_call>"),
        ("<|im_end|>", ""),
        ("a <|im_end|> b", "a <|im_end|> b"),
        (" untouched ", " untouched "),
        ("done[STOP]", "done"),
    ],
)
def test_special_tokens_at_the_end_are_not_said(text: str, said: str) -> None:
    """Only those at the end go, and only marks that end a message: a call's closing tag stays."""
    assert without_closers(text, ["[STOP]", ""]) == said


def test_native_tools_need_the_episodes_own_system_message() -> None:
    """It has no tools, because the chat template adds them; the row's, which has them as text, is left out."""
    with_tools = {"role": "system", "content": "Be kind. Tools: ..."}
    assert opening([with_tools], [SYSTEM, USER], native=True) == [SYSTEM, USER]
    assert opening([with_tools], [SYSTEM, USER]) == [with_tools, USER]


def test_a_job_overrides_its_rows() -> None:
    """The job's fields replace the row's; the lower limit counts, and an evaluation has no shaped reward."""
    row = {"domain": "retail", "task_id": "7", "user": {"strategy": "scripted"}, "max_turns": 9}
    fields = {"user": {"strategy": "llm"}, "max_turns": 20, "reward_shaping": "first_tool"}
    assert overridden(row, fields, "train") == {**row, "user": {"strategy": "llm"}, "reward_shaping": "first_tool"}
    assert overridden(row, fields, "eval") == {**row, "user": {"strategy": "llm"}}
    assert overridden(row, {"max_turns": 3}, None) == {**row, "max_turns": 3}
    assert overridden(row, {}, "train") == row
