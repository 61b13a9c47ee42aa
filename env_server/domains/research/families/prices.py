"""Look up and compare prices and volumes."""

from itertools import pairwise

from env_server.domains.research.case import Case
from env_server.domains.research.draft import EXACT, Draft, Template, number, order, proof, text, the_date
from env_server.domains.research.families import calls
from env_server.domains.research.wording import listed, spoken_month
from mcp_servers.world import read

FIELDS = {
    "close": ("closing price", "price at the close"),
    "open": ("opening price", "price at the open"),
    "high": ("highest price of the day", "day's high"),
    "low": ("lowest price of the day", "day's low"),
}
"""Field of a bar -> its names."""

ONE_PRICE = (
    "What was the {what} of {name} on {day}{shares}?",
    "Give me the {what} of {name} for {day}{shares}.",
    "I am looking for the {what} that {name} had on {day}{shares}.",
    "On {day}, what was the {what} of {name}{shares}?",
    "{day}: which {what} does the record show for {name}{shares}?",
    "Pull up {name} on {day} and read me the {what}{shares}.",
    "Prices of {name}, {day}: only the {what}, please{shares}.",
)
AS_TRADED = (", as it traded then", ", in the shares of that day", ", not adjusted for the later split")


def one_price(case: Case) -> Draft | None:
    """Ask for a price of a day, now and then of a day before a split."""
    now, ticker = case.moment(), case.company()
    splits = [s for s in read.splits(case.library.store, ticker, now) if s["date"] < case.session(now, 1, 1)]
    day = case.session(now)
    traded = any(day < split["date"] for split in splits) and case.rng.random() < 0.7
    field = case.rng.choice(tuple(FIELDS))
    value = case.library.bar(ticker, day, now, adjusted=not traded)[field]  # type: ignore[literal-required]
    shares = case.rng.choice(AS_TRADED) if traded else ""
    ask = case.say(
        ONE_PRICE, what=case.rng.choice(FIELDS[field]), name=case.name(ticker), day=case.day(day), shares=shares
    )
    look = calls.bars(ticker, day, day, adjusted=not traded)
    return Draft(ask, now, number(value, "USD", EXACT), (proof(ticker, value),), (*calls.named(case), look), (ticker,))


COIN = (
    "At what price did {name} end the day on {day} (UTC)?",
    "What was the daily close of {name} on {day}, in UTC days?",
    "Give me the last price of {name} for the UTC day {day}.",
    "Which closing price do you find for {name} on {day}, counting days in UTC?",
)


def one_coin(case: Case) -> Draft | None:
    """Ask for the close of a crypto pair, of any day of the week."""
    now, ticker = case.moment(), case.rng.choice(case.library.pairs(case.split))
    first, last = case.span(now, 5, 30)
    day = case.rng.choice([bar["date"] for bar in case.library.bars(ticker, first, last, now)])
    value = case.library.bar(ticker, day, now)["close"]
    ask = case.say(COIN, name=case.name(ticker), day=case.day(day))
    return Draft(
        ask, now, number(value, "USD", EXACT), (proof(ticker, value),), (calls.bars(ticker, day, day),), (ticker,)
    )


EXTREME = (
    "What was the {what} price at which {name} traded from {first} to {last}, both days included?",
    "Between {first} and {last} inclusive, what is the {what} price that {name} reached within a day?",
    "Find the {what} daily {bound} of {name} in the period from {first} through {last}.",
    "How {far} did {name} go, intraday, in the days from {first} to {last}?",
    "Scan the days from {first} to {last} (both count) for the {what} price paid for {name}.",
)


def extreme(case: Case) -> Draft | None:
    """Ask for the highest or the lowest price of a period."""
    now, ticker = case.moment(), case.company()
    first, last = case.span(now, 8, 38)
    found, high = case.library.bars(ticker, first, last, now), case.rng.random() < 0.5
    value = max(bar["high"] for bar in found) if high else min(bar["low"] for bar in found)
    ask = case.say(
        EXTREME,
        what="highest" if high else "lowest",
        bound="high" if high else "low",
        far="high" if high else "low",
        name=case.name(ticker),
        first=case.day(first),
        last=case.day(last),
    )
    look = calls.bars(ticker, first, last)
    return Draft(ask, now, number(value, "USD", EXACT), (proof(ticker, value),), (*calls.named(case), look), (ticker,))


BUSIEST = (
    "On which day of {month} were the most shares of {name} traded?",
    "Which date in {month} saw the highest volume in {name}?",
    "{name}, {month}: on what date was the daily volume highest?",
    "Find the busiest day of {name} in {month}, by volume.",
)


def busiest(case: Case) -> Draft | None:
    """Ask for the day with the highest volume of a month."""
    now, ticker = case.moment(), case.company()
    first, last = case.month(now)
    ranked = sorted(case.library.bars(ticker, first, last, now), key=lambda bar: -bar["volume"])
    if ranked[0]["volume"] < 1.02 * ranked[1]["volume"]:
        return None
    ask = case.say(BUSIEST, month=spoken_month(first), name=case.name(ticker))
    look = calls.bars(ticker, first, last)
    evidence = (proof(ticker, ranked[0]["date"], ranked[0]["volume"]),)
    return Draft(ask, now, the_date(ranked[0]["date"]), evidence, (*calls.named(case), look), (ticker,))


MOVER = (
    "Which of {names} {moved} most between the closes of {first} and {last}? Name the ticker.",
    "Compare {names}: from the close of {first} to the close of {last}, which of them {moved} most in per cent?",
    "From the close on {first} to the close on {last}, one of {names} {moved} the most. Which ticker?",
    "Rank {names} by their price change from the {first} close to the {last} close. Which one {moved} most?",
    "{names} started level at the {first} close. By the {last} close, which one had {moved} most?",
)


def mover(case: Case) -> Draft | None:
    """Ask which of several companies rose, or fell, most."""
    now, rose = case.moment(), case.rng.random() < 0.5
    tickers, (first, last) = case.some(4), case.span(now, 10, 120)
    ends = {t: tuple(case.library.bar(t, day, now)["close"] for day in (first, last)) for t in tickers}
    moves = {ticker: (end / start - 1) * (1 if rose else -1) for ticker, (start, end) in ends.items()}
    best, second, *_ = sorted(tickers, key=lambda ticker: -moves[ticker])
    if moves[best] < 0.02 or moves[best] - moves[second] < 0.01:
        return None
    ask = case.say(
        MOVER,
        names=listed(tickers),
        moved="rose" if rose else "fell",
        first=case.day(first),
        last=case.day(last),
    )
    evidence = tuple(proof(ticker, close) for ticker in tickers for close in ends[ticker])
    looks = tuple(calls.bars(ticker, first, last) for ticker in tickers)
    return Draft(ask, now, text(best, *case.also(best)), evidence, looks, tuple(tickers))


RANKED = (
    "Put {names} in order by their closing price on {day}, the highest first.",
    "Sort {names} by the close of {day}, from the dearest share to the cheapest.",
    "List {names} by closing price on {day} in descending order.",
    "By their price at the close of {day}, what is the order of {names}, highest first?",
)
TURNOVER = (
    "Put {names} in order by the number of shares traded on {day}, the most first.",
    "Sort {names} by their volume on {day}, largest first.",
    "List {names} by trading volume on {day} in descending order.",
    "By shares traded on {day}, what is the order of {names}, busiest first?",
)


def ranked(case: Case) -> Draft | None:
    """Ask for the order of several companies by price or by volume."""
    now, volume = case.moment(), case.rng.random() < 0.5
    tickers, day = case.some(4), case.session(now, 300)
    found = {ticker: case.library.bar(ticker, day, now) for ticker in tickers}
    values = {ticker: float(bar["volume"] if volume else bar["close"]) for ticker, bar in found.items()}
    right = sorted(tickers, key=lambda ticker: -values[ticker])
    if any(values[a] < 1.01 * values[b] for a, b in pairwise(right)):
        return None
    ask = case.say(TURNOVER if volume else RANKED, names=listed(tickers), day=case.day(day))
    evidence = tuple(proof(ticker, values[ticker]) for ticker in tickers)
    looks = tuple(calls.bars(ticker, day, day) for ticker in tickers)
    return Draft(ask, now, order(*right), evidence, looks, tuple(tickers))


TEMPLATES = (
    Template("price", "look up", "easy", one_price, weight=2),
    Template("coin", "look up", "easy", one_coin),
    Template("extreme", "look up", "easy", extreme),
    Template("busiest-day", "look up", "easy", busiest),
    Template("mover", "compare", "medium", mover),
    Template("price-order", "compare", "medium", ranked),
)
