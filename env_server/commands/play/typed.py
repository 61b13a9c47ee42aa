"""What a person types: words to the user, a call of a tool, or a command to this program."""

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
"""How alike two names are before the one is taken for a slip of the other."""


class TypingError(Exception):
    """What was typed looks like a call but is none; the message says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word to this program, `:name`."""

    name: str


def understand(line: str, tools: Mapping[str, Mapping[str, Any]]) -> Command | Action | None:
    """What `line` means; None for an empty one. `tools` maps names to the schemas of their parameters.

    A call is `name {"argument": value}`, `name argument=value ...` or a bare name. Whatever else begins with the exact
    name of a tool is a slip; any other line is said to the user.

    Raises:
        TypingError: if it looks like a call but is none.
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
    """How the tool `name` is called, such as `usage: find order_id=<string> [limit=<integer>]`."""
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
    """Whether `name` and what follows it are what only a call looks like, of whatever tool."""
    given = rest.lstrip()
    return "_" in name and (not given or rest[0] == "(" or given[0] == "{" or _PAIR.match(given) is not None)


def _hint(name: str, tools: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, tools, n=1, cutoff=LIKE)
    if close:
        return f"did you mean {close[0]}?"
    return ":tools lists them" if any(True for _ in tools) else "there are none on this side"


def _arguments(rest: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in `rest`."""
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
    """A typed value: as text where text is asked for, several values separated by commas, else JSON or text."""
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
    """What completes a word: a command after a colon, a tool at the beginning, an argument after its tool's name."""
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
