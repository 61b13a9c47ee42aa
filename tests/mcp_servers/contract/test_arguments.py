"""Arguments as models write them: other names and words are accepted, and errors use the name that was given."""

from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from tests.mcp_servers.contract.servers import call, fresh_world, offline

DAYS = {"ticker": "ORCA", "start_date": "2025-03-03", "end_date": "2025-03-07"}


async def structure(server: str, tool: str, arguments: dict[str, Any]) -> Any:
    """The structure of a result in the offline world."""
    with fresh_world():
        return (await call(offline(server), tool, arguments)).structured_content


@pytest.mark.parametrize(
    ("server", "tool", "said", "plain"),
    [
        ("polygon", "polygon_get_news", {"symbol": " orca "}, {"ticker": "ORCA"}),
        ("polygon", "polygon_get_aggs", {"ticker": "ORCA", "from": "2025-03-03", "to": "2025-03-07"}, DAYS),
        ("polygon", "list_ticker_news", {"ticker": "ORCA", "sort": "published_utc"}, {"ticker": "ORCA"}),
        ("polygon", "get_snapshot_ticker", {"ticker": "x:btcusd"}, {"ticker": "X:BTCUSD", "market_type": "crypto"}),
        ("polygon", "get_snapshot_all", {"tickers": "x:btcusd"}, {"tickers": ["X:BTCUSD"], "market_type": "crypto"}),
        (
            "fmp",
            "fmp_get_income_statement",
            {"symbol": "ORCA", "period": "quarterly"},
            {"symbol": "ORCA", "period": "quarter"},
        ),
        ("fmp", "fmp_get_income_statement", {"symbol": "ORCA", "period": "q2"}, {"symbol": "ORCA", "period": "Q2"}),
        ("tavily", "tavily_search", {"query": "merger", "include_images": True}, {"query": "merger"}),
        ("tavily", "tavily_search", {"query": "merger", "days": 7}, {"query": "merger", "time_range": "week"}),
        (
            "slack",
            "slack_get_channel_history",
            {"channel_id": "general", "limit": 500},
            {"channel_id": "general", "limit": 200},
        ),
    ],
)
async def test_what_models_write_is_taken(server: str, tool: str, said: dict[str, Any], plain: dict[str, Any]) -> None:
    """An argument under another name, or in other words, gives the same result as the tool's own."""
    found = await structure(server, tool, said)
    assert found == await structure(server, tool, plain)
    assert any(found.values())


@pytest.mark.parametrize(
    ("server", "tool", "arguments", "name"),
    [
        ("polygon", "polygon_get_aggs", {**DAYS, "start_date": "2025-02-30"}, "start_date"),
        ("polygon", "polygon_get_aggs", {"ticker": "ORCA", "from": "2025-02-30", "to": "2025-03-07"}, "from"),
        ("polygon", "polygon_get_aggs", {**DAYS, "ticker": "   "}, "ticker"),
        ("polygon", "polygon_get_previous_close", {"symbol": ".."}, "symbol"),
        ("polygon", "polygon_get_news", {"ticker": " "}, "ticker"),
        ("polygon", "get_last_crypto_trade", {"from": "BTC", "to": "."}, "to"),
        (
            "polygon",
            "get_aggs",
            {"ticker": "ORCA", "multiplier": 1, "timespan": "day", "from_": 1_740_000_000_000, "to": "2025-13-01"},
            "to",
        ),
        ("polygon", "get_sma", {"ticker": "ORCA", "timestamp_gte": "2025-02-29"}, "timestamp_gte"),
        ("fmp", "fmp_get_quote", {"symbol": "  "}, "symbol"),
        ("fmp", "fmp_get_historical_prices", {"symbol": "ORCA", "from": "2025-06-31"}, "from"),
        ("tavily", "tavily_search", {"query": "merger", "start_date": "2025-02-30"}, "start_date"),
    ],
)
async def test_what_is_wrong_has_the_name_that_was_given(
    server: str, tool: str, arguments: dict[str, Any], name: str
) -> None:
    """Days that do not exist and blank symbols are refused before any request, under the model's own name."""
    with pytest.raises(ToolError, match=rf"^\[bad_request\] {name}[.:]"):
        await structure(server, tool, arguments)
