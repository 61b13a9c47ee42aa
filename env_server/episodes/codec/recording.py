"""Stored recordings: reads their results and listings, and checks recordings from a file before they are stored."""

import hashlib
import math
import re
from dataclasses import fields
from typing import Final

import orjson
from pydantic import TypeAdapter, ValidationError

from env_server.providers.live.stored_listing import load_listings
from env_server.providers.spec import ServerListing, ServerResult
from env_server.records import LISTING, RecordingRow
from env_server.state import canonical

MOST_SEQ: Final = 2**53
LATEST: Final = 253_402_300_799.0
"""The last second of the year 9999."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_result: TypeAdapter[ServerResult] = TypeAdapter(ServerResult)
_listing: TypeAdapter[ServerListing] = TypeAdapter(ServerListing)


def result_in(row: RecordingRow) -> ServerResult:
    """Return the recorded result of a call.

    Raises:
        ValueError: if the recording is broken.
    """
    try:
        found = _result.validate_json(row.result, strict=True)
        unknown = orjson.loads(row.result).keys() - {field.name for field in fields(ServerResult)}
        if unknown:
            raise ValueError(f"result: {min(unknown)}: there is no such field")
        return found
    except ValidationError as e:
        raise ValueError(f"result: {_first(e)}") from None


def listing_in(row: RecordingRow) -> tuple[ServerListing, ...]:
    """Return the tools that a server listed when its calls were recorded.

    Raises:
        ValueError: if the recording is broken.
    """
    # slow to import, and few servers have recordings; it ships no types
    from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped] # noqa: PLC0415

    try:
        tools = tuple(tool for _, tool in load_listings(row.result))
        for tool in tools:
            _listing.validate_json(orjson.dumps(tool), strict=True)
            Draft202012Validator.check_schema(tool.arguments)
    except ValidationError as e:
        raise ValueError(f"listing: {_first(e)}") from None
    except SchemaError as e:
        raise ValueError(f"listing: the schema of a tool's arguments is wrong: {e.message[:80]}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as e:
        raise ValueError(f"listing: {type(e).__name__}: {e}") from None
    wrong = [tool for tool in tools if tool.server != row.server or not _NAME.fullmatch(tool.name)]
    if wrong:
        raise ValueError(f"listing: {wrong[0].server!r} has no tool {wrong[0].name!r}")
    return tools


def check_recording(row: RecordingRow) -> None:
    """Check that a recording from a file is one that a server of this version could have made.

    Raises:
        ValueError: with the field that is wrong.
    """
    for name, text in row._asdict().items():
        if isinstance(text, str) and not _storable(text):
            raise ValueError(f"{name}: has NUL or half a surrogate pair, which cannot be stored")
    for name, value, most in (("seq", row.seq, MOST_SEQ), ("at", row.at, LATEST), ("latency_s", row.latency_s, LATEST)):
        if not math.isfinite(value) or not 0 <= value <= most:
            raise ValueError(f"{name}: is not between 0 and {most}")
    for name, text in (("tag", row.tag), ("server", row.server), ("tool_version", row.tool_version)):
        if not 0 < len(text) <= 200:
            raise ValueError(f"{name}: has to have 1 to 200 characters")
    if row.tool == LISTING:
        listing_in(row)
        if (row.arguments, row.after, row.seq) != (_sha(row.result), "", 0):
            raise ValueError("arguments: is not the digest of the listing")
        return
    if not _NAME.fullmatch(row.tool):
        raise ValueError("tool: is no name of a tool")
    if row.arguments != _given_digest(row.given):
        raise ValueError("arguments: is not the digest of `given`")
    if not _DIGEST.fullmatch(row.after):
        raise ValueError("after: is no digest")
    if result_in(row).is_error is not row.is_error:
        raise ValueError("is_error: does not agree with the result")


def _given_digest(given: str) -> str:
    try:
        arguments = orjson.loads(given)
        if isinstance(arguments, dict):
            return _sha(canonical(arguments))
    except (TypeError, ValueError, RecursionError) as e:
        raise ValueError(f"given: {e}") from None
    raise ValueError("given: is no JSON object")


def _storable(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
