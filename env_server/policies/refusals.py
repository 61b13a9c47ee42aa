"""Classification of an endpoint's error: whether the conversation is too long, or the request is wrong otherwise."""

import re
from typing import Any

_STATUSES = (400, 413, 422)

_CODES = ("context_length_exceeded", "exceed_context_size_error")
"""The error codes of OpenAI and compatible servers, and of llama.cpp."""

_SAID = re.compile(
    r"maximum (?:context|model|prompt) length"  # OpenAI, vLLM, Mistral
    r"|(?:exceed|longer than|larger than).{0,40}\bcontext[ _](?:length|window|size|limit)"  # SGLang, llama.cpp
    r"|\b(?:prompt|conversation) is too long"  # Anthropic
    r"|\binput token count\b.{0,40}\bexceeds"  # Gemini
    r"|`inputs`(?: tokens)? (?:\+|must have less than)",  # TGI
    re.I,
)
"""The messages with which endpoints report a conversation that is too long, if they give no code for it."""

_PARTS = re.compile(r"(?:tools|functions|max_)")
"""Parameters that the operator sets. Their length is not the conversation's."""

_OTHERWISE = re.compile(r"\W*(?:invalid\b|max_\w+)", re.I)
"""The beginnings of messages about one part of the request."""


def is_too_long(refusal: object) -> bool:
    """Return whether an endpoint's error says that the conversation exceeds the model's context.

    Other errors do not count: a name or a description that is too long, or a limit that is set too high, says nothing
    about the agent.
    """
    error: Any = refusal
    if getattr(error, "status_code", None) not in _STATUSES:
        return False
    if isinstance(error.param, str) and _PARTS.match(error.param):
        return False
    if error.code in _CODES or error.type in _CODES:
        return True
    words = _words(error)
    return _OTHERWISE.match(words) is None and _SAID.search(words) is not None


def _words(error: Any) -> str:
    """Return the endpoint's own message, without the client's prefix."""
    said = error.body.get("message") if isinstance(error.body, dict) else error.body
    return said if isinstance(said, str) else ""
