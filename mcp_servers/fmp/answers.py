"""Results of the tools: FMP's rows, and prose with the same content."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from mcp_servers.fmp.rows import Article, Bar, Change, Dividend, Earnings, Figures, Match, Mover, Profile, Quote, Row
from mcp_servers.kit.text import clip, inline, outside, table

SYMBOL_HINT = "If the symbol may be wrong, fmp_search_ticker finds symbols."


class QuoteAnswer(BaseModel):
    """The newest price of a symbol."""

    quote: Quote

    def prose(self) -> str:
        """Return the quote in words."""
        q = self.quote
        lines = [
            f"{q.symbol} ({inline(q.name)}, {q.exchange}): {money(q.price)}",
            f"change: {signed(q.change)} ({signed(q.change_percentage)}%), previous close {money(q.previous_close)}",
            f"day: open {money(q.open)}, low {money(q.day_low)}, high {money(q.day_high)}, volume {count(q.volume)}",
            f"52 weeks: low {money(q.year_low)}, high {money(q.year_high)}",
            f"averages: 50 days {money(q.price_avg50)}, 200 days {money(q.price_avg200)}",
            f"market capitalization: {count(q.market_cap)}",
        ]
        return "\n".join(lines)


class ProfileAnswer(BaseModel):
    """A company's profile."""

    profile: Profile

    def prose(self) -> str:
        """Return the profile in words. The description is marked as outside text."""
        p = self.profile
        lines = [
            f"{inline(p.company_name)} ({p.symbol}, {inline(p.exchange_full_name) or p.exchange})",
            f"sector: {inline(p.sector)}; industry: {inline(p.industry)}; chief executive: {inline(p.ceo)}",
            f"seat: {inline(', '.join(part for part in (p.address, p.city, p.state, p.country) if part))}",
            f"employees: {inline(p.full_time_employees)}; listed since: {inline(p.ipo_date)}; CIK: {inline(p.cik)}",
            f"price: {money(p.price)} (change {signed(p.change)}, {signed(p.change_percentage)}%), "
            f"52 weeks {inline(p.range)}, market capitalization {count(p.market_cap)}",
            f"average volume: {count(p.average_volume)}; dividends of a year: {money(p.last_dividend)}; beta: {p.beta}",
            f"website: {inline(p.website)}; phone: {inline(p.phone)}",
        ]
        return "\n".join([*lines, outside(p.description)])


class FiguresAnswer(BaseModel):
    """The figures of a company's fiscal periods, newest first."""

    symbol: str
    report: str
    rows: list[Figures]

    def prose(self) -> str:
        """Return a table with a line for each figure and a column for each period.

        Lines that are zero in all periods are left out.
        """
        if not self.rows:
            return nothing(f"{self.report} of {self.symbol}")
        heads = [f"{row.fiscal_year} {row.period}" for row in self.rows]
        names = dict.fromkeys(name for row in self.rows for name in row.figures)
        lines = [
            {"figure": "period ends"} | {head: row.date for head, row in zip(heads, self.rows, strict=True)},
            {"figure": "filed on"} | {head: row.filing_date or "-" for head, row in zip(heads, self.rows, strict=True)},
        ]
        for name in names:
            values = [row.figures.get(name) for row in self.rows]
            if any(values):
                lines.append({"figure": name} | {h: figure(v) for h, v in zip(heads, values, strict=True)})
        title = f"{self.report} of {self.symbol}, in {self.rows[0].reported_currency or 'its currency'}"
        return f"{title} (figures that are zero in all periods are left out)\n" + table(lines, ["figure", *heads])


class PricesAnswer(BaseModel):
    """Daily prices, newest first."""

    symbol: str
    adjusted_for: str
    rows: list[Bar]
    left_out: int = Field(description="Earlier days of the same span that `limit` left out.")

    def prose(self) -> str:
        """Return a table of days."""
        if not self.rows:
            return nothing(f"daily prices of {self.symbol} in that span")
        more = f"\n{self.left_out} earlier days are left out: raise limit, or ask for an earlier end_date."
        title = f"{self.symbol}, daily prices in US dollars, adjusted for {self.adjusted_for}"
        columns = ["date", "open", "high", "low", "close", "volume"]
        return f"{title}\n{listing(self.rows, columns)}" + (more if self.left_out else "")


class ChangeAnswer(BaseModel):
    """How much a price changed."""

    change: Change

    def prose(self) -> str:
        """Return one line for all periods."""
        said = self.change.model_dump(by_alias=True)
        parts = [f"{name} {signed(value)}%" for name, value in said.items() if name != "symbol" and value is not None]
        return f"{self.change.symbol}, price change: {', '.join(parts) or 'unknown'}"


class PreviousCloseAnswer(BaseModel):
    """The close before the last session, or before the running one."""

    symbol: str
    previous_close: float | None = Field(serialization_alias="previousClose")
    price: float
    change_percentage: float | None = Field(serialization_alias="changePercentage")

    def prose(self) -> str:
        """Return the close and the change of the price since then."""
        return (
            f"{self.symbol}: previous close {money(self.previous_close)}; since then the price went to "
            f"{money(self.price)} ({signed(self.change_percentage)}%)"
        )


class EarningsAnswer(BaseModel):
    """Reports on quarters, newest first."""

    symbol: str
    rows: list[Earnings]

    def prose(self) -> str:
        """Return a table of reports."""
        if not self.rows:
            return nothing(f"earnings of {self.symbol}")
        columns = ["date", "epsActual", "epsEstimated", "revenueActual", "revenueEstimated"]
        return f"{self.symbol}, earnings by day of the report\n{listing(self.rows, columns)}"


class DividendsAnswer(BaseModel):
    """Dividends, newest first."""

    symbol: str
    rows: list[Dividend]

    def prose(self) -> str:
        """Return a table of dividends."""
        if not self.rows:
            return nothing(f"dividends of {self.symbol}")
        columns = ["date", "dividend", "adjDividend", "yield", "frequency", "declarationDate", "paymentDate"]
        title = f"{self.symbol}, dividends in US dollars per share by ex-date; adjDividend is in today's shares"
        return f"{title}\n{listing(self.rows, columns)}"


class MatchesAnswer(BaseModel):
    """Symbols that were found."""

    query: str
    rows: list[Match]

    def prose(self) -> str:
        """Return a table of symbols."""
        if not self.rows:
            return f"Nothing resembles {inline(self.query, 80)!r}. Try a part of the company's name, or its symbol."
        return listing(self.rows, ["symbol", "name", "exchange", "currency"])


class MoversAnswer(BaseModel):
    """The shares that moved most in the last session, or in the running one."""

    direction: str
    rows: list[Mover]

    def prose(self) -> str:
        """Return a table of shares."""
        if not self.rows:
            return f"No share {self.direction}."
        columns = ["symbol", "name", "price", "change", "changesPercentage", "exchange"]
        return f"shares that {self.direction} most, in percent of the previous close\n{listing(self.rows, columns)}"


class NewsAnswer(BaseModel):
    """News, newest first."""

    rows: list[Article]

    def prose(self) -> str:
        """Return the articles. All of their text is marked as outside text."""
        if not self.rows:
            return nothing("news")
        return outside("\n\n".join(_article(row) for row in self.rows), 20_000)


def _article(row: Article) -> str:
    head = f"{inline(row.published_date)} | {inline(row.symbol)} | {inline(row.publisher)} | {inline(row.title)}"
    return f"{head}\n{inline(row.url)}\n{clip(row.text, 1_500)}"


def nothing(what: str) -> str:
    """Return the text for an empty list."""
    return f"FMP has no {what}. {SYMBOL_HINT}"


def listing(rows: Sequence[Row], columns: list[str]) -> str:
    """Return a table of rows, with FMP's names as column names."""
    return table([row.model_dump(by_alias=True) for row in rows], columns)


def money(value: float | None) -> str:
    """Return an amount of dollars as text. None becomes `-`."""
    return "-" if value is None else f"{value:,.4f}".rstrip("0").rstrip(".") if value % 1 else f"{value:,.0f}"


def signed(value: float | None) -> str:
    """Return a number with its sign as text."""
    return "-" if value is None else f"{value:+,.2f}"


def count(value: float | None) -> str:
    """Return a whole number as text."""
    return "-" if value is None else f"{value:,.0f}"


def figure(value: float | None) -> str:
    """Return a figure of a statement, or a ratio, as text."""
    return "-" if value is None else f"{value:,.0f}" if abs(value) >= 10_000 or value == int(value) else f"{value:.4f}"
