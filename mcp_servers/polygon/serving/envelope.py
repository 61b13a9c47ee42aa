"""Common parts of Polygon's responses: request ids, errors, times and pages."""

import base64
import binascii
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from hashlib import blake2s
from typing import Any
from urllib.parse import parse_qsl, urlencode

from mcp_servers.kit.stand_in import Answer, Ask, Refusal
from mcp_servers.world import calendar, read

Json = dict[str, Any]

_OPERATORS = ("lt", "lte", "gt", "gte", "any_of")


def request_id(ask: Ask) -> str:
    """Return a request id. The same request at the same time has the same id."""
    asked = f"{ask.url_path}?{ask.query_string}@{ask.scope.now.timestamp()}"
    return blake2s(asked.encode(), digest_size=16).hexdigest()


def ok(ask: Ask, body: Json) -> Answer:
    """Return a successful answer."""
    return Answer({**body, "status": "OK", "request_id": request_id(ask)})


def wrong(ask: Ask, text: str) -> Refusal:
    """Return the error for a request with a wrong parameter."""
    return Refusal(Answer({"status": "ERROR", "request_id": request_id(ask), "error": text}, 400))


def missing(ask: Ask, text: str = "Data not found.") -> Refusal:
    """Return the error for an item that does not exist."""
    return Refusal(Answer({"status": "NOT_FOUND", "request_id": request_id(ask), "message": text}, 404))


def flag(ask: Ask, name: str, default: bool) -> bool:
    """Return a boolean parameter. Raise Refusal if it is neither true nor false."""
    given = ask.query.get(name)
    if given is None:
        return default
    if given.lower() not in ("true", "false"):
        raise wrong(ask, f"'{name}' must be true or false")
    return given.lower() == "true"


def whole(ask: Ask, name: str, text: str | None, default: int, highest: int) -> int:
    """Return a whole number from 1 to `highest`. Raise Refusal for anything else."""
    if text is None or not text:
        return default
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= highest:
        raise wrong(ask, f"'{name}' must be a whole number from 1 to {highest}")
    return int(text)


def day_of(ask: Ask, name: str, text: str, ticker: str = "") -> str:
    """Return the date of a parameter that holds a date or milliseconds since 1970.

    Milliseconds become a date in New York, or in UTC for crypto.
    """
    try:
        if text.isascii() and text.isdigit() and len(text) > 8:
            moment = datetime.fromtimestamp(int(text[:16]) / 1000, UTC)
            return (moment if read.is_pair(ticker) else calendar.local(moment)).date().isoformat()
        return date.fromisoformat(text).isoformat()
    except (ValueError, OverflowError, OSError):
        raise wrong(
            ask, f"Could not parse the time parameter: '{name}'. Use YYYY-MM-DD or Unix MS Timestamp."
        ) from None


@lru_cache(maxsize=8192)
def midnight_ms(day: str, utc: bool) -> int:
    """Return the start of a day, in New York or in UTC, in milliseconds since 1970."""
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC) if utc else calendar.new_york(day, time(0))
    return int(moment.timestamp() * 1000)


def ms(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970."""
    return int(moment.timestamp() * 1000)


def after(day: str, days: int) -> str:
    """Return the date `days` days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def opened(ask: Ask) -> tuple[dict[str, str], int]:
    """Return the query of a list and the number of rows to skip. A cursor replaces both."""
    cursor = ask.query.get("cursor")
    if cursor is None:
        return ask.query, 0
    try:
        inside = dict(parse_qsl(base64.urlsafe_b64decode(cursor.encode()).decode()))
        return inside, int(inside.pop("skip"))
    except (binascii.Error, ValueError, KeyError):
        raise wrong(ask, "'cursor' is not one of this service") from None


def next_url(ask: Ask, query: dict[str, str], skip: int) -> str:
    """Return the URL of the next page. It holds no key."""
    kept = {name: value for name, value in query.items() if name.lower() != "apikey"}
    cursor = base64.urlsafe_b64encode(urlencode({**kept, "skip": skip}).encode()).decode()
    return f"{ask.base}{ask.url_path}?{urlencode({'cursor': cursor})}"


def paged(
    ask: Ask, rows: Iterable[Json], *, filters: Sequence[str], sort: str, order: str, limit: int = 10, top: int = 1000
) -> Answer:
    """Filter and sort a list, and return one page of it.

    Args:
        ask: The request.
        rows: All rows.
        filters: The fields that can be filtered: equal, `.lt`, `.lte`, `.gt`, `.gte`, `.any_of`.
        sort: The default sort field.
        order: The default order: `asc` or `desc`.
        limit: The default number of rows in a page.
        top: The highest limit that a request may set.
    """
    query, skip = opened(ask)
    found = [row for row in rows if all(_passes(row, field, query) for field in filters)]
    by, direction = query.get("sort") or sort, query.get("order") or order
    if direction not in ("asc", "desc"):
        raise wrong(ask, "'order' must be asc or desc")
    if found and by not in found[0]:
        raise wrong(ask, f"'sort' cannot be {by}")
    found.sort(key=lambda row: (row.get(by) is not None, row.get(by)), reverse=direction == "desc")
    size = whole(ask, "limit", query.get("limit"), limit, top)
    body: Json = {"results": found[skip : skip + size], "count": len(found[skip : skip + size])}
    if skip + size < len(found):
        body["next_url"] = next_url(ask, query, skip + size)
    return ok(ask, body)


def _passes(row: Json, field: str, query: dict[str, str]) -> bool:
    value = row.get(field)
    wanted = query.get(field)
    if wanted and not _equal(value, wanted):
        return False
    for operator in _OPERATORS:
        bound = query.get(f"{field}.{operator}")
        if bound and not _within(value, operator, bound):
            return False
    return True


def _equal(value: object, wanted: str) -> bool:
    if isinstance(value, list):
        return wanted in value
    if isinstance(value, bool):
        return str(value).lower() == wanted.lower()
    if isinstance(value, int | float):
        return _number(wanted) == value
    # A date matches all times of that day.
    return str(value) == wanted or (len(wanted) == 10 and str(value).startswith(f"{wanted}T"))


def _within(value: object, operator: str, bound: str) -> bool:
    if operator == "any_of":
        return str(value) in bound.split(",")
    mine: Any = value if isinstance(value, int | float) else str(value)
    other: Any = _number(bound) if isinstance(value, int | float) else bound
    match operator:
        case "lt":
            return bool(mine < other)
        case "lte":
            return bool(mine <= other)
        case "gt":
            return bool(mine > other)
        case _:
            return bool(mine >= other)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
