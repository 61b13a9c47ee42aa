"""Event studies: prices and volumes around news."""

from datetime import datetime
from statistics import fmean

from env_server.domains.kit import GoldCall, ShownFact
from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, Template, number, percent, proof, proofs, the_date
from env_server.domains.research.families import calls
from env_server.domains.research.families.happenings import Happening, draw
from env_server.domains.research.wording import spoken_month
from mcp_servers.world.calendar import SESSIONS

REACTION = (
    "How did the shares of {name} react to {event}? Give the per cent change from the last close before the first "
    "report to the first close after it.",
    "{name}: find the news of {event}. From the last close before it became known to the first close afterwards, what "
    "was the price change in per cent?",
    "I want to know what {event} did to the shares of {name}: last close before the news against the first close "
    "after, in per cent.",
    "Measure the first reaction of {name} to {event}, close before the first report to close after it, in per cent.",
    "Put a number on it: {event} at {name}, one close before anybody reported it, one close after. Per cent change?",
)


def reaction(case: Case) -> Draft | None:
    """Ask for the price change over an event."""
    now = case.moment("2024-03-01")
    found = draw(case, now)
    if found is None:
        return None
    ticker = found.event["ticker"]
    start, end = _closes(case, found, ticker, now=now)
    if abs(end / start - 1) < 0.02:
        return None
    ask = case.say(REACTION, name=case.name(ticker), event=found.phrase)
    looks = (*calls.named(case), _news(found), calls.bars(ticker, found.before, found.after))
    evidence = (*trace(found), proof(ticker, start), proof(ticker, end))
    return Draft(ask, now, percent((end / start - 1) * 100), evidence, looks, (ticker,))


PARTNER = (
    "Look up {event}, which concerned {name}. How did the shares of the other company involved react, from the last "
    "close before the first report to the first close after it, in per cent?",
    "{name} was one side of {event}. What was the price change of the other side's shares, last close before the news "
    "to first close after, in per cent?",
    "In {event} there were two listed companies: {name} and another one. Give the per cent change of the other one "
    "from the close before the first report to the close after it.",
    "Who besides {name} was a party to {event}? Measure that company's share reaction in per cent: last close before "
    "the news, first close after.",
)
HIDDEN = {
    "contract": "the supply contract for the {product}",
    "lawsuit": "the suit over {claim} that was filed in {month}",
    "acquisition": "the agreement on the sale of the {unit}",
    "bid": "the takeover bid that was made public in {month}",
}
"""Kind of an event -> a name of it without the other company."""


def other_side(case: Case) -> Draft | None:
    """Ask for the reaction of the company that the request does not name."""
    now = case.moment("2024-03-01")
    found = draw(case, now, *HIDDEN)
    if found is None:
        return None
    event, ticker, other = found.event, found.event["ticker"], found.event["other"]
    start, end = _closes(case, found, other, now=now)
    if abs(end / start - 1) < 0.02 or _several(case, found):
        return None
    phrase = hidden(found)
    ask = case.say(PARTNER, name=case.name(ticker), event=phrase)
    looks = (*calls.named(case), _news(found), calls.bars(other, found.before, found.after))
    evidence = (proof(case.library.title(other)), proof(other, start), proof(other, end))
    return Draft(ask, now, percent((end / start - 1) * 100), evidence, looks, (event["ticker"], other))


LATER = (
    "How far did {name} move in the five sessions after {event}? Start from the first close after the first report and "
    "end five sessions later; per cent.",
    "After {event}, what did the shares of {name} do next: per cent change from the first close after the news to the "
    "close five trading days later?",
    "Take the first close of {name} after {event} became known, and the close five sessions after that one. What is "
    "the change in per cent?",
    "Was there a drift at {name} after {event}? First close after the first report to the fifth close following it, "
    "per cent.",
)


def drift(case: Case) -> Draft | None:
    """Ask for the price change in the days after the first reaction."""
    now = case.moment("2024-03-01")
    found = draw(case, now)
    if found is None:
        return None
    ticker, at = found.event["ticker"], SESSIONS.index(found.after)
    bars = case.library.bars(ticker, found.after, SESSIONS[min(at + 5, len(SESSIONS) - 1)], now)
    if len(bars) != 6 or abs(bars[5]["close"] / bars[0]["close"] - 1) < 0.02:
        return None
    start, end = bars[0]["close"], bars[5]["close"]
    ask = case.say(LATER, name=case.name(ticker), event=found.phrase)
    looks = (*calls.named(case), _news(found), calls.bars(ticker, found.after, bars[5]["date"]))
    evidence = (*trace(found), proof(ticker, start), proof(ticker, end))
    return Draft(ask, now, percent((end / start - 1) * 100), evidence, looks, (ticker,))


RUSH = (
    "How many times its usual volume did {name} trade on the first session that closed after {event} became known? "
    "Usual is the mean of the ten sessions before that one.",
    "Volume of {name} around {event}: divide the volume of the first session to close after the first report by the "
    "mean volume of the ten sessions before it.",
    "Compare the trading volume of {name} on the day of its first close after {event} with the average of the "
    "preceding ten sessions, as a ratio.",
    "What multiple of the average of the ten sessions before was the volume of {name} in the session that first closed "
    "after news of {event}?",
)


def rush(case: Case) -> Draft | None:
    """Ask for the volume of the first session after an event, against the sessions before."""
    now = case.moment("2024-03-01")
    found = draw(case, now)
    if found is None:
        return None
    ticker, at = found.event["ticker"], SESSIONS.index(found.after)
    bars = case.library.bars(ticker, SESSIONS[at - 10], found.after, now)
    value = bars[-1]["volume"] / fmean(bar["volume"] for bar in bars[:-1])
    ask = case.say(RUSH, name=case.name(ticker), event=found.phrase)
    looks = (*calls.named(case), _news(found), calls.bars(ticker, SESSIONS[at - 10], found.after))
    evidence = (*trace(found), *proofs(ticker, bars[-1]["volume"], bars[0]["volume"]))
    return Draft(ask, now, number(round(value, 4), ""), evidence, looks, (ticker,))


BACK = (
    "After {event}, on what date did {name} first close {beyond} its last close before the news?",
    "When did the close of {name} first get {beyond} the level of the last close before {event} became known?",
    "{name} and {event}: which is the first date with a close {beyond} the last close before the first report?",
    "Find the last close of {name} before the news of {event}, and then the first later date with a close {beyond} it.",
)


def recovery(case: Case) -> Draft | None:
    """Ask for the date at which a price was back where it had been before an event."""
    now = case.moment("2024-03-01")
    found = draw(case, now)
    if found is None:
        return None
    ticker = found.event["ticker"]
    start, end = _closes(case, found, ticker, now=now)
    at = SESSIONS.index(found.after)
    bars = case.library.bars(ticker, found.after, SESSIONS[min(at + 60, len(SESSIONS) - 1)], now)
    back = next((bar for bar in bars if (bar["close"] > start) == (end < start) and bar["close"] != start), None)
    if end == start or back is None or back["date"] == found.after:
        return None
    ask = case.say(BACK, name=case.name(ticker), event=found.phrase, beyond="above" if end < start else "below")
    looks = (*calls.named(case), _news(found), calls.bars(ticker, found.before, back["date"]))
    evidence = (*trace(found), proof(ticker, start), proof(ticker, back["date"], back["close"]))
    return Draft(ask, now, the_date(back["date"]), evidence, looks, (ticker,))


def trace(found: Happening) -> tuple[ShownFact, ...]:
    """Return the evidence that a report of an event was seen."""
    return (proof(*found.trace),)


def hidden(found: Happening) -> str:
    """Return the name of an event that leaves out the other company."""
    facts = found.event["facts"]
    month = found.event["at"][:7]
    return HIDDEN[found.event["kind"]].format_map({**facts, "month": spoken_month(month)})


def _several(case: Case, found: Happening) -> bool:
    """Return whether the hidden name of an event fits another event of the company, too."""
    event, name = found.event, hidden(found)
    for other in case.library.around(event["ticker"]):
        if other["id"] != event["id"] and other["kind"] == event["kind"] and other["other"]:
            month = spoken_month(other["at"])
            if HIDDEN[event["kind"]].format_map({**other["facts"], "month": month}) == name:
                return True
    return False


def _closes(case: Case, found: Happening, ticker: str, *, now: datetime) -> tuple[float, float]:
    bars = case.library.bars(ticker, found.before, found.after, now)
    return bars[0]["close"], bars[-1]["close"]


def _news(found: Happening) -> GoldCall:
    day = found.reports[0]["at"][:10]
    return calls.news(found.event["ticker"], day, day)


TEMPLATES = (
    Template("reaction", "event study", "hard", reaction, weight=2),
    Template("other-side", "event study", "hard", other_side),
    Template("drift", "event study", "hard", drift),
    Template("rush", "event study", "hard", rush),
    Template("recovery", "event study", "hard", recovery),
)
