"""The arguments of the tools: types with a description, and the alternative names that models use."""

from typing import Annotated

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field

from mcp_servers.fmp.api import Adjustment, Period
from mcp_servers.kit.arguments import Date, symbol

_PERIODS = {
    "annually": "annual", "year": "annual", "yearly": "annual", "fy": "FY",
    "quarterly": "quarter", "quarters": "quarter",
    "q1": "Q1", "q2": "Q2", "q3": "Q3", "q4": "Q4",
}  # fmt: skip


def _period(value: object) -> object:
    return _PERIODS.get(value.lower(), value.lower()) if isinstance(value, str) else value


Symbol = Annotated[
    str,
    Field(
        description="A symbol as exchanges write it, ORCA for instance; crypto as BTCUSD.",
        min_length=1,
        max_length=24,
        validation_alias=AliasChoices("symbol", "ticker"),
    ),
    AfterValidator(symbol),
]
Periods = Annotated[
    Period,
    Field(description="Fiscal periods: annual (or FY) for whole years, quarter for all quarters, Q1 ... Q4 for one."),
    BeforeValidator(_period),
]
Count = Annotated[int, Field(description="How many fiscal periods, newest first.", ge=1, le=40)]
Limit = Annotated[int, Field(description="At most so many rows.", ge=1, le=100)]
Query = Annotated[
    str,
    Field(
        description="A part of a symbol or name.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("query", "q"),
    ),
]
Start = Annotated[
    Date | None,
    Field(description="The first day, 2025-01-31 for instance.",
          validation_alias=AliasChoices("start_date", "from_date", "from", "from_")),
]  # fmt: skip
End = Annotated[
    Date | None,
    Field(description="The last day, 2025-03-31 for instance; by default the newest.",
          validation_alias=AliasChoices("end_date", "to_date", "to")),
]  # fmt: skip
Days = Annotated[int, Field(description="At most so many days, the newest of the span.", ge=1, le=1000)]
Adjust = Annotated[
    Adjustment, Field(description="What older prices are adjusted for: splits, splits and dividends, or none of them.")
]
Tickers = Annotated[
    str | list[str] | None,
    Field(
        description="Symbols, as a list or separated by commas; without any, news about all shares.",
        validation_alias=AliasChoices("tickers", "symbols", "symbol"),
    ),
]


def symbols(given: str | list[str] | None) -> list[str]:
    """Return the symbols of a `Tickers` argument."""
    parts = given.split(",") if isinstance(given, str) else given or []
    return [symbol(part) for part in parts if part.strip(" .")]
