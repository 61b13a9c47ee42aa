"""An assistant message as data: OpenAI's `{"role", "content", "tool_calls"}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from env_server.tools.parse.calls import calls_from
from env_server.tools.parse.clean import strip_frame, strip_thoughts
from env_server.tools.parse.outcome import called, failed, message
from env_server.tools.parse.result import Format, Parsed, Unreadable

_FORM = Format.OPENAI


def read_calls(content: str, tool_calls: Sequence[Any]) -> Parsed:
    """Parse at least one structured call with its `content`. Never raise."""
    prose = strip_thoughts(strip_frame(content)) if content else ""
    try:
        calls, repaired = calls_from(list(tool_calls))
    except Unreadable as error:
        return failed(_FORM, prose, str(error))
    return called(_FORM, [prose], calls, repaired)


def is_message(value: Any) -> bool:
    """Return whether decoded JSON is a complete assistant message, with or without calls."""
    if not isinstance(value, Mapping):
        return False
    return isinstance(value.get("tool_calls"), list | Mapping) or (
        value.get("role") == "assistant" and isinstance(value.get("content"), str)
    )


def read_message(value: Mapping[str, Any]) -> Parsed:
    """Parse an assistant message for which `is_message` is true. Never raise."""
    content, tool_calls = value.get("content"), value.get("tool_calls")
    text = content if isinstance(content, str) else ""
    if isinstance(tool_calls, Mapping):
        tool_calls = [tool_calls]
    if tool_calls:
        return read_calls(text, tool_calls)
    return message(strip_thoughts(strip_frame(text)), _FORM)
