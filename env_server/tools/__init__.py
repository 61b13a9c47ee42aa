"""Execution of a model's message: parse the action, validate its arguments, call the domain's functions."""

from env_server.tools.deadline import GUARD, cutting_off
from env_server.tools.dispatch import CallOutcome, Fault, ToolCrashed, ToolHung, Toolset, render
from env_server.tools.parse import Format, Parsed, ParsedCall, parse_calls, parse_text

__all__ = [
    "GUARD",
    "CallOutcome",
    "Fault",
    "Format",
    "Parsed",
    "ParsedCall",
    "ToolCrashed",
    "ToolHung",
    "Toolset",
    "cutting_off",
    "parse_calls",
    "parse_text",
    "render",
]
