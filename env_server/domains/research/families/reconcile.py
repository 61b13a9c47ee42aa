"""Reconcile sources that disagree."""

from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, Template, number, percent, proof, text
from env_server.domains.research.families import calls
from env_server.domains.research.families.happenings import PHRASES, draw
from mcp_servers.world import calendar
from mcp_servers.world.companies import words
from mcp_servers.world.rows import Article, Event

FILED = (
    "{publisher} reported a revenue for {quarter} of {name} that does not agree with the company's filing. By how many "
    "per cent was the reported figure off? Take the filing as right; a figure that was too high is positive.",
    "The article of {publisher} on the results of {name} for {quarter} has the revenue wrong. How far is it from the "
    "filed revenue, in per cent of the filed one (positive if too high)?",
    "Compare the revenue in {publisher}'s report on {quarter} of {name} with the income statement. What is the error "
    "in per cent, with a minus sign if the report was too low?",
    "Check {publisher} against the filing: revenue of {name}, {quarter}. Error of the article in per cent, please "
    "(article minus filing, divided by filing).",
)


def misreported(case: Case) -> Draft | None:
    """Ask how far a wrong article on results was from the filing."""
    now = case.moment("2024-06-03")
    found = _wrong_results(case, calendar.stamp(now))
    if not found:
        return None
    article, event = case.rng.choice(found)
    facts, ticker = event["facts"], event["ticker"]
    filed = [row for row in case.library.quarters(ticker, now) if _is(row["year"], row["quarter"], event)]
    if not filed:
        return None
    right, told = filed[0]["income"]["revenue"], words.money(float(article["about"]["revenue"]))
    wrong = amount(told)
    if abs(wrong / right - 1) < 0.05:
        return None
    quarter = case.quarter(int(facts["year"]), int(facts["quarter"]))
    ask = case.say(FILED, publisher=article["publisher"], name=case.name(ticker), quarter=quarter)
    back = sum(row["accepted"] >= filed[0]["accepted"] for row in case.library.quarters(ticker, now))
    day = article["at"][:10]
    looks = (calls.news(ticker, day, day), calls.income(ticker, quarterly=True, limit=back))
    evidence = (proof(article["publisher"], told.split()[0].removeprefix("$")), proof(ticker, right))
    return Draft(ask, now, percent((wrong / right - 1) * 100), evidence, (*calls.named(case), *looks), (ticker,))


PROFIT = (
    "{publisher} and the filing of {name} do not agree on earnings per share for {quarter}. What figure does the "
    "income statement give?",
    "I read in {publisher} about the earnings per share of {name} for {quarter}, and I do not trust it. Which figure "
    "is right, going by the filed income statement? Basic, in dollars.",
    "The earnings per share in {publisher}'s report on {quarter} of {name} look wrong. Read the report and the filed "
    "statement, and give me the filed figure (basic).",
    "Two sources, two numbers: {publisher} and the income statement on {name}'s earnings per share of {quarter}. Look "
    "at both; I need the one from the statement.",
)


def profit(case: Case) -> Draft | None:
    """Ask for the filed earnings per share where an article has another figure."""
    now = case.moment("2024-06-03")
    found = _wrong_results(case, calendar.stamp(now), "eps")
    if not found:
        return None
    article, event = case.rng.choice(found)
    facts, ticker = event["facts"], event["ticker"]
    rows = case.library.quarters(ticker, now)
    filed = [row for row in rows if _is(row["year"], row["quarter"], event)]
    if not filed or filed[0]["income"]["eps"] <= 0:
        return None
    right, told = filed[0]["income"]["eps"], words.price(float(article["about"]["eps"]))
    quarter = case.quarter(int(facts["year"]), int(facts["quarter"]))
    ask = case.say(PROFIT, publisher=article["publisher"], name=case.name(ticker), quarter=quarter)
    back = sum(row["accepted"] >= filed[0]["accepted"] for row in rows)
    day = article["at"][:10]
    looks = (calls.news(ticker, day, day), calls.income(ticker, quarterly=True, limit=back))
    evidence = (proof(article["publisher"], told.removeprefix("$").removeprefix("-$")), proof(ticker, right))
    return Draft(ask, now, number(right, "USD"), evidence, (*calls.named(case), *looks), (ticker,))


FIRST = (
    "Several publishers reported {event} at {name}. Which of them was the first?",
    "Who broke the news of {event} at {name}? I need the publisher.",
    "By the times of the articles, which publisher was first with {event} at {name}?",
    "{name}, {event}: which publisher had it first?",
)
LAST = (
    "Several publishers reported {event} at {name}. Which of them was the last to do so?",
    "Who was the latest to report {event} at {name}? I need the publisher.",
    "By the times of the articles, which publisher came last with {event} at {name}?",
    "{name}, {event}: which publisher was slowest?",
)


def who_first(case: Case) -> Draft | None:
    """Ask which publisher was the first, or the last, to report an event."""
    now = case.moment("2024-03-01")
    found = draw(case, now, *(kind for kind in PHRASES if kind not in ("lawsuit", "bid", "acquisition", "contract")))
    if found is None:
        return None
    reports, ticker = case.library.seen(found.event, now), found.event["ticker"]
    if len({report["publisher"] for report in reports}) < 2 or reports[0]["at"] == reports[1]["at"]:
        return None
    first = case.rng.random() < 0.6
    right = reports[0] if first else reports[-1]
    event = found.phrase.replace("its ", "the ").replace("that it announced", "announced")
    ask = case.say(FIRST if first else LAST, event=event, name=case.title(ticker))
    looks = tuple(
        calls.news(ticker, month, month) for month in dict.fromkeys(f"{r['at'][:7]}-01" for r in (reports[0], right))
    )
    evidence = (proof(right["publisher"], right["title"]), proof(reports[0]["title"]))
    publisher = right["publisher"]
    answer = text(publisher, publisher.removeprefix("The "))
    return Draft(ask, now, answer, evidence, (*calls.named(case), *looks), (ticker,))


TESTED = (
    "By how many per cent does the {figure} of the {product} that testers measured differ from what its maker claims? "
    "Positive if they measured more.",
    "Testers had the {product} on their bench. How far is their {figure} from the data sheet, in per cent of the data "
    "sheet's value (with sign)?",
    "Compare the maker's {figure} for the {product} with the independent test: deviation of the test in per cent of "
    "the claim?",
    "Data sheet against test bench: {figure} of the {product}. Measured minus claimed, in per cent of claimed?",
)


def tested(case: Case) -> Draft | None:
    """Ask for the deviation of a test from the data sheet."""
    now, ticker = case.moment(), case.company()
    at = calendar.stamp(now)
    tests = [p for p in case.library.pages.values() if p["tickers"] == [ticker] and "/tests/" in p["url"]]
    options = []
    for page in tests:
        for fact in page["facts"]:
            figure = fact["attribute"].removeprefix("measured ")
            claims = case.library.told(fact["subject"], figure, now)
            if figure != fact["attribute"] and claims and page["published"] <= at:
                options.append((page, figure, fact, *claims[0]))
    if not options:
        return None
    page, figure, measured, claimed, sheet = case.rng.choice(options)
    value = float(measured["value"]) / float(claimed["value"]) - 1
    if abs(value) < 0.02:
        return None
    ask = case.say(TESTED, figure=figure, product=measured["subject"])
    looks = (
        calls.search(f"{measured['subject']} tested"),
        calls.page(page["url"]),
        calls.page(sheet["url"]),
    )
    evidence = (proof(measured["subject"], measured["text"]), proof(measured["subject"], claimed["text"]))
    return Draft(ask, now, percent(value * 100), evidence, looks, (ticker,), (page["url"], sheet["url"]))


def amount(told: str) -> float:
    """Return the dollars of an amount in words, such as $1.24 billion."""
    figure, _, unit = told.removeprefix("$").partition(" ")
    return float(figure.replace(",", "")) * {"billion": 1e9, "million": 1e6, "": 1.0}[unit]


def _is(year: int, quarter: int, event: Event) -> bool:
    return (year, quarter) == (event["facts"]["year"], event["facts"]["quarter"])


def _wrong_results(case: Case, at: str, line: str = "revenue") -> list[tuple[Article, Event]]:
    """Return the articles of the split on results with a wrong line, in which no other article agrees."""
    found = []
    for ticker in case.library.tickers(case.split):
        for event in case.library.of(ticker):
            for article in case.library.reports.get(event["id"], []) if event["kind"] == "earnings" else ():
                wrong = article.get("flaw") == "wrong" and article["about"][line] != event["facts"][line]
                alone = sum(a["publisher"] == article["publisher"] for a in case.library.reports[event["id"]]) == 1
                if wrong and alone and article["at"] <= at:
                    found.append((article, event))
    return found


TEMPLATES = (
    Template("misreported", "reconcile", "medium", misreported),
    Template("filed-profit", "reconcile", "medium", profit),
    Template("first-report", "reconcile", "medium", who_first),
    Template("tested", "reconcile", "medium", tested, weight=2),
)
