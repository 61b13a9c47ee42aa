"""The facts of a company at a given time, as values for the placeholders of any text about it."""

from bisect import bisect_right

from mcp_servers.world.accounts.actions import shares_factor
from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.calendar import DAYS, SESSIONS, closes, stamp
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.roster import Coin
from mcp_servers.world.companies.words import changed, money, price
from mcp_servers.world.rows import Statement

Places = dict[str, str]
CLOSED = tuple(stamp(closes(day)) for day in SESSIONS)
"""The end of each session."""

MONTH, YEAR = 21, 252
"""Number of trading days in a month and in a year."""


class Scenes:
    """Makes placeholder values of companies and pairs."""

    def __init__(self, market: Market) -> None:
        """Use the data of `market`."""
        self.market = market
        self.firms = {firm.ticker: firm for firm in market.firms}
        self._fixed = {firm.ticker: self._lasting(firm) for firm in market.firms}

    def _lasting(self, firm: Firm) -> Places:
        row = firm.row
        return {
            "name": firm.name,
            "short": short(firm.name),
            "ticker": firm.ticker,
            "exchange": row["exchange"],
            "city": row["city"],
            "state": row["state"],
            "founded": str(row["founded"]),
            "employees": f"{row['employees']:,}",
            "founder": firm.founder["name"],
            "finance": firm.finance["name"],
            "designer": self.market.dossiers[firm.ticker].designer["name"],
            "sector_small": row["sector"].lower(),
            "industry_small": row["industry"].lower().replace(" - ", " "),
            "fiscal_end": words.MONTHS[row["fiscal_end"] - 1],
        }

    def last_statement(self, ticker: str, at: str) -> Statement | None:
        """Return the last quarter that was filed before `at`."""
        rows = self.market.statements[ticker]
        number = bisect_right(rows, at, key=lambda row: row["accepted"])
        return rows[number - 1] if number else None

    def adjusted(self, firm: Firm, number: int) -> float:
        """Return the close of a session, in shares of the first day."""
        return self.market.bars[firm.ticker][number]["close"] * shares_factor(firm, SESSIONS[number])

    def company(self, ticker: str, at: str, stream: Stream) -> Places:
        """Return the placeholder values of a company for a text written at `at` (ISO, UTC)."""
        firm, day = self.firms[ticker], at[:10]
        product = stream.pick(firm.old)
        analyst, house = stream.pick(self.market.press.analysts[firm.row["circle"]])
        places = {
            **self._fixed[ticker],
            "chief": firm.chief(day),
            "product": product.name,
            "product_brand": product.brand,
            "analyst": analyst,
            "house": house,
        }
        last = self.last_statement(ticker, at)
        number = bisect_right(CLOSED, at) - 1
        if number >= 0:
            close = self.market.bars[ticker][number]["close"]
            places["close"] = price(close)
            if last is not None:
                count = last["balance"]["shares_outstanding"] / shares_factor(firm, last["ends"])
                places["value"] = money(close * count * shares_factor(firm, SESSIONS[number]))
            now = self.adjusted(firm, number)
            if number >= MONTH:
                places["month_change"] = past(now / self.adjusted(firm, number - MONTH) - 1.0)
            if number >= YEAR:
                places["year_change"] = past(now / self.adjusted(firm, number - YEAR) - 1.0)
        if last is not None:
            places["last_revenue"] = money(last["income"]["revenue"])
        return places

    def coin(self, coin: Coin, at: str) -> Places:
        """Return the placeholder values of a crypto pair."""
        bars, number = self.market.bars[f"X:{coin.base}USD"], bisect_right(DAYS, at[:10]) - 2
        places = {"coin": coin.name, "name": coin.name}
        if number >= 0:
            close = bars[number]["close"]
            places["close"] = price(close)
            if number >= 30:
                places["month_change"] = past(close / bars[number - 30]["close"] - 1.0)
            if number >= 365:
                before = bars[number - 365]["close"]
                places["year_word"], places["year_price"] = "traded", price(before)
        return places


def short(name: str) -> str:
    """Return the first word of a name. Texts use it as the short name of a company."""
    return name.split(maxsplit=1)[0]


def past(share: float) -> str:
    """Return the past participle of a price change, for use after `have` or `had`."""
    return changed(share, "risen", "fallen").replace("was unchanged", "not moved")
