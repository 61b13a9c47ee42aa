"""What a person types, and the output for people."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_env_schemas import Action
from env_server.commands.output import plain, program
from env_server.commands.play.input import Command, TypingError, completions, understand
from env_server.commands.play.layout import laid_out
from env_server.state.fields import ABSENT, differences

TEXT = {"type": "string"}
TOOLS: dict[str, dict[str, Any]] = {
    "get_order": {
        "properties": {"order_id": TEXT, "items": {"type": "array", "items": TEXT}, "n": {"type": "integer"}}
    },
    "think": {"properties": {"thought": TEXT}},
}
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def called(line: str) -> dict[str, Any]:
    """The arguments of the call in `line`."""
    action = understand(line, TOOLS)
    assert isinstance(action, Action)
    assert action.tool_calls is not None
    (call,) = action.tool_calls
    assert call.name == line.split(maxsplit=1)[0]
    return dict(call.arguments)


@given(st.dictionaries(st.text(), jsons))
def test_arguments_as_json_arrive_as_they_are(arguments: dict[str, Any]) -> None:
    """`name {...}` calls the tool with exactly that object."""
    assert called(f"get_order {json.dumps(arguments)}") == arguments


@given(st.text())
def test_any_text_can_be_an_argument(text: str) -> None:
    """`argument="..."` takes any JSON string."""
    assert called(f"think thought={json.dumps(text)}") == {"thought": text}


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("get_order", {}),
        ("get_order order_id=#W1", {"order_id": "#W1"}),
        ("get_order order_id=19122", {"order_id": "19122"}),
        ("get_order n=3", {"n": 3}),
        ("get_order items=1,2", {"items": ["1", "2"]}),
        ('get_order items=["1", "2"] n=3', {"items": ["1", "2"], "n": 3}),
        ('get_order order_id="a b"   n=x', {"order_id": "a b", "n": "x"}),
        ("get_order other=true", {"other": True}),
    ],
)
def test_arguments_take_the_types_of_the_tool(line: str, arguments: dict[str, Any]) -> None:
    """`argument=value` is read by the tool's type; without a type, as JSON or text."""
    assert called(line) == arguments


@pytest.mark.parametrize(
    "line",
    [
        "Hello!",
        "Think about it",
        "my get_order fails",
        "I think_so too",
        "{",
        "a = b",
        "x_y is z",
        "x_y (is z)",
        "f(x)",
    ],
)
def test_anything_else_is_said(line: str) -> None:
    """Other words go to the user, unless they begin with the exact name of a tool."""
    assert understand(f"  {line} ", TOOLS) == Action(content=line)


SLIPS = ["get_order a@example.com", "get_order, please", "get_order(order_id=1)", "think about it"]


@pytest.mark.parametrize(
    "line",
    [
        "get_ordr",
        'get_ordr {"a": 1}',
        "get_ordr a=1",
        "get_ordr(a=1)",
        "nope_tool a=1",
        "nope_tool(a=1)",
        "get_order {",
        "get_order order_id=a b",
        *SLIPS,
    ],
)
def test_slips_are_caught(line: str) -> None:
    """A line that looks like a call, but is none, is not said to the user."""
    with pytest.raises(TypingError):
        understand(line, TOOLS)


@pytest.mark.parametrize("line", ["nope_tool", "nope_tool {}", "nope_tool a=1", "nope_tool(a=1)"])
def test_an_unknown_call_is_refused_on_every_side(line: str) -> None:
    """A call of an unknown tool is never spoken; the error lists tools only if the side has some."""
    with pytest.raises(TypingError, match=":tools lists them"):
        understand(line, TOOLS)
    with pytest.raises(TypingError, match="none on this side"):
        understand(line, {})


@pytest.mark.parametrize("line", ["get_order #W1", "get_order {"])
def test_a_slip_shows_how_to_call_the_tool(line: str) -> None:
    """The message ends with the usage: required arguments bare, the others in brackets."""
    tools = {"get_order": {**TOOLS["get_order"], "required": ["order_id"]}}
    with pytest.raises(TypingError, match=r"get_order order_id=<string> \[items=<string>,<string>\] \[n=<integer>\]$"):
        understand(line, tools)


@given(st.text())
def test_any_line_is_understood_or_refused(line: str) -> None:
    """No line raises an exception."""
    for before in ("", "get_order ", "get_order order_id="):
        with suppress(TypingError):
            assert isinstance(understand(before + line, TOOLS), Action | Command | None)


@given(jsons)
def test_layout_changes_no_value(value: Any) -> None:
    """A result that was laid out for reading has the same JSON value."""
    assert json.loads(laid_out(value)) == value


@given(jsons, jsons)
def test_differences_are_complete(one: Any, other: Any) -> None:
    """Two values are equal exactly if no difference is shown, and the two sides of a difference differ."""
    found = list(differences(one, other))
    assert (found == []) == (one == other)
    assert all(left is ABSENT or right is ABSENT or left != right for _, left, right in found)


def test_differences_name_the_place() -> None:
    """A difference has the path to its place."""
    one, other = {"a": [{"b": 1}], "c": 2}, {"a": [{"b": 3}, 4]}
    assert list(differences(one, other)) == [("a[0].b", 1, 3), ("a[1]", ABSENT, 4), ("c", 2, ABSENT)]


@given(st.text())
def test_nothing_shown_steers_the_terminal(text: str) -> None:
    """No control character is shown, and no line break is lost."""
    shown = plain(text)
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    assert len(shown) == len(text)


@pytest.mark.parametrize(
    ("before", "word", "found"),
    [
        ("", "get", ["get_order "]),
        ("  ", "", ["get_order ", "think "]),
        (":", "q", ["quit"]),
        ("get_order ", "", ["order_id=", "items=", "n="]),
        ("get_order n=1 ", "ord", ["order_id="]),
        ("Please ", "get", []),
    ],
)
def test_words_are_completed(before: str, word: str, found: list[str]) -> None:
    """The first word is completed to a tool, later ones to its arguments, and a word after a colon to a command."""
    assert completions(TOOLS, ("quit", "help"))(before, word) == found


def test_commands_that_are_shown_can_be_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program has its name if the shell finds it, and otherwise its path, relative if it is below this folder."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "env-server").write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / "env-server").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    assert program("pip") == "pip"  # this environment has none
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert program() == str(programs / "env-server")
    monkeypatch.chdir(tmp_path)
    assert program() == ".venv/bin/env-server"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert program() == "env-server"
