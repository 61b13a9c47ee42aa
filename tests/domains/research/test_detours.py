"""An agent that reaches the same rows by other calls than gold earns the same reward."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from env_server.domains.kit import GoldCall, Task
from tests.domains.research.desk import listed, played

Arguments = dict[str, Any]
Route = Mapping[str, Callable[[Arguments], Sequence[GoldCall]]]
"""Tool -> the calls that replace one of gold's calls to it."""

LEAST = 0.95


def call(name: str, **arguments: Any) -> GoldCall:
    """One call."""
    return GoldCall(name=name, arguments=arguments)


def days(given: Arguments) -> tuple[date, date]:
    """The first and the last day of a span."""
    return date.fromisoformat(given["start_date"]), date.fromisoformat(given["end_date"])


def wider(given: Arguments) -> list[GoldCall]:
    """The prices of a longer time."""
    first, last = days(given)
    more = {"start_date": str(first - timedelta(days=9)), "end_date": str(last + timedelta(days=9))}
    return [call("polygon_get_aggs", **{**given, **more})]


def halved(given: Arguments) -> list[GoldCall]:
    """The prices in two calls."""
    first, last = days(given)
    middle = first + (last - first) / 2
    parts = [(first, middle), (middle, last)] if first < middle else [(first, last)]
    return [call("polygon_get_aggs", **{**given, "start_date": str(a), "end_date": str(b)}) for a, b in parts]


OTHER_TOOLS: Route = {
    "polygon_get_aggs": wider,
    "list_tickers": lambda given: [call("fmp_search_ticker", query=given["search"])],
    "polygon_get_news": lambda given: [call("fmp_get_stock_news", tickers=given["ticker"], limit=100)],
    "fmp_get_company_profile": lambda given: [call("polygon_get_ticker_details", ticker=given["symbol"])],
    "fmp_get_income_statement": lambda given: [call("fmp_get_income_statement", **{**given, "limit": 40})],
    "tavily_search": lambda given: [call("tavily_search", **given, include_raw_content=True, max_results=10)],
    "tavily_extract": lambda _: [],
    "slack_get_channel_history": lambda given: [call("slack_get_channel_history", **{**given, "limit": 100})],
}
HALVES: Route = {"polygon_get_aggs": halved}


async def earns(task: Task, route: Route) -> bool:
    """Whether gold with replaced calls shows all the evidence and ends with gold's answer."""
    calls = [each for gold in task.gold.actions for each in route.get(gold.name, lambda _, g=gold: [g])(gold.arguments)]
    done = await played(task, calls)
    return not (done.unseen or done.wrong or done.faults)


@pytest.mark.parametrize("route", [OTHER_TOOLS, HALVES], ids=["other-tools", "halves"])
async def test_other_routes_to_the_same_rows_earn_the_reward(route: Route) -> None:
    """News, companies and pages by other tools, statements and prices in other spans: 95% of `test` is solved."""
    tasks = listed("test", 500)
    solved = [await earns(task, route) for task in tasks]
    assert sum(solved) >= LEAST * len(tasks), {t.template for t, right in zip(tasks, solved, strict=True) if not right}
