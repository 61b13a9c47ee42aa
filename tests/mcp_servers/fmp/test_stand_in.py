"""The stand-in as a REST service: keys, errors, limits, search, news."""

import json
from typing import Any

import pytest

from mcp_servers.fmp.stand_in import BAD_KEY, BUSY_KEY, FREE_KEY
from mcp_servers.world import NOW, read
from tests.mcp_servers.fmp.asking import at, reply, row, rows, store

PATHS = (
    "quote", "profile", "stock-price-change", "historical-price-eod/full", "historical-price-eod/light",
    "historical-price-eod/dividend-adjusted", "historical-price-eod/non-split-adjusted", "earnings", "dividends",
    "income-statement", "balance-sheet-statement", "cash-flow-statement", "ratios", "key-metrics",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_an_unknown_symbol_is_an_empty_list(path: str) -> None:
    """FMP answers 200 and nothing, and so does the stand-in; in lower case a symbol is the same."""
    assert await rows(path, symbol="NOSUCH") == []
    assert await rows(path, symbol="a/b?c=d&e") == []
    assert await rows(path, symbol="mntq") == await rows(path, symbol="MNTQ") != []


@pytest.mark.parametrize("path", PATHS)
async def test_a_symbol_is_needed(path: str) -> None:
    """Without a symbol the answer is 400 and names the parameter."""
    found = await reply(path)
    assert (found.status, json.loads(found.body)) == (400, "Query Error: Invalid or missing query parameter - symbol")


@pytest.mark.parametrize(
    ("path", "query", "name"),
    [
        ("search-symbol", {}, "query"),
        ("search-name", {"query": " "}, "query"),
        ("news/stock", {}, "symbols"),
        ("dividends", {"symbol": "MNTQ", "limit": "many"}, "limit"),
        ("historical-price-eod/full", {"symbol": "MNTQ", "start": "2025-13-01"}, "from"),
    ],
)
async def test_wrong_parameters_are_named(path: str, query: dict[str, Any], name: str) -> None:
    """A parameter that is missing or cannot be read is 400."""
    found = await reply(path, **query)
    assert (found.status, json.loads(found.body).endswith(f" - {name}")) == (400, True)


@pytest.mark.parametrize(("key", "status"), [(None, 401), (BAD_KEY, 401), (BUSY_KEY, 429), ("any", 200)])
async def test_keys(key: str | None, status: int) -> None:
    """Without a valid key there is no data for any request; errors have FMP's form."""
    for path in ("quote", "no-such-path"):
        found = await reply(path, key=key, symbol="ORCA")
        assert found.status == (404 if status == 200 and path != "quote" else status)
        if status != 200:
            assert list(json.loads(found.body)) == ["Error Message"]


async def test_a_key_may_stand_in_the_query() -> None:
    """Other clients of FMP pass it as `apikey=`."""
    assert (await reply("quote", key=None, symbol="ORCA", apikey="any")).status == 200


@pytest.mark.parametrize("path", ["nothing", "quote/ORCA", "historical-price-eod/weekly", ""])
async def test_an_unknown_path_is_not_found(path: str) -> None:
    """404 with an empty list, as FMP."""
    found = await reply(path, symbol="ORCA")
    assert (found.status, found.body) == (404, b"[]")


async def test_the_free_plan_gives_five_periods() -> None:
    """A request for more periods is answered with 402, which names the parameter."""
    assert (await reply("ratios", key=FREE_KEY, symbol="ORCA", limit=5)).status == 200
    found = await reply("ratios", key=FREE_KEY, symbol="ORCA", limit=6)
    assert (found.status, "Premium Query Parameter" in json.loads(found.body)) == (402, True)


async def test_rows_are_limited() -> None:
    """Five periods by default, as at FMP; else as many as the limit."""
    assert len(await rows("income-statement", symbol="ORCA", period="quarter")) == 5
    assert len(await rows("income-statement", symbol="ORCA", period="quarter", limit=7)) == 7
    assert len(await rows("dividends", symbol="MNTQ", limit=3)) == 3


async def test_a_profile_is_the_company() -> None:
    """The profile tells what the world's row tells, and the price of the quote."""
    profile, company = await row("profile", symbol="ORCA"), read.company(store(), "ORCA", NOW)
    assert company is not None
    for name, field in (("companyName", "name"), ("ceo", "ceo"), ("cik", "cik"), ("industry", "industry")):
        assert profile[name] == company[field]  # type: ignore[literal-required]
    quote = await row("quote", symbol="ORCA")
    for name in ("price", "marketCap", "change", "changePercentage", "volume", "exchange"):
        assert profile[name] == quote[name], name
    assert profile["range"] == f"{quote['yearLow']:g}-{quote['yearHigh']:g}"


async def test_a_new_chief_is_in_the_profile_from_the_first_day() -> None:
    """The profile names who leads the company at that moment."""
    changes = [
        event
        for company in read.companies(store(), NOW)
        for event in read.events(store(), company["ticker"], NOW)
        if event["kind"] == "chief"
    ]
    assert changes
    event = changes[0]
    assert (await row("profile", symbol=event["ticker"]))["ceo"] == event["facts"]["arriving"]
    before = await row("profile", at("2023-07-10T00:00:00"), symbol=event["ticker"])
    assert before["ceo"] != event["facts"]["arriving"]


async def test_dividends_are_those_that_were_declared() -> None:
    """A dividend is known from the day of its declaration, before its ex-date, with the world's amounts."""
    declared = read.dividends(store(), "MNTQ", NOW)[-1]
    newest = (await rows("dividends", symbol="MNTQ"))[0]
    assert (newest["date"], newest["dividend"], newest["declarationDate"], newest["paymentDate"]) == (
        declared["ex"],
        declared["cash"],
        declared["declared"],
        declared["pay"],
    )
    ahead = await rows("dividends", at(f"{declared['declared']}T22:00:00"), symbol="MNTQ")
    assert ahead[0]["date"] == declared["ex"]
    earlier = await rows("dividends", at(f"{declared['declared']}T01:00:00"), symbol="MNTQ")
    assert earlier[0]["date"] < declared["ex"]


async def test_searches() -> None:
    """A symbol that is equal comes first; names are found by any part, crypto too; exchanges filter."""
    assert (await rows("search-symbol", query="orca"))[0]["symbol"] == "ORCA"
    assert {r["symbol"] for r in await rows("search-name", query="semiconductor")} == {"ORCA"}
    assert {r["symbol"] for r in await rows("search-symbol", query="USD")} >= {"BTCUSD", "ETHUSD"}
    listed = await rows("search-name", query="a", limit=100, exchange="NYSE")
    assert {r["exchange"] for r in listed} == {"NYSE"}
    assert len(await rows("search-name", query="a", limit=4)) == 4
    assert await rows("search-symbol", query="%00") == []


async def test_news_are_the_worlds_newest_first() -> None:
    """Articles about any of the symbols, each once, in pages, in a span, and none from the future."""
    articles = read.news(store(), NOW, ticker="ORCA")
    found = await rows("news/stock", symbols="ORCA", limit=250)
    assert [r["title"] for r in found] == [a["title"] for a in articles][: len(found)]
    both = await rows("news/stock", symbols="ORCA,VLTM", limit=250)
    assert len(both) == len({r["url"] for r in both}) > len(found)
    times = [r["publishedDate"] for r in both]
    assert times == sorted(times, reverse=True)
    pages = [await rows("news/stock", symbols="ORCA,VLTM", limit=5, page=n) for n in (0, 1)]
    assert pages[0] + pages[1] == both[:10]
    span = await rows("news/stock", symbols="ORCA", start="2025-01-01", to="2025-06-30", limit=250)
    assert all("2025-01-01" <= r["publishedDate"][:10] <= "2025-06-30" for r in span)
    now = at("2025-03-12T12:00:00")
    assert (await rows("news/stock", now, symbols="ORCA"))[0]["publishedDate"] <= "2025-03-12 12:00:00"


async def test_the_latest_news_are_about_anybody() -> None:
    """Without symbols, articles about all companies come, newest first."""
    found = await rows("news/stock-latest", limit=50)
    assert len(found) == 50
    times = [r["publishedDate"] for r in found]
    assert times == sorted(times, reverse=True)
    assert len({r["symbol"] for r in found}) > 5
    assert (await rows("news/stock-latest", limit=10, page=2)) == found[20:30]
