"""The formats of `tool_prompt`."""

import json
from typing import get_args

from agent_env_schemas import TOOL_PROMPTS, ToolPrompt, WrittenFormat
from env_server.tools import ParsedCall, parse_text

CALL = {"name": "get_order", "arguments": {"id": "W1"}}


def test_each_name_has_its_format() -> None:
    """The type and the table name the same formats, and `none` is the one without text."""
    assert get_args(WrittenFormat) == tuple(TOOL_PROMPTS)
    assert get_args(ToolPrompt) == ("none", *TOOL_PROMPTS)


def test_the_server_reads_what_it_asks_for() -> None:
    """A call written in each format is read back as the call."""
    for found in TOOL_PROMPTS.values():
        text = found.call.format(json.dumps(CALL))
        assert parse_text(text, {"get_order"}).calls == (ParsedCall("get_order", {"id": "W1"}),)
