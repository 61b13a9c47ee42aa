"""The code that an episode ran, as a notebook: what went in, what came out, and which files were written."""

import re
from base64 import b64encode
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_server.page.views.texts import Cut, ShownText, pretty
from env_server.tools import parse_calls, parse_text

_FILES = re.compile(r"^Files written: (.+)$", re.MULTILINE)
"""The line of a result of the sandbox that names files."""

LONGEST_FILE = 40_000
"""The number of bytes of a file that a page shows. A longer picture is not shown."""

MOST_FILES = 100

_PICTURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}
"""First bytes of a file that is shown as a picture -> the name of its format."""


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """One call: its code, its other arguments, its output, and the files that it wrote."""

    turn: int
    tool: str
    code: ShownText | None
    arguments: ShownText | None
    output: ShownText | None
    error: str | None
    files: tuple[str, ...]


def cells(turns: Sequence[Mapping[str, Any]], tools: frozenset[str], cut: Cut) -> list[NotebookCell]:
    """Return the calls of `tools` in the order in which they were made."""
    return [
        _cell(turn["turn"], call, given, heard, cut)
        for turn in turns
        for part in turn["parts"]
        if part["part"] == "agent"
        for call, given, heard in _calls(part)
        if call["name"] in tools
    ]


def _calls(part: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Mapping[str, Any], str | None]]:
    action, made, heard = part["action"], part["info"].get("calls") or [], part["observation"]
    if isinstance(action, str):
        parsed = parse_text(action, ())
    else:
        parsed = parse_calls(action.get("content"), action.get("tool_calls") or ())
    given = [call.arguments for call in parsed.calls]
    return [
        (call, given[i] if i < len(given) else {}, heard[i]["content"] if i < len(heard) else None)
        for i, call in enumerate(made)
    ]


def _cell(turn: int, call: Mapping[str, Any], given: Mapping[str, Any], heard: str | None, cut: Cut) -> NotebookCell:
    codes = [value for name, value in given.items() if name.endswith("code") and isinstance(value, str)]
    rest = {name: value for name, value in given.items() if value not in codes}
    files = tuple(name for line in _FILES.findall(heard or "") for name in line.split(", "))[:40]
    return NotebookCell(
        turn,
        call["name"],
        cut.words("\n\n".join(codes)) if codes else None,
        cut.words(pretty(rest)) if rest else None,
        None if heard is None else cut.words(heard),
        call.get("error"),
        files,
    )


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file of the sandbox with its size in bytes.

    `picture` is an address that holds the whole picture. A file without `text` and `picture` cannot be shown.
    """

    name: str
    size: int
    text: ShownText | None
    picture: str | None


def shown_files(found: Mapping[str, tuple[int, bytes]], cut: Cut) -> list[ShownFile]:
    """Return the first files by name. Text and pictures share the room of `cut`."""
    return [_file(name, size, start, cut) for name, (size, start) in sorted(found.items())[:MOST_FILES]]


def _file(name: str, size: int, start: bytes, cut: Cut) -> ShownFile:
    kind = next((kind for begin, kind in _PICTURES.items() if start.startswith(begin)), None)
    if kind is not None:
        address = f"data:image/{kind};base64,{b64encode(start).decode()}"
        fits = len(start) == size and len(address) <= cut.left
        cut.left -= len(address) if fits else 0
        return ShownFile(name, size, None, address if fits else None)
    try:
        text = getincrementaldecoder("utf-8")().decode(start, final=len(start) == size)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return ShownFile(name, size, None, None)
    shown = cut.words(text)
    return ShownFile(name, size, ShownText(shown.text, size - len(shown.text.encode())), None)
