"""Between a model's message and a domain's functions: parse the action, validate its arguments, dispatch it."""

from env_server.tools.deadline import GUARD, cutting_off
from env_server.tools.dispatch import Fault, Outcome, ToolCrashed, ToolHung, Toolset, render
from env_server.tools.parse import Call, Format, Parsed, parse_calls, parse_text

__all__ = [
    "GUARD",
    "Call",
    "Fault",
    "Format",
    "Outcome",
    "Parsed",
    "ToolCrashed",
    "ToolHung",
    "Toolset",
    "cutting_off",
    "parse_calls",
    "parse_text",
    "render",
]
