import json
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

import pytest
from massive import RESTClient  # type: ignore[import-untyped]
from massive.exceptions import BadResponse  # type: ignore[import-untyped]
from urllib3.exceptions import MaxRetryError

from mcp_servers.polygon.stand_in import stand_in
from mcp_servers.world import NOW, read
from mcp_servers.world.store import Scope
from tests.mcp_servers.polygon.asking import store
from tests.mcp_servers.served import served


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the stand-in listens."""
    with served(stand_in(lambda: Scope(store(), NOW))) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[RESTClient]:
    """The vendor's own client, pointed at the stand-in."""
    yield from connected(address, "any-key")


def connected(address: str, key: str) -> Iterator[RESTClient]:
    """A client with a key, whose connections end with the test."""
    made = RESTClient(key, base=address, retries=0)
    yield made
    made.client.clear()


def test_it_reads_bars(client: RESTClient) -> None:
    """Aggregates come as its own bars, the pages joined."""
    found: list[Any] = list(client.list_aggs("ORCA", 1, "day", date(2025, 3, 3), "2025-03-28", limit=6))
    bars = read.bars(store(), "ORCA", "2025-03-03", "2025-03-28", NOW)
    assert [(bar.open, bar.close, bar.volume) for bar in found] == [(b["open"], b["close"], b["volume"]) for b in bars]
    (previous,) = list(client.get_previous_close_agg("ORCA"))
    assert previous.ticker == "ORCA"
    assert len(client.get_grouped_daily_aggs("2025-03-03")) == 60
    assert client.get_daily_open_close_agg("ORCA", "2025-03-03").symbol == "ORCA"


def test_it_pages_through_news(client: RESTClient) -> None:
    """News beyond the first page are found through the address of the next."""
    found: list[Any] = list(islice(client.list_ticker_news("ORCA", limit=5), 17))
    assert [article.id for article in found] == [row["id"] for row in read.news(store(), NOW, ticker="ORCA", limit=17)]
    assert found[0].publisher.name
    assert found[0].insights[0].sentiment in ("positive", "neutral", "negative")


def test_it_reads_reference_data(client: RESTClient) -> None:
    """Details, lists, splits, dividends and the market's status come as its own types."""
    details: Any = client.get_ticker_details("ORCA")
    assert (details.name, details.address.state) == ("Orcadia Semiconductor", "ND")
    assert len(list(client.list_tickers(limit=20))) == 66
    assert len(list(client.list_tickers(market="crypto"))) == 6
    assert next(iter(client.list_splits(limit=2))).split_to
    dividends: list[Any] = list(islice(client.list_dividends("ORCA", ex_dividend_date_gte="2025-01-01", limit=2), 3))
    assert all(each.ex_dividend_date >= "2025-01-01" for each in dividends)
    assert client.get_market_status().exchanges.nyse == "closed"
    assert len(client.get_market_holidays()) > 10


def test_it_reads_snapshots_trades_and_indicators(client: RESTClient) -> None:
    """Snapshots, last trades and indicators come as its own types."""
    shot: Any = client.get_snapshot_ticker("stocks", "ORCA")
    assert shot.last_trade.price == shot.min.close
    assert len(client.get_snapshot_all("crypto")) == 6
    assert client.get_snapshot_direction("stocks", "losers")[0].todays_change_percent < 0
    assert client.get_last_trade("ORCA").price == shot.day.close
    assert client.get_last_crypto_trade("BTC", "USD").price > 0
    for values in (client.get_sma("ORCA"), client.get_ema("ORCA"), client.get_rsi("ORCA"), client.get_macd("ORCA")):
        assert len(values.values) == 10


@pytest.mark.parametrize(("key", "status"), [("bad-key", "ERROR"), ("free-key", "NOT_AUTHORIZED")])
def test_it_understands_refusals(address: str, key: str, status: str) -> None:
    """A key that is unknown or of too small a plan is refused as by the vendor."""
    for client in connected(address, key):
        with pytest.raises(BadResponse) as failed:
            client.get_last_trade("ORCA")
        assert json.loads(str(failed.value))["status"] == status


def test_it_understands_that_it_asks_too_often(address: str) -> None:
    """The vendor's client tries again where it is told 429, and in the end says so."""
    for client in connected(address, "busy-key"):
        with pytest.raises(MaxRetryError, match="429"):
            client.get_market_status()


def test_unknown_tickers(client: RESTClient) -> None:
    """An unknown ticker has no bars, and no details."""
    assert client.get_aggs("NOPE", 1, "day", "2025-03-03", "2025-03-28") == []
    with pytest.raises(BadResponse, match="NOT_FOUND"):
        client.get_ticker_details("NOPE")
