"""Request bodies. A body of clean JSON is parsed and validated to a wire model in one pass."""

import asyncio
import json
import re
from typing import Any, TypeVar

from fastapi import Request
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.types import Receive

from agent_env_schemas import ErrorCode, Wire
from env_server.api.problems import from_validation
from env_server.errors import ProblemError

M = TypeVar("M", bound=Wire)

_SURROGATE = re.compile("[\ud800-\udfff]")
_SUSPECT = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""Matches each escape of a JSON text. A whole surrogate pair is one match; the group matches half of a pair."""

DEEPEST = 100

LONG = 16_384
"""Size in bytes above which a body is mended in a thread."""


async def read(request: Request, model: type[M]) -> M:
    """Return the body of `request` as a `model`.

    An agent's text may hold half of a surrogate pair, which strict JSON parsers refuse. The language model made this
    mistake, not the HTTP client. So the half is replaced by U+FFFD, and the text goes on to the action parser.

    Raises:
        ProblemError: `invalid_request` if the body is not whole or no JSON, is nested too deep, or does not fit the
            model.
    """
    raw = await gathered(request.receive)
    if raw is None:
        raise ProblemError(ErrorCode.INVALID_REQUEST, "the connection closed before the body ended")
    try:
        return model.model_validate_json(raw or b"{}")
    except ValidationError as e:
        if e.error_count() > 1 or e.errors(include_url=False)[0]["type"] != "json_invalid":
            raise from_validation(e) from e
        first = e
    try:
        return model.model_validate(await asyncio.to_thread(_tolerant, raw))
    except ValidationError as e:
        raise from_validation(e) from e
    except (ValueError, RecursionError) as e:
        raise from_validation(first) from e


async def loosely(raw: bytes) -> Any:
    """Return the parsed JSON of `raw`, with the same tolerance as `read`.

    Raises:
        ValueError: if it is not JSON.
        ProblemError: `invalid_request` if it is nested too deep.
    """
    try:
        return from_json(raw)
    except ValueError:
        return await asyncio.to_thread(_tolerant, raw)


def checked(item: object, model: type[M]) -> M:
    """Return one item of a batch as a `model`.

    Raises:
        ProblemError: `invalid_request` if it does not fit.
    """
    try:
        return model.model_validate(item)
    except ValidationError as e:
        raise from_validation(e) from e


def _tolerant(raw: bytes) -> Any:
    """Parse `raw` and replace half surrogate pairs. This is slow, so it must not run on the event loop."""
    return cleaned(json.loads(raw.decode("utf-8")))


async def gathered(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if the client disconnects before its end.

    A body that arrives in one piece, as small ones do, is not copied.
    """
    chunks: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunks.append(message.get("body", b""))
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def mended(raw: bytes) -> bytes:
    """Return the JSON text `raw` with half surrogate pairs replaced, for parsers that refuse them."""
    if _SUSPECT.search(raw) is None:
        return raw
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], raw)


async def mended_aside(raw: bytes) -> bytes:
    """Return `mended(raw)`. A long body is mended in a thread, off the event loop."""
    return mended(raw) if len(raw) <= LONG else await asyncio.to_thread(mended, raw)


def cleaned(value: Any, depth: int = 0) -> Any:
    """Return `value` with half surrogate pairs replaced.

    Raises:
        ProblemError: `invalid_request` if it is nested too deep.
    """
    if depth > DEEPEST:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"the body is nested more than {DEEPEST} levels deep")
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [cleaned(v, depth + 1) for v in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", k): cleaned(v, depth + 1) for k, v in value.items()}
    return value
