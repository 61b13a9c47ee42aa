"""FMP's symbols: companies by ticker, crypto pairs as BTCUSD. The module also searches symbols."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mcp_servers.world import read
from mcp_servers.world.store import Store

Json = dict[str, Any]

EXCHANGES = {"XNAS": ("NASDAQ", "NASDAQ Global Select"), "XNYS": ("NYSE", "New York Stock Exchange")}
CRYPTO = ("CRYPTO", "CCC")


@dataclass(frozen=True)
class Listing:
    """A company or pair that has a price."""

    symbol: str
    ticker: str
    """The world's ticker: X:BTCUSD for BTCUSD."""
    name: str
    exchange: str
    exchange_full_name: str
    shares: int | None


def by_symbol(store: Store, symbol: str, now: datetime) -> Listing | None:
    """Return the company or pair with this symbol, or None."""
    if (company := read.company(store, symbol, now)) is not None:
        return Listing(
            company["ticker"], company["ticker"], company["name"], *EXCHANGES[company["exchange"]], company["shares"]
        )
    if (pair := read.pair(store, f"X:{symbol}")) is not None:
        return Listing(symbol_of(pair["ticker"]), pair["ticker"], pair["name"], *CRYPTO, None)
    return None


def symbol_of(ticker: str) -> str:
    """Return FMP's symbol for a ticker of the world."""
    return ticker.removeprefix("X:")


def search(store: Store, query: str, now: datetime, *, names: bool, exchange: str = "") -> list[Json]:
    """Return the rows of `/search-symbol` or `/search-name`.

    Exact matches come first, then prefix matches, then matches inside.
    """
    wanted = " ".join(query.split()).casefold()
    found = []
    for listing in _all(store, now):
        text = (listing.name if names else listing.symbol).casefold()
        if wanted and wanted in text and exchange in ("", listing.exchange):
            found.append((text != wanted, not text.startswith(wanted), listing.symbol, listing))
    return [
        {
            "symbol": listing.symbol,
            "name": listing.name,
            "currency": "USD",
            "exchangeFullName": listing.exchange_full_name,
            "exchange": listing.exchange,
        }
        for *_, listing in sorted(found, key=lambda each: each[:3])
    ]


def _all(store: Store, now: datetime) -> list[Listing]:
    companies = [
        Listing(row["ticker"], row["ticker"], row["name"], *EXCHANGES[row["exchange"]], row["shares"])
        for row in read.companies(store, now)
    ]
    pairs = [Listing(symbol_of(row["ticker"]), row["ticker"], row["name"], *CRYPTO, None) for row in read.pairs(store)]
    return companies + pairs
