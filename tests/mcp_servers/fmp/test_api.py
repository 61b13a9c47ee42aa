"""The client against answers that go wrong, and where its key goes."""

import json
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import SecretStr

from mcp_servers.fmp import Settings, tools
from mcp_servers.fmp.api import Fmp, explain
from mcp_servers.fmp.stand_in import BAD_KEY, BUSY_KEY, FREE_KEY, stand_in
from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.upstream.http import in_process
from mcp_servers.kit.upstream.wire import Reply, Request
from mcp_servers.world import NOW
from mcp_servers.world.store import Scope
from tests.mcp_servers.fmp.asking import store

KEY = "fmp-secret-0123456789"
JSON = {"content-type": "application/json; charset=utf-8"}


class Canned:
    """A wire that gives the same answer to every request, and keeps the requests."""

    def __init__(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.reply = Reply(status, JSON | (headers or {}), content)
        self.requests: list[Request] = []

    async def send(self, request: Request) -> Reply:
        self.requests.append(request)
        return self.reply

    async def aclose(self) -> None:
        """There is nothing to close."""


def fmp(wire: Any, attempts: int = 1) -> Fmp:
    """A client with a key."""
    return Fmp(Settings(api_key=SecretStr(KEY), attempts=attempts), wire)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, b"Query Error: Invalid or missing query parameter - symbol", ErrorKind.BAD_REQUEST),
        (401, {"Error Message": "Invalid API KEY. Feel free to create a Free API Key"}, ErrorKind.UNAUTHORIZED),
        (402, b"Premium Query Parameter: This value set for 'symbol' is not available", ErrorKind.PLAN),
        (402, {"Error Message": "Restricted Endpoint"}, ErrorKind.PLAN),
        (403, {"Error Message": "Legacy Endpoint : no longer supported"}, ErrorKind.PLAN),
        (404, [], ErrorKind.NOT_FOUND),
        (429, {"Error Message": "Limit Reach . Please upgrade your plan"}, ErrorKind.RATE_LIMITED),
        (200, {"Error Message": "Limit Reach . Please upgrade your plan"}, ErrorKind.RATE_LIMITED),
        (200, {"Error Message": "Invalid API KEY."}, ErrorKind.UNAUTHORIZED),
        (200, {"Error Message": "Exclusive Endpoint : not available under your current subscription"}, ErrorKind.PLAN),
        (200, {"Error Message": "No Data for this symbol or invalid API call"}, ErrorKind.BAD_REQUEST),
        (500, {"Error Message": "oops"}, ErrorKind.UNAVAILABLE),
        (503, b"<html>", ErrorKind.UNAVAILABLE),
        (200, b"[{", ErrorKind.MALFORMED),
        (200, b"Error with query", ErrorKind.MALFORMED),
        (200, {}, ErrorKind.MALFORMED),
        (200, None, ErrorKind.MALFORMED),
        (200, [1, 2], ErrorKind.MALFORMED),
        (200, [{"symbol": "ORCA"}], ErrorKind.MALFORMED),
        (200, [{"symbol": "ORCA", "price": "much"}], ErrorKind.MALFORMED),
    ],
)
async def test_what_errors_mean(status: int, body: Any, kind: ErrorKind) -> None:
    """Each of FMP's errors, and each answer that is none of its own, has a kind."""
    with pytest.raises(UpstreamError) as caught:
        await fmp(Canned(status, body)).quote("ORCA")
    assert caught.value.kind is kind


async def test_a_limit_says_how_long_to_wait() -> None:
    """Retry-After reaches the model."""
    with pytest.raises(UpstreamError, match="wait 45 s") as caught:
        await fmp(Canned(429, {"Error Message": "Limit Reach ."}, {"retry-after": "45"}), attempts=2).quote("ORCA")
    assert caught.value.retry_after == 45


@pytest.mark.parametrize(("key", "kind"), [(BAD_KEY, ErrorKind.UNAUTHORIZED), (BUSY_KEY, ErrorKind.RATE_LIMITED)])
async def test_the_stand_in_turns_keys_away(key: str, kind: ErrorKind) -> None:
    """The stand-in's errors are read as the vendor's."""
    wire = in_process(stand_in(lambda: Scope(store(), NOW)))
    with pytest.raises(UpstreamError) as caught:
        await Fmp(Settings(api_key=SecretStr(key), attempts=1), wire).quote("ORCA")
    assert caught.value.kind is kind


async def test_a_plan_is_named_to_the_model() -> None:
    """402 says that the plan is the reason, and what to do instead."""
    wire = in_process(stand_in(lambda: Scope(store(), NOW)))
    client = Fmp(Settings(api_key=SecretStr(FREE_KEY), attempts=1), wire)
    with pytest.raises(UpstreamError, match=r"^\[plan\] .*limit.*other arguments"):
        await client.figures("ratios", "ORCA", "annual", 6)
    assert len(await client.figures("ratios", "ORCA", "quarter", 5)) == 5


@pytest.mark.parametrize("symbol", ["ORCA", "a/../b", "x?apikey=1", "&limit=1", "ÅÄÖ"])
async def test_the_key_is_a_header_and_a_symbol_stays_one_value(symbol: str) -> None:
    """The key stands in one header and in no address; whatever the symbol holds, the path is the same."""
    wire = Canned(200, [])
    with pytest.raises(ToolError, match="not_found"):
        await tools.fmp_get_quote(fmp(wire), symbol)
    (request,) = wire.requests
    assert request.headers["apikey"] == KEY
    assert (request.base, request.path) == ("https://financialmodelingprep.com", "/stable/quote")
    assert KEY not in request.query
    assert request.query.startswith("symbol=")
    assert "&" not in request.query


async def test_no_error_holds_the_key() -> None:
    """A vendor that repeats the key is redacted."""
    wire = Canned(401, {"Error Message": f"Invalid API KEY {KEY}. https://fmp/?apikey={KEY}"})
    with pytest.raises(UpstreamError) as caught:
        await fmp(wire).profile("ORCA")
    assert KEY not in str(caught.value)
    assert "Invalid API KEY" in str(caught.value)


async def test_rows_may_lack_fields() -> None:
    """Fields that FMP leaves out, sends as null, or that are new do no harm."""
    wire = Canned(200, [{"symbol": "ORCA", "price": 3, "name": None, "volume": None, "brandNew": {"a": 1}}])
    found = await fmp(wire).quote("ORCA")
    assert found is not None
    assert (found.price, found.name, found.volume, found.market_cap) == (3.0, "", None, None)
    wire = Canned(200, [{"symbol": "ORCA", "date": "2025-12-31", "fiscalYear": 2025, "period": "FY", "revenue": None}])
    (figures,) = await fmp(wire).figures("ratios", "ORCA", "annual", 1)
    assert (figures.fiscal_year, figures.figures) == ("2025", {"revenue": None})


def test_an_answer_is_no_error() -> None:
    """Lists, and objects without a message, are not taken for errors."""
    assert explain(200, []) is None
    assert explain(200, {"symbol": "ORCA"}) is None
    assert explain(500, None) is None


@pytest.mark.parametrize("name", ["FMP_API_KEY", "FMP_ACCESS_TOKEN"])
def test_the_key_comes_from_the_vendors_variables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either variable sets the key, and with a key nothing is offline."""
    monkeypatch.delenv("FMP_API_KEY", raising=False)
    assert Settings().offline
    monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("FMP_BASE_URL", "http://localhost:9/fmp/stable")
    found = Settings()
    assert (found.offline, found.key(), found.base_url) == (False, KEY, "http://localhost:9/fmp/stable")
    assert KEY not in repr(found)
