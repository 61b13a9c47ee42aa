"""The possible results of a parse: a message to the user, calls, or a failure. The content can always be stored."""

from __future__ import annotations

from collections.abc import Iterable

from env_server.tools.parse.lenient_json import text_problem
from env_server.tools.parse.result import Format, Parsed, ParsedCall


def message(content: str, form: str = Format.TEXT) -> Parsed:
    """Return a message to the user. Blank content gives the format `EMPTY`."""
    content = content.strip()
    return settle(Parsed(form, content)) if content else Parsed(Format.EMPTY, "")


def called(form: str, pieces: Iterable[str], calls: Iterable[ParsedCall], repaired: bool) -> Parsed:
    """Return calls. The prose around them becomes content, with one line break between the pieces."""
    prose = [piece.strip() for piece in pieces]
    return settle(Parsed(form, "\n".join([piece for piece in prose if piece]), tuple(calls), repaired=repaired))


def failed(form: str, content: str, reason: str) -> Parsed:
    """Return a failure. Its content is only for the record; U+FFFD replaces characters that UTF-8 cannot encode."""
    clean = content.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Parsed(form, clean, failure=reason)


def settle(parsed: Parsed) -> Parsed:
    """Return `parsed`, or a failure if its content cannot be stored and sent unchanged."""
    problem = text_problem(parsed.content)
    if problem is None:
        return parsed
    return failed(parsed.format, parsed.content, f"The message {problem}; write plain Unicode text.")
