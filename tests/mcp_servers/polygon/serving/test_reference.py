from datetime import UTC, datetime
from typing import Any

import pytest

from mcp_servers.polygon.serving.reference import summary
from mcp_servers.world import NOW, read
from tests.mcp_servers.polygon.asking import ask, pages, refused, store


async def test_tickers_in_pages() -> None:
    """All pages together hold every company and pair, in order."""
    found = [row["ticker"] for page in await pages("/v3/reference/tickers", limit=25) for row in page]
    assert len(found) == 66
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"market": "crypto"}, 6),
        ({"ticker": "ORCA"}, 1),
        ({"ticker.gte": "X:", "ticker.lt": "X;"}, 6),
        ({"ticker.any_of": "ORCA,VLTM,NOPE"}, 2),
        ({"search": "orcadia"}, 1),
        ({"active": "false"}, 0),
        ({"exchange": "NOPE"}, 0),
    ],
)
async def test_filters(query: dict[str, Any], count: int) -> None:
    """Rows are filtered by value, by bounds, by lists and by words."""
    found = (await ask("/v3/reference/tickers", **query, limit=1000))["results"]
    assert len(found) == count


async def test_details_as_of_a_day() -> None:
    """A company's details have its market cap of that day; a pair's have none."""
    now = (await ask("/v3/reference/tickers/ORCA"))["results"]
    then = (await ask("/v3/reference/tickers/ORCA", date="2024-01-05"))["results"]
    assert now["market_cap"] == read.market_cap(store(), "ORCA", NOW)
    assert then["market_cap"] != now["market_cap"]
    assert (await ask("/v3/reference/tickers/X:BTCUSD"))["results"]["market"] == "crypto"
    status, body = await refused("/v3/reference/tickers/NOPE")
    assert (status, body["status"]) == (404, "NOT_FOUND")
    assert (await refused("/v3/reference/tickers/orca"))[0] == 404


async def test_news_in_pages() -> None:
    """The pages of a ticker's news are the world's articles on it, the newest first, none of the future."""
    found = [row for page in await pages("/v2/reference/news", ticker="ORCA", limit=20) for row in page]
    expected = read.news(store(), NOW, ticker="ORCA")
    assert [row["id"] for row in found] == [row["id"] for row in expected]
    assert all("ORCA" in row["tickers"] for row in found)
    then = datetime(2025, 1, 1, tzinfo=UTC)
    early = (await ask("/v2/reference/news", now=then, limit=1000))["results"]
    assert early
    assert max(row["published_utc"] for row in early) <= "2025-01-01T00:00:00Z"


async def test_news_of_a_day() -> None:
    """News can be asked for by the day, between days, and the oldest first."""
    day = read.news(store(), NOW, ticker="ORCA")[3]["at"][:10]
    found = (await ask("/v2/reference/news", published_utc=day, limit=1000))["results"]
    assert found
    assert {row["published_utc"][:10] for row in found} == {day}
    asked: dict[str, Any] = {"published_utc.gte": "2025-03-01", "published_utc.lt": "2025-03-08", "order": "asc"}
    times = [row["published_utc"] for row in (await ask("/v2/reference/news", **asked, limit=1000))["results"]]
    assert times == sorted(times)
    assert times[0] >= "2025-03-01"
    assert times[-1] < "2025-03-08"


async def test_news_tell_no_more_than_they_should() -> None:
    """Whether an article is wrong, and what it reports on, is not told."""
    row = (await ask("/v2/reference/news", limit=1))["results"][0]
    assert set(row) == {
        "id", "publisher", "title", "author", "published_utc", "article_url", "tickers", "description", "insights",
    }  # fmt: skip


def test_a_summary_ends_with_a_sentence() -> None:
    """The summary is the first paragraph, or as many of its sentences as fit."""
    assert summary("One. Two.\n\nThree.") == "One. Two."
    assert summary("A" * 50 + ". " + "B" * 50 + ". C.", 60) == "A" * 50 + "."
    assert summary("A" * 100, 60) == "A" * 60


@pytest.mark.parametrize(("path", "date"), [("splits", "execution_date"), ("dividends", "ex_dividend_date")])
async def test_splits_and_dividends(path: str, date: str) -> None:
    """The newest come first; bounds and tickers filter; nothing that is not announced yet is there."""
    whole = [row for page in await pages(f"/v3/reference/{path}", limit=100) for row in page]
    days = [row[date] for row in whole]
    assert days == sorted(days, reverse=True)
    bounds: dict[str, Any] = {f"{date}.gte": "2025-01-01", f"{date}.lt": "2025-07-01"}
    some = await ask(f"/v3/reference/{path}", **bounds, limit=1000)
    assert [row for row in whole if "2025-01-01" <= row[date] < "2025-07-01"] == some["results"]
    ticker = whole[0]["ticker"]
    one = (await ask(f"/v3/reference/{path}", ticker=ticker, limit=1000))["results"]
    assert one == [row for row in whole if row["ticker"] == ticker]


async def test_reverse_splits() -> None:
    """Reverse splits can be asked for alone."""
    reverse = (await ask("/v3/reference/splits", reverse_split="true", limit=1000))["results"]
    others = (await ask("/v3/reference/splits", reverse_split="false", limit=1000))["results"]
    assert reverse
    assert all(row["split_from"] > row["split_to"] for row in reverse)
    assert all(row["split_from"] < row["split_to"] for row in others)


@pytest.mark.parametrize(
    ("now", "market", "time"),
    [
        (datetime(2026, 6, 30, 14, 0, tzinfo=UTC), "open", "2026-06-30T10:00:00-04:00"),
        (datetime(2026, 6, 30, 12, 0, tzinfo=UTC), "extended-hours", "2026-06-30T08:00:00-04:00"),
        (datetime(2026, 6, 30, 21, 0, tzinfo=UTC), "extended-hours", "2026-06-30T17:00:00-04:00"),
        (datetime(2026, 1, 7, 4, 0, tzinfo=UTC), "closed", "2026-01-06T23:00:00-05:00"),
        (datetime(2026, 6, 28, 16, 0, tzinfo=UTC), "closed", "2026-06-28T12:00:00-04:00"),
    ],
)
async def test_market_status(now: datetime, market: str, time: str) -> None:
    """The market is open in its session and closed at night and at weekends; crypto always trades."""
    found = await ask("/v1/marketstatus/now", now=now)
    assert (found["market"], found["exchanges"]["nyse"], found["currencies"]["crypto"]) == (market, market, "open")
    assert found["serverTime"] == time


async def test_holidays_to_come() -> None:
    """The holidays of the next year are listed for both exchanges, early closes with their hours."""
    found = await ask("/v1/marketstatus/upcoming")
    assert len({day["date"] for day in found if day["status"] == "closed"}) == 10
    early = next(day for day in found if day["status"] == "early-close")
    assert (early["open"], early["close"]) == ("2026-11-27T14:30:00.000Z", "2026-11-27T18:00:00.000Z")
    assert {day["exchange"] for day in found} == {"NYSE", "NASDAQ"}


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/v3/reference/tickers", {"limit": "x"}),
        ("/v3/reference/tickers", {"limit": "1001"}),
        ("/v3/reference/tickers", {"order": "up"}),
        ("/v3/reference/tickers", {"sort": "colour"}),
        ("/v3/reference/tickers", {"cursor": "forged"}),
        ("/v2/reference/news", {"sort": "title"}),
        ("/v2/reference/news", {"limit": "0"}),
        ("/v3/reference/tickers/ORCA", {"date": "soon"}),
    ],
)
async def test_wrong_requests(path: str, query: dict[str, str]) -> None:
    """A request that cannot be understood is an error."""
    assert (await refused(path, **query))[0] == 400


@pytest.mark.parametrize(
    ("key", "path", "status"),
    [
        (None, "/v2/aggs/ticker/ORCA/prev", 401),
        ("bad-key", "/v2/aggs/ticker/ORCA/prev", 401),
        ("free-key", "/v2/aggs/ticker/ORCA/prev", 200),
        ("free-key", "/v2/last/trade/ORCA", 403),
        ("any", "/v2/aggs/ticker/O:ORCA/prev", 403),
        ("busy-key", "/v2/aggs/ticker/ORCA/prev", 429),
        ("any", "/v9/nothing", 404),
    ],
)
async def test_keys_and_plans(key: str | None, path: str, status: int) -> None:
    """Keys are checked as the vendor does."""
    found = await refused(path, key=key)
    assert found[0] == status
    assert status == 200 or found[1]["status"] in ("ERROR", "NOT_AUTHORIZED")


async def test_the_key_may_stand_in_the_query() -> None:
    """As at the vendor's, `apiKey` is understood; the next page's address does not repeat it."""
    status, body = await refused("/v3/reference/tickers", key=None, apiKey="any", limit=5)
    assert status == 200
    assert "any" not in body["next_url"]
