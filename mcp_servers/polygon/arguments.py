"""The arguments that the tools share, with their descriptions for the model."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field

from mcp_servers.kit.arguments import real_date, symbol

Ticker = Annotated[
    str,
    Field(
        description="A ticker: of a company, such as ORCA, or of a crypto pair, such as X:BTCUSD.",
        min_length=1,
        max_length=32,
        validation_alias=AliasChoices("ticker", "symbol"),
    ),
    AfterValidator(symbol),
]

SomeTicker = Annotated[
    Annotated[str, Field(min_length=1, max_length=32), AfterValidator(symbol)] | None,
    Field(description="Only this ticker.", validation_alias=AliasChoices("ticker", "symbol")),
]


def _moment(text: str) -> str:
    return real_date(text) if "-" in text else text


Moment = Annotated[
    str, Field(pattern=r"^(\d{4}-\d{2}-\d{2}|\d{10,14})$", coerce_numbers_to_str=True), AfterValidator(_moment)
]
"""A date as YYYY-MM-DD, or milliseconds since 1970."""


def _start(text: str) -> str:
    datetime.fromisoformat(text)
    return text


Start = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$"), AfterValidator(_start)]
"""A date as YYYY-MM-DD, or a time in UTC."""


def is_pair(ticker: str) -> bool:
    """Return whether a ticker names a crypto pair."""
    return ticker.startswith("X:")


Currency = Annotated[str, Field(min_length=1, max_length=8), AfterValidator(symbol)]

Adjusted = Annotated[bool, Field(description="Whether prices and volumes before a split are in today's shares.")]

Cursor = Annotated[
    str | None, Field(description="The cursor of the page before; its other arguments hold again.", max_length=4000)
]

MarketType = Annotated[
    Literal["stocks", "crypto"],
    Field(description="The market.", validation_alias=AliasChoices("market_type", "market")),
]

Order = Annotated[Literal["asc", "desc"], Field(description="Oldest (or smallest) first, or newest first.")]

_FREQUENCIES = {
    "1m": "minute", "1min": "minute", "minutes": "minute", "hour": "hourly", "1h": "hourly", "day": "daily",
    "1d": "daily", "week": "weekly", "1w": "weekly", "month": "monthly", "quarter": "quarterly", "year": "yearly",
    "annual": "yearly",
}  # fmt: skip


def _frequency(value: object) -> object:
    return _FREQUENCIES.get(value.lower(), value.lower()) if isinstance(value, str) else value


Frequency = Annotated[
    Literal["minute", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly"],
    Field(description="The size of a bar."),
    BeforeValidator(_frequency),
]
