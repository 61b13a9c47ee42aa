"""Look up, compare and compute figures of income statements and profiles."""

from itertools import pairwise

from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, Template, number, order, percent, proof, text, the_date
from env_server.domains.research.families import calls
from env_server.domains.research.wording import listed
from mcp_servers.world.rows import Statement

LINES = {
    "revenue": ("revenue", "sales", "total revenue"),
    "gross_profit": ("gross profit",),
    "operating_income": ("operating income", "operating profit"),
    "net_income": ("net income", "net profit"),
    "research_and_development": ("research and development expense", "spending on research and development"),
    "selling_and_administrative": ("selling, general and administrative expense", "SG&A expense"),
    "income_tax": ("income tax expense",),
    "interest_expense": ("interest expense",),
    "cost_of_revenue": ("cost of revenue", "cost of sales"),
}
"""Line of an income statement -> its names."""


def line_of(case: Case) -> tuple[str, str]:
    """Return a line and one of its names."""
    line = case.rng.choice(tuple(LINES))
    return line, case.rng.choice(LINES[line])


ONE_LINE = (
    "What was the {line} of {name} in {quarter}?",
    "How much {line} did {name} report for {quarter}?",
    "I need {name}'s {line} for {quarter}, in full dollars.",
    "For {quarter}, which {line} stands in the income statement of {name}?",
    "Look at {quarter} of {name}: what does the statement give as {line}?",
    "Open the statement of {name} covering {quarter} and copy out the {line}.",
)
ANNUAL = (
    "What was the {line} of {name} in the whole fiscal year {year}?",
    "How much {line} did {name} report for fiscal {year}, all four quarters together?",
    "I need the {line} of {name} for the full fiscal year {year}.",
    "For fiscal {year} as a whole, which {line} stands in the income statement of {name}?",
)


def one_line(case: Case) -> Draft | None:
    """Ask for a line of a quarter or a year."""
    now, ticker = case.moment(), case.company()
    line, called = line_of(case)
    if case.rng.random() < 0.3:
        years = case.library.years(ticker, now)
        year = case.rng.choice(list(years)[:2])
        value = sum(row["income"][line] for row in years[year])
        ask = case.say(ANNUAL, line=called, name=case.name(ticker), year=year)
        look = calls.income(ticker, quarterly=False)
    else:
        row = case.rng.choice(case.library.quarters(ticker, now)[:8])
        value = row["income"][line]
        ask = case.say(ONE_LINE, line=called, name=case.name(ticker), quarter=case.quarter(row["year"], row["quarter"]))
        look = calls.income(ticker, quarterly=True, limit=8)
    if value <= 0:
        return None
    return Draft(ask, now, number(value, "USD"), (proof(ticker, value),), (*calls.named(case), look), (ticker,))


LATEST = (
    "What {line} does the last quarter show that {name} has filed?",
    "Take the newest quarterly report that {name} has filed. What is the {line} in it?",
    "Which {line} stands in the most recent quarterly income statement of {name}?",
    "How high was {line} at {name} in the latest quarter on file?",
)


def latest(case: Case) -> Draft | None:
    """Ask for a line of the last filed quarter."""
    now, ticker = case.moment(), case.company()
    line, called = line_of(case)
    value = case.library.quarters(ticker, now)[0]["income"][line]
    ask = case.say(LATEST, line=called, name=case.name(ticker))
    if value <= 0:
        return None
    look = calls.income(ticker, quarterly=True, limit=1)
    return Draft(ask, now, number(value, "USD"), (proof(ticker, value),), (*calls.named(case), look), (ticker,))


RANKED = (
    "Sort {names} by {line} of fiscal {year}, the largest first.",
    "Put {names} in order by their {line} in fiscal {year}, from the most to the least.",
    "By {line} in fiscal year {year}, what is the order of {names}, largest first?",
    "List {names} by {line} for fiscal {year} in descending order.",
)
LARGEST = (
    "Of {names}, which had the largest {line} in fiscal {year}? Give that amount.",
    "Find the largest {line} of fiscal {year} among {names}. How much is it?",
    "How much {line} did the one of {names} with the most of it report for fiscal {year}?",
    "Among {names}, what is the highest {line} of fiscal year {year}, in dollars?",
    "{names}: whose {line} for fiscal {year} tops the list, and with what amount? The amount is enough.",
)


def largest(case: Case) -> Draft | None:
    """Ask for the order of several companies by a line of a year, or for the largest amount."""
    now, tickers = case.moment(), case.some(4)
    line, called = line_of(case)
    years = {ticker: case.library.years(ticker, now) for ticker in tickers}
    common = sorted(set.intersection(*(set(each) for each in years.values())), reverse=True)[:2]
    if not common:
        return None
    year = case.rng.choice(common)
    values = {t: sum(row["income"][line] for row in years[t][year]) for t in tickers}
    right = sorted(tickers, key=lambda ticker: -values[ticker])
    if values[right[-1]] <= 0 or any(values[a] < 1.01 * values[b] for a, b in pairwise(right)):
        return None
    sort = case.rng.random() < 0.5
    ask = case.say(RANKED if sort else LARGEST, names=listed(tickers), line=called, year=year)
    answer = order(*right) if sort else number(values[right[0]], "USD")
    looks = tuple(calls.income(ticker, quarterly=False) for ticker in tickers)
    return Draft(ask, now, answer, tuple(proof(t, values[t]) for t in tickers), looks, tuple(tickers))


GROWTH = (
    "By how many per cent did {line} of {name} change in {quarter} against the same quarter a year before?",
    "Year on year, how did the {line} of {name} develop in {quarter}, in per cent?",
    "Compare {name}'s {line} of {quarter} with the same quarter of the year before. What is the change in per cent?",
    "What was the year-on-year change of {line} at {name} in {quarter}?",
    "{quarter} at {name}: by what percentage is {line} up or down on the quarter four before it?",
)


def growth(case: Case) -> Draft | None:
    """Ask for the change of a line against the same quarter of the year before."""
    now, ticker = case.moment(), case.company()
    line, called = line_of(case)
    rows = case.library.quarters(ticker, now)
    at = case.rng.randint(0, min(3, len(rows) - 5))
    value, before = rows[at]["income"][line], rows[at + 4]["income"][line]
    if value <= 0 or before <= 0 or abs(value / before - 1) < 0.02:
        return None
    ask = case.say(
        GROWTH, line=called, name=case.name(ticker), quarter=case.quarter(rows[at]["year"], rows[at]["quarter"])
    )
    look = calls.income(ticker, quarterly=True, limit=at + 5)
    evidence = (proof(ticker, value), proof(ticker, before))
    return Draft(ask, now, percent((value / before - 1) * 100), evidence, (*calls.named(case), look), (ticker,))


MARGINS = {
    "gross_profit": ("gross margin",),
    "operating_income": ("operating margin",),
    "net_income": ("net margin",),
    "research_and_development": ("share of revenue that goes into research and development",),
}
MARGIN = (
    "What was the {margin} of {name} in {period}, in per cent?",
    "Work out the {margin} of {name} for {period}.",
    "How many per cent was the {margin} at {name} in {period}?",
    "From the income statement of {period}: what {margin} did {name} have?",
)


def margin(case: Case) -> Draft | None:
    """Ask for a share of the revenue of a quarter or a year."""
    now, ticker = case.moment(), case.company()
    line = case.rng.choice(tuple(MARGINS))
    if case.rng.random() < 0.4:
        years = case.library.years(ticker, now)
        year = case.rng.choice(list(years)[:2])
        rows, period, quarterly = years[year], f"the full fiscal year {year}", False
    else:
        row = case.rng.choice(case.library.quarters(ticker, now)[:6])
        rows, period, quarterly = [row], case.quarter(row["year"], row["quarter"]), True
    part, whole = _sum(rows, line), _sum(rows, "revenue")
    if part / whole < 0.02:
        return None
    ask = case.say(MARGIN, margin=case.rng.choice(MARGINS[line]), name=case.name(ticker), period=period)
    look = calls.income(ticker, quarterly=quarterly, limit=6)
    evidence = (proof(ticker, part), proof(ticker, whole))
    return Draft(ask, now, percent(part / whole * 100), evidence, (*calls.named(case), look), (ticker,))


PER_HEAD = (
    "How many dollars of revenue for each employee did {name} have in fiscal {year}, with today's number of employees?",
    "Divide the revenue of {name} in fiscal {year} by the number of its employees as the profile gives it now.",
    "What is the fiscal {year} revenue per employee at {name}? Use the present headcount of the company profile.",
    "Revenue per head at {name}: full fiscal year {year}, headcount as listed in the profile now. How much?",
)


def per_head(case: Case) -> Draft | None:
    """Ask for the revenue per employee."""
    now, ticker = case.moment(), case.company()
    years = case.library.years(ticker, now)
    year = case.rng.choice(list(years)[:2])
    revenue, staff = _sum(years[year], "revenue"), case.library.companies[ticker]["employees"]
    ask = case.say(PER_HEAD, name=case.name(ticker), year=year)
    looks = (calls.income(ticker, quarterly=False), calls.profile(ticker))
    evidence = (proof(ticker, revenue), proof(ticker, staff))
    answer = number(round(revenue / staff, 2), "USD")
    return Draft(ask, now, answer, evidence, (*calls.named(case), *looks), (ticker,))


MAKER = (
    "When were the shares of the company listed that makes the {product}? Give the date.",
    "On what date did the maker of the {product} go public?",
    "The {product} is made by a listed company. What is its listing date?",
    "Find out who makes the {product}, and since what date its shares have been listed.",
)
CHIEF = (
    "Who is chief executive of the company that makes the {product} at present?",
    "The {product}: who heads the company behind it today?",
    "Find the maker of the {product} and name its present chief executive.",
    "Which person runs the company that sells the {product} now?",
)


def maker(case: Case) -> Draft | None:
    """Ask for the listing date or the chief executive of the company behind a product."""
    now, ticker = case.moment(), case.company()
    pages = [
        page
        for page in case.library.pages.values()
        if page["tickers"] == [ticker] and "/products/" in page["url"] and page["published"] <= now.isoformat()
    ]
    page, company = case.rng.choice(pages), case.library.companies[ticker]
    looks = (calls.search(page["title"]), calls.profile(ticker))
    head = (proof(page["title"], company["name"]),)
    if case.rng.random() < 0.5:
        ask = case.say(MAKER, product=page["title"])
        evidence = (*head, proof(ticker, company["listed"]))
        return Draft(ask, now, the_date(company["listed"]), evidence, looks, (ticker,), (page["url"],))
    chief = case.library.chief(ticker, now)
    ask = case.say(CHIEF, product=page["title"])
    return Draft(ask, now, text(chief), (*head, proof(ticker, chief)), looks, (ticker,), (page["url"],))


def _sum(rows: list[Statement], line: str) -> float:
    return sum(row["income"][line] for row in rows)


TEMPLATES = (
    Template("line", "look up", "easy", one_line, weight=2),
    Template("latest-line", "look up", "easy", latest),
    Template("line-order", "compare", "medium", largest),
    Template("growth", "compute", "medium", growth),
    Template("margin", "compute", "easy", margin),
    Template("per-head", "compute", "medium", per_head),
    Template("maker", "find on the web", "medium", maker, weight=2),
)
