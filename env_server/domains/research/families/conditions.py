"""Act on a condition: post or keep quiet, post here or there."""

from env_server.domains.research.case import Case
from env_server.domains.research.draft import EXACT, Draft, Template, number, percent, proof
from env_server.domains.research.families import calls
from env_server.domains.research.families.requests import told
from mcp_servers.world.rows import Bar

ROOMS = ("earnings-watch", "general", "research-desk", "deals-and-courts", "supply-chain")

LEVEL = (
    "If {name} closed {above} ${level} on {day}, post that close to #{channel} in one message. If not, post nothing. "
    "In both cases submit the close.",
    "Check the close of {name} on {day}. Only if it was {above} ${level}, tell #{channel} (one message with the "
    "close). Submit the close either way.",
    "#{channel} wants to hear about {name} only if its close on {day} was {above} ${level}: then post the close there, "
    "once; else stay silent. Submit the close.",
    "Submit the close of {name} on {day}. Was it {above} ${level}? Then, and only then, post it to #{channel} as well.",
    "{name}, close of {day}: {above} ${level} or not? If it was, #{channel} gets one message with the close; if it "
    "was not, #{channel} gets nothing. You submit the close regardless.",
)


def level(case: Case) -> Draft | None:
    """Ask for a post only if a price is beyond a level."""
    now, ticker = case.moment(), case.company()
    day, channel = case.session(now), case.rng.choice(ROOMS)
    close = case.library.bar(ticker, day, now)["close"]
    gap = case.rng.choice((-1, 1)) * case.rng.uniform(0.004, 0.04)
    limit, above = round(close * (1 + gap), 2 if close < 20 else 0), case.rng.random() < 0.5
    if abs(limit / close - 1) < 0.002:
        return None
    holds = close > limit if above else close < limit
    ask = case.say(
        LEVEL,
        name=case.name(ticker),
        above="above" if above else "below",
        level=f"{limit:g}",
        day=case.day(day),
        channel=channel,
    )
    answer = number(close, "USD", EXACT)
    posts = (calls.post(channel, told(answer)),) if holds else ()
    looks = (*calls.named(case), calls.bars(ticker, day, day))
    return Draft(ask, now, answer, (proof(ticker, close),), (*looks, *posts), (ticker,))


GREW = (
    "If revenue of {name} in its latest filed quarter grew by more than {limit} per cent on the same quarter a year "
    "before, post the growth rate to #{channel} (one message). If it did not, post nothing. Submit the rate either "
    "way, in per cent.",
    "Look at the newest quarter on file of {name}. Year-on-year revenue growth above {limit} per cent is worth one "
    "message with the rate in #{channel}; anything else is not. Submit the growth rate.",
    "Work out the year-on-year revenue growth of {name} in the last quarter it has filed, and submit it. Only if it is "
    "more than {limit} per cent, also tell #{channel}, once.",
    "#{channel} asks to be told the latest year-on-year quarterly revenue growth of {name} in case it exceeds {limit} "
    "per cent, and not to be disturbed otherwise. Submit the rate in any case.",
)


def grew(case: Case) -> Draft | None:
    """Ask for a post only if revenue grew by more than a limit."""
    now, ticker, channel = case.moment(), case.company(), case.rng.choice(ROOMS)
    rows = case.library.quarters(ticker, now)
    value, before = rows[0]["income"]["revenue"], rows[4]["income"]["revenue"]
    rate = (value / before - 1) * 100
    limit = max(round(rate + case.rng.choice((-1, 1)) * case.rng.uniform(0.8, 6)), 1)
    if abs(rate) < 2 or abs(rate - limit) < 0.3:
        return None
    ask = case.say(GREW, name=case.name(ticker), limit=limit, channel=channel)
    answer = percent(rate)
    posts = (calls.post(channel, told(answer)),) if rate > limit else ()
    looks = (*calls.named(case), calls.income(ticker, quarterly=True, limit=5))
    return Draft(ask, now, answer, (proof(ticker, value), proof(ticker, before)), (*looks, *posts), (ticker,))


BRANCH = (
    "Which did better from the close of {first} to the close of {last}, {one} or {two}? If it was {one}, post its per "
    "cent change to #{here}; if it was {two}, post that one's to #{there}. One message in all. Submit the same figure.",
    "Compare {one} and {two}, close of {first} to close of {last}. The better one's change in per cent goes to #{here} "
    "if that is {one}, and to #{there} if it is {two}; post it once, and submit it.",
    "From the {first} close to the {last} close: should {one} be ahead of {two}, write the change of {one} in per cent "
    "to #{here}. Should {two} be ahead, write the change of {two} to #{there}. Submit what you wrote.",
    "Post the per cent change of the better of {one} and {two} between the closes of {first} and {last}: to #{here} in "
    "case of {one}, to #{there} in case of {two}. Post once, and submit the figure.",
)


def branch(case: Case) -> Draft | None:
    """Ask for a post in one of two channels, by what a comparison gives."""
    now, (one, two) = case.moment(), case.some(2)
    (first, last), (here, there) = case.span(now, 8, 90), case.rng.sample(ROOMS, 2)
    ends = {ticker: _ends(case.library.bars(ticker, first, last, now)) for ticker in (one, two)}
    moves = {ticker: (end / start - 1) * 100 for ticker, (start, end) in ends.items()}
    best = max(moves, key=lambda ticker: moves[ticker])
    if abs(moves[one] - moves[two]) < 1 or abs(moves[best]) < 2:
        return None
    ask = case.say(BRANCH, one=one, two=two, first=case.day(first), last=case.day(last), here=here, there=there)
    answer = percent(moves[best])
    looks = tuple(calls.bars(ticker, first, last) for ticker in (one, two))
    posted = calls.post(here if best == one else there, told(answer))
    evidence = tuple(proof(ticker, close) for ticker in (one, two) for close in ends[ticker])
    return Draft(ask, now, answer, evidence, (*looks, posted), (one, two))


def _ends(bars: list[Bar]) -> tuple[float, float]:
    return bars[0]["close"], bars[-1]["close"]


TEMPLATES = (
    Template("post-if-level", "act on a condition", "medium", level, weight=2),
    Template("post-if-growth", "act on a condition", "medium", grew, weight=2),
    Template("post-here-or-there", "act on a condition", "hard", branch, weight=2),
)
