"""Parser of structured actions: OpenAI's `tool_calls` as the trainer's client sends them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from env_server.tools.parse.lenient_json import OneMessage
from env_server.tools.parse.result import Parsed
from env_server.tools.parse.structured import read_calls
from env_server.tools.parse.text import parse_text


def parse_calls(content: str | None, tool_calls: Sequence[Mapping[str, Any]], known: Collection[str] = ()) -> Parsed:
    """Parse `{content?, tool_calls: [{id?, name, arguments}]}`. Never raise.

    Arguments may be an object or JSON text. OpenAI's nesting under "function" is accepted. Without tool calls, the
    content is parsed as raw text, with `known` as in `parse_text`.
    """
    if tool_calls:
        with OneMessage():
            return read_calls(content or "", tool_calls)
    return parse_text(content or "", known)
