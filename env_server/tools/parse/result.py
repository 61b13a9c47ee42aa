"""What parsing gives: plain frozen data, and the one exception the readers use among themselves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Format(StrEnum):
    """How a message was written; `TEXT` has no mark of a call, `EMPTY` has nothing at all."""

    OPENAI = "openai"
    JSON = "json"
    FENCED_JSON = "fenced_json"
    HERMES = "hermes"
    XML = "xml"
    PYTHON = "python"
    REACT = "react"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Call:
    """One call the model asked for: `arguments` is clean JSON, `name` may be of a tool that does not exist."""

    name: str
    arguments: dict[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """One message, read.

    With `failure` set there are no calls and `content` must not reach the user: it is kept for the record.
    Without calls and without failure, `content` is a message to the user. `repaired` says that some of the
    calls were not valid as written.
    """

    format: Format
    content: str
    calls: tuple[Call, ...] = ()
    failure: str | None = None
    repaired: bool = False


class Unreadable(Exception):
    """A text that is meant as a call and is not one; its message is written for the model."""
