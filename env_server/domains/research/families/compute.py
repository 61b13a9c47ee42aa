"""Compute a figure from prices or volumes."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import correlation, fmean, stdev

from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, Template, number, percent, proof, proofs
from env_server.domains.research.families import calls
from env_server.domains.research.wording import spoken_month

RETURN = (
    "By how many per cent did {name} change from the close of {first} to the close of {last}?",
    "What did {name} return between the {first} close and the {last} close, without dividends?",
    "Work out the price change of {name} in per cent, from the close on {first} to the one on {last}.",
    "If I had bought {name} at the close of {first} and sold at the close of {last}, what would the price gain or loss "
    "be in per cent?",
    "{name}: per cent change in price, close of {first} to close of {last}?",
    "Between two closes, {first} and {last}, what happened to the price of {name}, as a percentage?",
)


def change(case: Case) -> Draft | None:
    """Ask for the change of a price between two closes."""
    now = case.moment()
    ticker = case.rng.choice(case.library.pairs(case.split)) if case.rng.random() < 0.15 else case.company()
    first, last = case.span(now, 8, 180, least=2)
    start, end = (case.library.bar(ticker, day, now)["close"] for day in (first, last))
    if abs(end / start - 1) < 0.02:
        return None
    ask = case.say(RETURN, name=case.name(ticker), first=case.day(first), last=case.day(last))
    looks = (*calls.named(case), calls.bars(ticker, first, last))
    evidence = (proof(ticker, start), proof(ticker, end))
    return Draft(ask, now, percent((end / start - 1) * 100), evidence, looks, (ticker,))


AVERAGE = (
    "What was the average closing price of {name} in {month}?",
    "Take all closes of {name} in {month}. What is their mean?",
    "I need the mean of the daily closing prices of {name} over {month}.",
    "Over the trading days of {month}, at what price did {name} close on average?",
)
VOLUME = (
    "How many shares of {name} were traded on an average day of {month}?",
    "What was the mean daily volume of {name} in {month}?",
    "Take the daily volumes of {name} in {month}. What is their average?",
    "Over the trading days of {month}, what was the average number of shares of {name} that changed hands in a day?",
)


def average(case: Case) -> Draft | None:
    """Ask for the mean of the closes or the volumes of a month."""
    now, ticker, volume = case.moment(), case.company(), case.rng.random() < 0.4
    first, last = case.month(now)
    found = case.library.bars(ticker, first, last, now)
    values = [float(bar["volume"] if volume else bar["close"]) for bar in found]
    ask = case.say(VOLUME if volume else AVERAGE, name=case.name(ticker), month=spoken_month(first))
    looks = (*calls.named(case), calls.bars(ticker, first, last))
    evidence = proofs(ticker, *_some(values))
    return Draft(ask, now, number(round(fmean(values), 4), "shares" if volume else "USD"), evidence, looks, (ticker,))


FALL = (
    "What was the largest fall of {name} from a close to a later close within the period from {first} to {last}, in "
    "per cent of the higher close?",
    "Maximum drawdown of {name} on closing prices, {first} to {last} inclusive, as a positive number in per cent?",
    "Using closing prices only, how deep was the worst decline of {name} from a peak between {first} and {last}, in "
    "per cent (positive)?",
    "Maximum drawdown in per cent of {name}'s daily closes from {first} through {last}? Leave out the sign.",
)


def fall(case: Case) -> Draft | None:
    """Ask for the largest fall from a close to a later one."""
    now, ticker = case.moment(), case.company()
    first, last = case.span(now, 30, 70)
    found = case.library.bars(ticker, first, last, now)
    worst, top, bottom, peak = 0.0, found[0], found[0], found[0]
    for bar in found:
        peak = bar if bar["close"] > peak["close"] else peak
        if 1 - bar["close"] / peak["close"] > worst:
            worst, top, bottom = 1 - bar["close"] / peak["close"], peak, bar
    if worst < 0.03:
        return None
    ask = case.say(FALL, name=case.name(ticker), first=case.day(first), last=case.day(last))
    looks = (*calls.named(case), calls.bars(ticker, first, last))
    evidence = proofs(ticker, top["close"], bottom["close"])
    return Draft(ask, now, percent(worst * 100), evidence, looks, (ticker,))


SWING = (
    "What is the sample standard deviation of the daily returns of {name} from the close of {first} to the close of "
    "{last}, in per cent?",
    "Daily volatility of {name}: take the simple close-to-close returns from {first} to {last} and give their sample "
    "standard deviation in per cent.",
    "How much did the daily simple returns of {name} scatter between the closes of {first} and {last}? I mean the "
    "sample standard deviation, in per cent, not annualised.",
    "Compute the standard deviation (sample, n-1) of day-to-day percentage changes in {name}'s close, {first} through "
    "{last}.",
)


def swing(case: Case) -> Draft | None:
    """Ask for the standard deviation of daily returns."""
    now, ticker = case.moment(), case.company()
    first, last = case.span(now, 20, 60)
    closes = [bar["close"] for bar in case.library.bars(ticker, first, last, now)]
    value = stdev(returns(closes)) * 100
    if value < 1.1:
        return None
    ask = case.say(SWING, name=case.name(ticker), first=case.day(first), last=case.day(last))
    looks = (*calls.named(case), calls.bars(ticker, first, last))
    evidence = proofs(ticker, *_some(closes))
    return Draft(ask, now, percent(value), evidence, looks, (ticker,))


COUNT = (
    "On how many trading days from {first} to {last}, both included, did {name} close {above} it opened?",
    "Count the days between {first} and {last} (inclusive) on which {name}'s close was {above} its open.",
    "How often did {name} end a day {above} it had begun, from {first} through {last}?",
    "From {first} to {last} inclusive: number of sessions in which {name} closed {above} the opening price?",
)


def count(case: Case) -> Draft | None:
    """Ask for the number of days that closed above, or below, their open."""
    now, ticker = case.moment(), case.company()
    (first, last), up = case.span(now, 60, 160), case.rng.random() < 0.5
    found = case.library.bars(ticker, first, last, now)
    days = [bar for bar in found if (bar["close"] > bar["open"]) == up and bar["close"] != bar["open"]]
    ask = case.say(
        COUNT,
        name=case.name(ticker),
        first=case.day(first),
        last=case.day(last),
        above="higher than" if up else "lower than",
    )
    looks = (*calls.named(case), calls.bars(ticker, first, last))
    evidence = proofs(ticker, days[0]["close"], days[-1]["close"])
    return Draft(ask, now, number(len(days), "days", 0.0), evidence, looks, (ticker,))


TOGETHER = (
    "What is the correlation of the daily returns of {one} and {two} from the close of {first} to the close of {last}? "
    "Three decimals, please.",
    "Take the simple daily returns of {one} and {two}, closes of {first} through {last}. How strongly are they "
    "correlated (Pearson, three decimals)?",
    "Compute Pearson's correlation between the day-to-day returns of {one} and {two} over {first} to {last}, to three "
    "decimals.",
    "{one} against {two}: correlation coefficient of daily close-to-close returns, {first} to {last}, to three "
    "decimals?",
)


def together(case: Case) -> Draft | None:
    """Ask for the correlation of two companies."""
    now, (one, two) = case.moment(), case.some(2)
    first, last = case.span(now, 25, 60)
    closes = {t: [bar["close"] for bar in case.library.bars(t, first, last, now)] for t in (one, two)}
    value = correlation(returns(closes[one]), returns(closes[two]))
    if abs(value) < 0.15:
        return None
    ask = case.say(TOGETHER, one=one, two=two, first=case.day(first), last=case.day(last))
    looks = tuple(calls.bars(ticker, first, last) for ticker in (one, two))
    evidence = (*proofs(one, *_some(closes[one])), *proofs(two, *_some(closes[two])))
    return Draft(ask, now, number(round(value, 4), ""), evidence, looks, (one, two))


AHEAD = (
    "By how many percentage points did {one} do better than {two} from the close of {first} to the close of {last}? "
    "Negative if it did worse.",
    "Subtract the per cent price change of {two} from that of {one}, both from the {first} close to the {last} close.",
    "Relative performance of {one} against {two}, close of {first} to close of {last}: difference of the two price "
    "changes in percentage points, first minus second?",
    "How far ahead (or, with a minus sign, behind) of {two} was {one} between the closes of {first} and {last}, in "
    "percentage points?",
    "Two positions, long {one} and short {two}, opened at the {first} close and shut at the {last} close: the gap "
    "between their price changes, in percentage points?",
)


def ahead(case: Case) -> Draft | None:
    """Ask for the difference of two price changes."""
    now, (one, two) = case.moment(), case.some(2)
    first, last = case.span(now, 10, 130)
    ends = {t: [case.library.bar(t, day, now)["close"] for day in (first, last)] for t in (one, two)}
    value = (ends[one][1] / ends[one][0] - ends[two][1] / ends[two][0]) * 100
    if abs(value) < 2:
        return None
    ask = case.say(AHEAD, one=case.name(one), two=case.name(two), first=case.day(first), last=case.day(last))
    looks = (*calls.named(case), *(calls.bars(ticker, first, last) for ticker in (one, two)))
    evidence = tuple(proof(ticker, close) for ticker in (one, two) for close in ends[ticker])
    return Draft(ask, now, number(round(value, 4), "percentage points"), evidence, looks, (one, two))


def returns(closes: Sequence[float]) -> list[float]:
    """Return the simple returns between neighbouring closes."""
    return [after / before - 1 for before, after in pairwise(closes)]


TEMPLATES = (
    Template("return", "compute", "medium", change, weight=2),
    Template("average", "compute", "medium", average),
    Template("drawdown", "compute", "hard", fall),
    Template("volatility", "compute", "hard", swing),
    Template("day-count", "compute", "medium", count),
    Template("correlation", "compute", "hard", together),
    Template("ahead", "compute", "medium", ahead),
)


def _some(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the first, the middle and the last value of a series. An agent that has read the series has seen them."""
    return values[0], values[len(values) // 2], values[-1]
