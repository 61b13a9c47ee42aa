"""How every parse ends: a message to the user, calls, or a failure, with content that is fit to store."""

from __future__ import annotations

from collections.abc import Iterable

from env_server.tools.parse.jsonish import text_problem
from env_server.tools.parse.result import Call, Format, Parsed


def message(content: str, form: Format = Format.TEXT) -> Parsed:
    """A message to the user; blank content is the `EMPTY` outcome."""
    content = content.strip()
    return settle(Parsed(form, content)) if content else Parsed(Format.EMPTY, "")


def called(form: Format, pieces: Iterable[str], calls: Iterable[Call], repaired: bool) -> Parsed:
    """Calls, with the prose around them as content, one line break between its pieces."""
    prose = (piece.strip() for piece in pieces)
    return settle(Parsed(form, "\n".join(piece for piece in prose if piece), tuple(calls), repaired=repaired))


def failed(form: Format, content: str, reason: str) -> Parsed:
    """A failure whose content, kept for the record alone, has U+FFFD in place of what UTF-8 cannot hold."""
    clean = content.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Parsed(form, clean, failure=reason)


def settle(parsed: Parsed) -> Parsed:
    """`parsed`, or a failure where its content cannot be stored and sent as it is."""
    problem = text_problem(parsed.content)
    if problem is None:
        return parsed
    return failed(parsed.format, parsed.content, f"The message {problem}; write plain Unicode text.")
