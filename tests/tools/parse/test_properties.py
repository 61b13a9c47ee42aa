"""Laws of the parser: it reads what each format writes, never raises, and takes linear time."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.tools.parse import Format, ParsedCall, parse_calls, parse_text
from tests.pace import units

NAMES = ("get_order", "cancel_order", "list_all")
KNOWN = frozenset(NAMES)
MARKS = st.sampled_from(["<tool_call>", "</tool_call>", "```", "</think>", "Action: x", "{", "Observation: y", "\n"])
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.text(CHARACTERS, max_size=8) | MARKS, max_size=3).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.builds(ParsedCall, st.sampled_from(NAMES), st.dictionaries(TEXTS, VALUES, max_size=4), st.none())
PROSE = st.text("abc ,.!?äß\n", max_size=40)


def _object(call: ParsedCall) -> str:
    return json.dumps({"name": call.name, "arguments": call.arguments})


def _python(call: ParsedCall) -> str:
    arguments = repr(call.arguments).replace("`", "\\x60")  # ticks would close the fence
    return f"```python\n{call.name}({arguments})\n```"


RENDER: dict[Format, Callable[[ParsedCall], str]] = {
    Format.JSON: _object,
    Format.FENCED_JSON: lambda call: f"```json\n{_object(call)}\n```",
    Format.HERMES: lambda call: f"<tool_call>\n{_object(call)}\n</tool_call>",
    Format.XML: lambda call: f"<{call.name}>{json.dumps(call.arguments)}</{call.name}>",
    Format.PYTHON: _python,
    Format.REACT: lambda call: f"Action: {call.name}\nAction Input: {json.dumps(call.arguments)}",
}


@pytest.mark.parametrize("form", RENDER)
@given(calls=st.lists(CALLS, min_size=1, max_size=3), prose=PROSE)
def test_round_trip(form: Format, calls: list[ParsedCall], prose: str) -> None:
    """Calls written in a format, with marks of all formats in their data, are read back exactly."""
    text = "\n".join([prose, *(RENDER[form](call) for call in calls)])
    if "</think>" in text:
        text = text.replace("</think>", "<\\/think>" if form is not Format.PYTHON else "<\\x2fthink>")
    parsed = parse_text(text, KNOWN)
    assert (parsed.format, parsed.content, parsed.failure) == (form, prose.strip(), None)
    assert parsed.calls == tuple(calls)


@given(calls=st.lists(CALLS, min_size=1, max_size=3), as_text=st.booleans())
def test_structured_round_trip(calls: list[ParsedCall], as_text: bool) -> None:
    """Structured calls are read back exactly, whether their arguments are data or text."""
    encode: Callable[[Any], Any] = json.dumps if as_text else dict
    parsed = parse_calls(None, [{"name": call.name, "arguments": encode(call.arguments)} for call in calls])
    assert parsed.calls == tuple(calls)


@given(st.text("abc{}[]()<>`:\"'= \n\0\ud800") | st.text())
def test_never_raises(text: str) -> None:
    """Any text has an outcome, and a failure holds no calls."""
    parsed = parse_text(text, KNOWN)
    assert not (parsed.failure and parsed.calls)


@given(PROSE)
def test_content_is_kept(text: str) -> None:
    """Prose is read back unchanged, except for the whitespace around it."""
    assert parse_text(text, KNOWN).content == text.strip()


@pytest.mark.parametrize(
    "unit",
    [
        "<", "{", "[", "`", "```", '"', "\\", " ", "\n", "(", "<tool_call>", "<tool>", "<think>", "</s>", "<|x|>",
        '{"a":', "{'name':", "```json\n{", "```python\nlist_all(", "Action: x\n", "Action: list_all(\n",
        "Action: x\nAction Input: ", "<list_all>", "<list_all ", '{"name":"f","args":{}}', "</think>", "<function=",
        '<tool_call>{"name":"f"}', "<tool_call></think>", '<tool_call>["",', '[{"a":1}', "Observation:\n",
    ],
)  # fmt: skip
def test_linear_time(unit: str) -> None:
    """A megabyte of any one repeated fragment is parsed quickly; quadratic time would take a hundred times as long."""
    text = unit * (1_000_000 // len(unit))
    assert units(lambda: parse_text(text, KNOWN)) < 100


@pytest.mark.parametrize("unit", ["1", "{[/]},", "{", "{#a:true]", '"a" ', "'{\"", "[", "\\", ","])
def test_repair_time(unit: str) -> None:
    """Broken JSON of the largest size that is repaired is parsed quickly, whatever it contains."""
    text = '<tool_call>{"name": "f", "arguments": {' + unit * (16_000 // len(unit))
    assert units(lambda: parse_text(text, KNOWN)) < 50


@pytest.mark.parametrize("body", ["a b \\},,```" * 40, ")'" * 200, "'-" * 200])
def test_all_repairs_of_a_message_have_one_budget(body: str) -> None:
    """Many small broken calls cost no more than one large one: beyond the budget the message is a failure."""
    call = '<tool_call>{"name":"f","arguments":{"a":"' + body + "}</tool_call>\n"
    text = call * (200_000 // len(call))
    assert units(lambda: parse_text(text, KNOWN)) < 50
    assert parse_text(text, KNOWN).calls == ()
