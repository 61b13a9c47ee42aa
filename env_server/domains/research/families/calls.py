"""The look-ups of gold, one function for each, and the search for a ticker that a request does not name."""

from datetime import datetime

from env_server.domains.kit import GoldCall
from env_server.domains.research.case import Case
from env_server.domains.research.draft import call


def named(case: Case) -> tuple[GoldCall, ...]:
    """Return the searches for the companies that the request names without their tickers."""
    return tuple(call("list_tickers", search=case.library.title(ticker)) for ticker in case.unnamed)


def bars(ticker: str, start: str, end: str, *, adjusted: bool = True) -> GoldCall:
    """Return the look-up of daily bars."""
    return call("polygon_get_aggs", ticker=ticker, start_date=start, end_date=end, adjusted=None if adjusted else False)


def income(ticker: str, *, quarterly: bool, limit: int = 5) -> GoldCall:
    """Return the look-up of income statements."""
    return call("fmp_get_income_statement", symbol=ticker, period="quarter" if quarterly else "annual", limit=limit)


def profile(ticker: str) -> GoldCall:
    """Return the look-up of a company's profile."""
    return call("fmp_get_company_profile", symbol=ticker)


def news(ticker: str, first: str, last: str) -> GoldCall:
    """Return the look-up of the articles on a company from one day to another, both included."""
    until = datetime.fromisoformat(last).date()
    after = until.replace(day=28).toordinal() + 4
    month = until.fromordinal(after).replace(day=1)
    return call("polygon_get_news", ticker=ticker, limit=50, since=f"{first[:7]}-01", until=month.isoformat())


def search(query: str) -> GoldCall:
    """Return a search of the web."""
    return call("tavily_search", query=query)


def page(url: str) -> GoldCall:
    """Return the look-up of a web page."""
    return call("tavily_extract", urls=[url])


def channel(name: str, limit: int = 20) -> GoldCall:
    """Return the look-up of the newest messages of a channel."""
    return call("slack_get_channel_history", channel_id=name, limit=limit)


def thread(name: str, ts: str) -> GoldCall:
    """Return the look-up of a thread."""
    return call("slack_get_thread_replies", channel_id=name, thread_ts=ts)


def reply(name: str, ts: str, text: str) -> GoldCall:
    """Return a reply in a thread."""
    return call("slack_reply_to_thread", channel_id=name, thread_ts=ts, text=text)


def post(name: str, text: str) -> GoldCall:
    """Return a post in a channel."""
    return call("slack_post_message", channel_id=name, text=text)
