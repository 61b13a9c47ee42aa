"""Calls as rows of training sets write them."""

import json
from typing import Any

import pytest

from env_server.tools import ParsedCall, parse_text
from env_server.tools.parse.calls import PLAN_KEYS

KNOWN = {"quote", "fmp__quote", "fmp.quote"}


@pytest.mark.parametrize("key", PLAN_KEYS)
@pytest.mark.parametrize(
    ("named", "name"),
    [
        ({"tool": "quote"}, "quote"),
        ({"tool": "fmp.quote"}, "fmp.quote"),
        ({"server": "fmp", "tool": "quote"}, "fmp__quote"),
        ({"server": None, "tool": "quote"}, "quote"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_tool_with_arguments_is_a_call(named: dict[str, Any], name: str, key: str, wrapped: bool) -> None:
    """A named tool with arguments is a call: with or without a server, with any key for arguments, bare or wrapped."""
    said = {**named, key: {"symbol": "A"}}
    parsed = parse_text(json.dumps({"tool_call": said} if wrapped else said), KNOWN)
    assert parsed.calls == (ParsedCall(name, {"symbol": "A"}),)


@pytest.mark.parametrize("text", ['{"tool": "quote"}', '{"tool": 3, "params": {}}', '{"final_answer": "x"}'])
def test_other_objects_are_text(text: str) -> None:
    """An object without arguments or without a name calls nothing."""
    assert parse_text(text, KNOWN).calls == ()
