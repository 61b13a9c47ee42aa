"""Parses a typed line: words for the other side, a tool call, or a command to this program."""

import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import Action, ToolCall

_NAME = re.compile(r"([A-Za-z_]\w*)")
_PAIR = re.compile(r"""\s*([A-Za-z_]\w*)=("(?:\\.|[^"\\])*"|\[.*?\]|\{.*?\}|\S+)(?:\s+|$)""")
LIKE = 0.75
"""Minimum similarity of two names at which one is suggested in place of the other."""


class TypingError(Exception):
    """The input looks like a call but is not valid. The message says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to this program, typed as `:name`."""

    name: str


def understand(line: str, tools: Mapping[str, Mapping[str, Any]]) -> Command | Action | None:
    """Return the meaning of `line`, or None if it is empty. `tools` maps names to the schemas of their parameters.

    A call is `name {"argument": value}`, `name argument=value ...` or a bare name. Any other line that begins with the
    exact name of a tool is an error. All other lines are words for the other side.

    Raises:
        TypingError: if the line looks like a call but is not valid.
    """
    line = line.strip()
    if not line:
        return None
    if line.startswith(":"):
        return Command(line[1:].strip().lower())
    found = _NAME.match(line)
    if found is None:
        return Action(content=line)
    name, rest = found[1], line[found.end(1) :]
    if name in tools:
        try:
            return _call(name, _arguments(rest.lstrip(), tools[name]))
        except TypingError as e:
            raise TypingError(f"{e}\n{usage(name, tools[name])}") from e
    if _looks_like_call(name, rest):
        raise TypingError(f"there is no tool {name!r}; {_hint(name, tools)}")
    return Action(content=line)


def usage(name: str, parameters: Mapping[str, Any]) -> str:
    """Return the usage of the tool `name`, such as `usage: find order_id=<string> [limit=<integer>]`."""
    required = parameters.get("required", ())
    pairs = [(f"{n}={_placeholder(schema)}", n) for n, schema in parameters.get("properties", {}).items()]
    return " ".join(["usage:", name, *(pair if n in required else f"[{pair}]" for pair, n in pairs)])


def _placeholder(schema: Mapping[str, Any]) -> str:
    if schema.get("type") == "array":
        one = _placeholder(schema.get("items", {}))
        return f"{one},{one}"
    return f"<{schema.get('type', 'value')}>"


def _call(name: str, arguments: dict[str, Any]) -> Action:
    return Action(tool_calls=[ToolCall(name=name, arguments=arguments)])


def _looks_like_call(name: str, rest: str) -> bool:
    """Return whether `name` and the rest of the line have the form of a call, whether or not such a tool exists."""
    given = rest.lstrip()
    return "_" in name and (not given or rest[0] == "(" or given[0] == "{" or _PAIR.match(given) is not None)


def _hint(name: str, tools: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, tools, n=1, cutoff=LIKE)
    if close:
        return f"did you mean {close[0]}?"
    return ":tools lists them" if any(True for _ in tools) else "there are none on this side"


def _arguments(rest: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in `rest`."""
    if rest.startswith("{"):
        try:
            given = json.loads(rest)
        except ValueError as e:
            raise TypingError(f"the arguments are no JSON object: {e}") from e
        return dict(given)
    properties = parameters.get("properties", {})
    found: dict[str, Any] = {}
    at = 0
    while at < len(rest):
        pair = _PAIR.match(rest, at)
        if pair is None:
            spaces = "; put text with spaces in double quotes" if found else ""
            raise TypingError(f"expected argument=value, not {rest[at:]!r}{spaces}")
        found[pair[1]] = _value(pair[2], properties.get(pair[1], {}))
        at = pair.end()
    return found


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    """Return a typed value. The schema decides: text, several values separated by commas, or JSON (else text)."""
    kinds = {schema.get("type"), *(option.get("type") for option in schema.get("anyOf", ()))}
    if text.startswith('"') or (text[0] in "[{" and "string" not in kinds):
        return _json(text)
    if "array" in kinds:
        return [_value(part, schema.get("items", {})) for part in text.split(",")]
    return text if "string" in kinds else _json(text)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def completions(tools: Mapping[str, Mapping[str, Any]], commands: Iterable[str]) -> Callable[[str, str], list[str]]:
    """Return a function that completes a word.

    It offers commands after a colon, tools at the beginning, and argument names after a tool's name.
    """
    offered = sorted(commands)

    def complete(before: str, word: str) -> list[str]:
        line = before.lstrip()
        if line == ":":
            known = offered
        elif not line:
            known = [f"{name} " for name in sorted(tools)]
        else:
            known = [f"{name}=" for name in tools.get(line.split(maxsplit=1)[0], {}).get("properties", ())]
        return [name for name in known if name.startswith(word)]

    return complete
