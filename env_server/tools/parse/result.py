"""The result types of the parser: plain frozen data, and the exception that its readers use internally."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple


class Format(StrEnum):
    """The formats of a message that are in use here. `TEXT` contains no mark of a call; `EMPTY` is blank.

    A module of `formats/` may add a name of its own.
    """

    OPENAI = "openai"
    JSON = "json"
    FENCED_JSON = "fenced_json"
    HERMES = "hermes"
    XML = "xml"
    PYTHON = "python"
    REACT = "react"
    TEXT = "text"
    EMPTY = "empty"


class ParsedCall(NamedTuple):
    """One call from the model. `arguments` is valid JSON; `name` may be of a tool that does not exist."""

    name: str
    arguments: dict[str, Any]
    id: str | None = None


class Parsed(NamedTuple):
    """One parsed message.

    With `failure`, there are no calls, and `content` must not be sent to the user; it is kept for the record. Without
    calls and without failure, `content` is a message to the user. `repaired` means that some of the calls were not
    valid as written.
    """

    format: str
    content: str
    calls: tuple[ParsedCall, ...] = ()
    failure: str | None = None
    repaired: bool = False


class Unreadable(Exception):
    """A text that is meant as a call but cannot be parsed. The message is for the model."""
