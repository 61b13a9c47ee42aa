"""A stand-in for Polygon's REST API. It answers from the offline world.

Its paths, envelopes, errors, limits and cursors are those of the vendor.

Any key is accepted, except these:
* no key, or `bad-key`: 401;
* `free-key`, for snapshots and trades, which the free plan lacks: 403;
* `busy-key`: 429, with Retry-After.
Tickers of options, indices and currencies (`O:`, `I:`, `C:`) are 403 for every key: no plan here has them.
"""

from mcp_servers.kit.stand_in import Answer, Ask, Home, StandIn
from mcp_servers.polygon.serving import aggregates, indicators, reference, snapshots
from mcp_servers.polygon.serving.envelope import Json, request_id

UPGRADE = "You are not entitled to this data. Please upgrade your plan."
ABSENT = ("O:", "I:", "C:")


def stand_in(home: Home) -> StandIn:
    """Make the stand-in."""
    app = StandIn("polygon", home, admit, lost)
    for part in (aggregates, indicators, reference, snapshots):
        part.add(app)
    return app


def admit(ask: Ask) -> Answer | None:
    """Check the key: a bearer token, or `apiKey` in the query. Return None to admit the request."""
    key = ask.bearer or ask.query.get("apiKey")
    if key is None:
        return _refused(ask, 401, {"status": "ERROR", "error": "API Key was not provided"})
    if key == "bad-key":
        return _refused(ask, 401, {"status": "ERROR", "error": "Unknown API Key"})
    if key == "busy-key":
        said = "You've exceeded the maximum requests per minute. Please wait or upgrade your plan."
        return Answer({"status": "ERROR", "request_id": request_id(ask), "error": said}, 429, {"Retry-After": "1"})
    paid = ask.url_path.startswith(("/v2/snapshot/", "/v2/last/", "/v1/last/"))
    if (key == "free-key" and paid) or ask.path.get("ticker", "").startswith(ABSENT):
        return _refused(ask, 403, {"status": "NOT_AUTHORIZED", "message": UPGRADE})
    return None


def lost(ask: Ask) -> Answer:
    """Answer a request for a path that does not exist."""
    return Answer({"status": "ERROR", "request_id": request_id(ask), "error": "404 page not found"}, 404)


def _refused(ask: Ask, status: int, body: Json) -> Answer:
    return Answer({**body, "request_id": request_id(ask)}, status)
