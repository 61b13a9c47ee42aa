"""What an endpoint means that refuses a question: is it the conversation's length, or how the question was made?"""

import re
from typing import Any

_STATUSES = (400, 413, 422)

_CODES = ("context_length_exceeded", "exceed_context_size_error")
"""OpenAI's and its imitators', and llama.cpp's."""

_SAID = re.compile(
    r"maximum (?:context|model|prompt) length"  # OpenAI, vLLM, Mistral
    r"|(?:exceed|longer than|larger than).{0,40}\bcontext[ _](?:length|window|size|limit)"  # SGLang, llama.cpp
    r"|\b(?:prompt|conversation) is too long"  # Anthropic
    r"|\binput token count\b.{0,40}\bexceeds"  # Gemini
    r"|`inputs`(?: tokens)? (?:\+|must have less than)",  # TGI
    re.I,
)
"""How endpoints without such a code say it."""

_PARTS = re.compile(r"(?:tools|functions|max_)")
"""Parameters that are the operator's affair, however long they are."""

_OTHERWISE = re.compile(r"\W*(?:invalid\b|max_\w+)", re.I)
"""How those begin that speak of one part of the question."""


def is_too_long(refusal: object) -> bool:
    """Whether an endpoint that answered with an error says that the conversation is longer than its model can read.

    Nothing else is taken for it: a name or a description that is too long, or a limit that is set too high, says
    nothing about who plays.
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
    """What the endpoint wrote, without what the client puts before it."""
    said = error.body.get("message") if isinstance(error.body, dict) else error.body
    return said if isinstance(said, str) else ""
