"""ReAct: `Action:` with `Action Input:`, `Action: name(...)`, `Action: {...}` and `Final Answer:`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from env_server.tools.parse.calls import EXPECTED, calls_from, make_call, objects, quoted
from env_server.tools.parse.formats import python
from env_server.tools.parse.formats.fenced import FENCE, block_at
from env_server.tools.parse.lenient_json import MAX_BROKEN, decode_at, skip_space
from env_server.tools.parse.lenient_json import read as read_value
from env_server.tools.parse.outcome import called, message
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall, Unreadable

_LINE = r"^[ \t>]*+\**+"
_COLON = r"(?: ?\d++)?\**+[ \t]*+:\**+[ \t]*+"
_STEP = re.compile(rf"{_LINE}(Action|Observation|Final Answer){_COLON}", re.MULTILINE)
_KEYWORD = re.compile(rf"{_LINE}(?:Thought|Action|Action[ _]Input|Observation|Final Answer){_COLON}", re.MULTILINE)
_INPUT = re.compile(rf"\s*+{_LINE}Action[ _]Input{_COLON}", re.MULTILINE)
_NAME = re.compile(r"[`\"'*]*+([A-Za-z_][\w.-]*+)[`\"'*]*+")
_NOTHING = frozenset({"", "none", "null", "n/a", "{}"})
_RESPOND = frozenset({"respond", "final_answer"})
_SAYING = ("content", "text", "message", "response", "answer")


@dataclass(frozen=True, slots=True)
class _Step:
    """The content of one `Action:`: calls, or text for the user (`said`). It ends at `end`."""

    end: int
    calls: tuple[ParsedCall, ...] = ()
    said: str | None = None
    repaired: bool = False


def mark(text: str, known: Collection[str]) -> int:  # noqa: ARG001 - every reader's signature
    """Return the start of the first `Action:` or `Final Answer:` line, or -1."""
    if "Action" not in text and "Final Answer" not in text:
        return -1
    step = next((step for step in _STEP.finditer(text) if step[1] != "Observation"), None)
    return step.start() if step else -1


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Return the actions of `text`. An observation or answer after an action is invented, so reading ends there.

    Without calls, the content is only the answer, because thoughts are not sent to the user. With calls, both are
    content.
    """
    steps: list[_Step] = []
    pieces: list[str] = []
    pos, prose, end = 0, 0, len(text)
    while prose < MAX_BROKEN and (header := _STEP.search(text, start)):
        if header[1] != "Action" and steps:
            end = header.start()
            break
        step = _read_step(text, header, known)
        if step is None:
            prose += 1
            start = header.end()
            continue
        steps.append(step)
        pieces.append(text[pos : header.start()])
        pos = start = step.end
    calls = [call for step in steps for call in step.calls]
    said = [step.said for step in steps if step.said is not None]
    if calls:
        return called(Format.REACT, [*pieces, *said, text[pos:end]], calls, any(step.repaired for step in steps))
    return message("\n".join(said), Format.REACT) if steps else None


def _read_step(text: str, header: re.Match[str], known: Collection[str]) -> _Step | None:
    """Return the step after a header; None if it is prose. Raise `Unreadable`."""
    if header[1] == "Final Answer":
        end = _limit(text, header.end())
        return _Step(end, said=text[header.end() : end].strip())
    if header[1] == "Observation":
        return None
    pos = skip_space(text, header.end())
    if text.startswith(("{", "[", FENCE), pos):
        return _read_object(text, pos, known)
    name = _NAME.match(text, pos)
    if name is None:
        return None
    given = _INPUT.match(text, name.end())
    if given is not None:
        return _read_input(text, name[1], given.end(), known)
    if text.startswith("(", name.end()):
        return _read_expression(text, name, known)
    return _read_name(text, name, known)


def _limit(text: str, pos: int) -> int:
    keyword = _KEYWORD.search(text, pos)
    return keyword.start() if keyword else len(text)


def _read_json(text: str, pos: int) -> tuple[Any, int, bool] | None:
    """Read the JSON value at `pos`, with or without a fence. Return None if there is other content."""
    fenced = text.startswith(FENCE, pos)
    start = skip_space(text, block_at(text, pos).body) if fenced else pos
    if not text.startswith(("{", "["), start):
        return None
    value, end, repaired = read_value(text, start, _limit(text, pos))
    after = skip_space(text, end)
    if fenced and text.startswith(FENCE, after):
        end = after + len(FENCE)
    return value, end, repaired


def _read_object(text: str, pos: int, known: Collection[str]) -> _Step | None:
    """Read `Action: {"name": ..., "arguments": ...}`. The keys may also be "action" and "action_input"."""
    found = _read_json(text, pos)
    if found is None:
        return None
    value, end, repaired = found
    items = objects(value)
    if not items:
        raise Unreadable(f"The action is not a call. {EXPECTED}")
    items = [_renamed(item) for item in items]
    if len(items) == 1 and _is_respond(items[0].get("name"), known):
        return _Step(end, said=_words(items[0].get("arguments")))
    calls, mended = calls_from(items)
    return _Step(end, tuple(calls), repaired=repaired or mended)


def _renamed(item: dict[str, Any]) -> dict[str, Any]:
    if "action" not in item or "name" in item:
        return item
    return {"name": item["action"], "arguments": item.get("action_input")}


def _is_respond(name: Any, known: Collection[str]) -> bool:
    return isinstance(name, str) and name in _RESPOND and name not in known


def _words(value: Any) -> str:
    """Return the text of a `respond` action. Raise `Unreadable` if it has none."""
    if isinstance(value, dict):
        value = next((value[key] for key in _SAYING if key in value), None)
    if not isinstance(value, str):
        raise Unreadable('The action "respond" has no text. Expected {"content": "..."}.')
    return value


def _read_input(text: str, name: str, pos: int, known: Collection[str]) -> _Step:
    start = skip_space(text, pos)
    found = _read_json(text, start)
    if found is not None:
        value, end, repaired = found
    else:
        end, repaired = _limit(text, pos), False
        value = text[pos:end].strip()
    if _is_respond(name, known):
        return _Step(end, said=_words(_unquoted(value)))
    if isinstance(value, str) and value.lower() in _NOTHING:
        value = None
    call, mended = make_call(name, value)
    return _Step(end, (call,), repaired=repaired or mended)


def _unquoted(value: Any) -> Any:
    """Return `value`, decoded if it is the JSON text of a string."""
    found = decode_at(value, 0) if isinstance(value, str) and value[:1] == '"' else None
    return found[0] if found is not None and found[1] == len(value) else value


def _read_expression(text: str, name: re.Match[str], known: Collection[str]) -> _Step | None:
    """Read `name(key="value")` or `name({...})`, up to the last closing parenthesis of this action."""
    end = text.rfind(")", name.end(), _limit(text, name.end())) + 1
    try:
        calls = python.calls_in(text[name.start(1) : end] if end else "(", {name[1]})
    except Unreadable:
        if name[1] in known:
            raise
        return None
    return _Step(end, tuple(calls)) if calls else None


def _read_name(text: str, name: re.Match[str], known: Collection[str]) -> _Step | None:
    """Read a name that is alone on its line. It calls a known tool without arguments."""
    line = text.find("\n", name.end())
    line = len(text) if line < 0 else line
    rest = text[name.end() : line].strip()
    if not rest and name[1] in known:
        return _Step(line, (make_call(name[1], None)[0],))
    if _INPUT.match(text, line):
        raise Unreadable(f"The action {quoted(name[1] + text[name.end() : line])} is not the name of a tool.")
    return None


READER = FormatReader(Format.REACT, order=50, hints=("Action", "Final Answer"), mark=mark, read=read)
