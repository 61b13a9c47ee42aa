"""Events agree with the tables that they tell about."""

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.rows import COMPANIES, DIVIDENDS, EARNINGS, EVENTS, PAIRS, PEOPLE, SPLITS, STATEMENTS, Event
from mcp_servers.world.store import MemoryStore

KINDS = {
    "acquisition", "bid", "buyback", "chief", "contract", "dividend", "earnings", "guidance", "launch", "lawsuit",
    "layoffs", "listing", "outage", "product", "rating", "recall", "rule", "split", "stoppage", "strike", "trial",
    "upgrade", "version", "works",
}  # fmt: skip


def of(world: MemoryStore, kind: str) -> list[Event]:
    """The events of a kind, by time."""
    return [row for row in world.rows(EVENTS) if row["kind"] == kind]


def test_events_come_in_order_and_within_the_world(world: MemoryStore) -> None:
    """Each event has a time in the world's years, a known kind, and an id of its own."""
    rows = list(world.rows(EVENTS))
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert len({row["id"] for row in rows}) == len(rows) > 2000
    assert all(f"{calendar.START}T00" < row["at"] < f"{calendar.END}T23:59:59Z" for row in rows)
    assert {row["kind"] for row in rows} <= KINDS


def test_events_concern_companies_of_one_circle(world: MemoryStore) -> None:
    """An event's companies exist, and two that meet belong to the same circle."""
    circles = {row["ticker"]: row["circle"] for row in world.rows(COMPANIES)}
    pairs = {row["ticker"] for row in world.rows(PAIRS)}
    for row in world.rows(EVENTS):
        assert row["ticker"] in circles or row["ticker"] in pairs
        if row["other"]:
            assert circles[row["other"]] == circles[row["ticker"]]
            assert row["other"] != row["ticker"]


def test_announced_results_are_the_results(world: MemoryStore) -> None:
    """Every quarter that was announced in the world's years is an event with the figures of the result."""
    rows = {(row["ticker"], row["at"]): row for row in world.rows(EARNINGS) if row["date"] >= calendar.START}
    events = of(world, "earnings")
    assert len(events) == len(rows) == 60 * 12
    for event in events:
        row, facts = rows[event["ticker"], event["at"]], event["facts"]
        assert (facts["eps"], facts["eps_expected"]) == (row["eps"], row["eps_expected"])
        assert (facts["revenue"], facts["revenue_expected"]) == (row["revenue"], row["revenue_expected"])
        year = {statement["id"]: statement for statement in world.rows(STATEMENTS).find("ticker", event["ticker"])}
        before = year[f"{event['ticker']}:{row['year'] - 1}-Q{row['quarter']}"]
        assert facts["revenue_year_before"] == before["income"]["revenue"]


def test_guidance_comes_with_results_and_is_mostly_right(world: MemoryStore) -> None:
    """A forecast is a range, and seven in ten of the next quarters lie in it."""
    announced = {(row["ticker"], row["at"]) for row in of(world, "earnings")}
    inside = total = 0
    for event in of(world, "guidance"):
        facts = event["facts"]
        assert (event["ticker"], event["at"]) in announced
        assert float(facts["low"]) < float(facts["high"])
        coming = world.rows(STATEMENTS).get(f"{event['ticker']}:{facts['year']}-Q{facts['quarter']}")
        if coming is not None:
            total += 1
            inside += float(facts["low"]) <= coming["income"]["revenue"] <= float(facts["high"])
    assert total > 250
    assert 0.6 < inside / total < 0.95


def test_splits_and_dividends_are_announced(world: MemoryStore) -> None:
    """Each split of the table, and each dividend that was declared in the world's years, is an event."""
    splits = {(row["ticker"], row["announced"]): row for row in world.rows(SPLITS)}
    events = of(world, "split")
    assert len(events) == len(splits)
    for event in events:
        row = splits[event["ticker"], event["at"][:10]]
        facts = {"date": row["date"], "before": row["before"], "after": row["after"]}
        assert event["facts"] == facts
    dividends = {(row["ticker"], row["declared"]): row for row in world.rows(DIVIDENDS)}
    events = of(world, "dividend")
    assert len(events) == sum(row["declared"] >= calendar.START for row in world.rows(DIVIDENDS))
    for event in events:
        paid = dividends[event["ticker"], event["at"][:10]]
        assert (event["facts"]["cash"], event["facts"]["ex"]) == (paid["cash"], paid["ex"])
        assert (event["facts"]["record"], event["facts"]["pay"]) == (paid["record"], paid["pay"])


def test_chiefs_change_on_the_announced_day(world: MemoryStore) -> None:
    """Who leads a company is the one before the change and the other from its day on."""
    events = of(world, "chief")
    assert len(events) > 10
    for event in events:
        facts, day = event["facts"], str(event["facts"]["effective"])
        assert event["at"][:10] < day <= calendar.END
        before = read.company(world, event["ticker"], calendar.closes(calendar.session_before(day) or ""))
        after = read.company(world, event["ticker"], calendar.opens(day))
        assert before is not None
        assert after is not None
        assert (before["ceo"], after["ceo"]) == (facts["leaving"], facts["arriving"])
        people = {row["name"]: row for row in world.rows(PEOPLE).find("ticker", event["ticker"])}
        assert people[str(facts["leaving"])]["until"] == people[str(facts["arriving"])]["since"] == day


def test_what_ends_has_begun(world: MemoryStore) -> None:
    """Lawsuits, strikes, bids and acquisitions end after they began, with the same facts."""
    begins = {"lawsuit": "filed", "strike": "began", "bid": "proposed", "acquisition": "agreed"}
    ended = 0
    for kind, fact in begins.items():
        events = of(world, kind)
        for event in events:
            if event["facts"].get(fact) is None:
                continue
            ended += 1
            day = str(event["facts"][fact])
            begun = next(row for row in events if row["ticker"] == event["ticker"] and row["at"][:10] == day)
            assert begun["at"] < event["at"]
            same = begun["facts"].keys() - {"stage"}
            assert all(event["facts"][name] == begun["facts"][name] for name in same)
            assert begun["other"] == event["other"]
    assert ended > 40


def test_a_bid_is_a_premium_on_the_last_close(world: MemoryStore) -> None:
    """What is offered for a share follows from the target's price before the bid."""
    events = [event for event in of(world, "bid") if event["facts"]["stage"] == "proposed"]
    assert len(events) == 6
    for event in events:
        close = read.previous_close(world, event["other"], calendar.parse(event["at"]), adjusted=False)
        assert close is not None
        assert float(event["facts"]["price"]) == round(close["close"] * (1 + int(event["facts"]["premium"]) / 100), 2)
    assert sum(event["facts"]["stage"] == "withdrawn" for event in of(world, "bid")) == 4


def test_ratings_go_on_from_each_other(world: MemoryStore) -> None:
    """An analyst leaves the grade that he gave before, and belongs to his house."""
    people = {row["name"]: row["employer"] for row in world.rows(PEOPLE) if row["role"] == "analyst"}
    last: dict[tuple[str, str], str] = {}
    for event in of(world, "rating"):
        facts = event["facts"]
        assert people[str(facts["analyst"])] == facts["house"]
        key = (event["ticker"], str(facts["analyst"]))
        assert last.get(key, facts["from"]) == facts["from"] != facts["to"]
        last[key] = str(facts["to"])


def test_both_companies_of_an_event_find_it(world: MemoryStore) -> None:
    """An event is read under either of its companies, from its time on."""
    event = of(world, "contract")[0]
    for ticker in (event["ticker"], event["other"]):
        assert event in read.events(world, ticker, NOW)
        assert event in read.events(world, ticker, calendar.parse(event["at"]))
        assert event not in read.events(world, ticker, calendar.opens(calendar.START))
