"""News agree with the events that they report, unless they are marked."""

from collections import Counter

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.news import telling
from mcp_servers.world.news.scripts import SCRIPTS
from mcp_servers.world.rows import ARTICLES, EVENTS, PEOPLE, STATEMENTS, Article, Event
from mcp_servers.world.store import MemoryStore


@pytest.fixture(scope="module")
def articles(world: MemoryStore) -> list[Article]:
    """All articles."""
    return list(world.rows(ARTICLES))


def keys(event: Event, facts: dict[str, str | float | int]) -> dict[str, str]:
    """What an article with these facts says in its first sentences."""
    script = SCRIPTS[telling.script_of(event["ticker"], event["kind"], facts)]
    places = telling.places(event["ticker"], event["kind"], facts)
    return {key: places[key] for key in script.keys}


def test_there_are_three_thousand_articles(articles: list[Article]) -> None:
    """Articles are many, in order, and have ids and addresses of their own."""
    assert len(articles) >= 3000
    assert [row["at"] for row in articles] == sorted(row["at"] for row in articles)
    assert len({row["id"] for row in articles}) == len({row["url"] for row in articles}) == len(articles)
    assert articles[0]["at"] >= calendar.START
    assert articles[-1]["at"] <= f"{calendar.END}T23:59:59Z"


def test_texts_do_not_look_alike(articles: list[Article]) -> None:
    """Few titles are repeated, no text is, and no sentence ends more than a few per cent of the articles."""
    texts = Counter(row["text"] for row in articles if row.get("flaw") != "duplicate")
    assert max(texts.values()) == 1
    titles = Counter(row["title"] for row in articles)
    assert sum(count - 1 for count in titles.values()) < 0.1 * len(articles)
    endings = Counter(" ".join(row["text"].split()[-6:]) for row in articles)
    assert endings.most_common(1)[0][1] < 0.07 * len(articles)


def test_articles_tell_the_facts_of_their_event(world: MemoryStore, articles: list[Article]) -> None:
    """An article without a flaw says the key facts of its event; a wrong one says another value of one of them."""
    wrong = 0
    for row in articles:
        if "event" not in row:
            continue
        event = world.rows(EVENTS).get(row["event"])
        assert event is not None
        told = keys(event, row["about"])
        missing = [value for value in told.values() if value.lower() not in row["text"].lower()]
        assert not missing, (row["id"], missing, row["text"])
        if row.get("flaw") == "wrong":
            wrong += 1
            differs = {name for name, value in event["facts"].items() if row["about"][name] != value}
            assert len(differs) == 1
            assert told != keys(event, event["facts"]), row["id"]
        else:
            assert row["about"] == event["facts"]
    assert wrong > 60


def test_articles_come_after_their_event(world: MemoryStore, articles: list[Article]) -> None:
    """Reports follow within two days, late ones after days, and concern the event's companies."""
    late = 0
    for row in articles:
        event = world.rows(EVENTS).get(row.get("event", ""))
        if event is None:
            continue
        delay = (calendar.parse(row["at"]) - calendar.parse(event["at"])).total_seconds() / 86_400
        assert row["tickers"] == [event["ticker"], event["other"]][: 2 if event["other"] else 1]
        if row.get("flaw") == "late":
            late += 1
            assert delay > 3.9
        elif row.get("flaw") != "duplicate":
            assert 0 < delay < 1
    assert late > 40


def test_duplicates_repeat_another_publisher(world: MemoryStore, articles: list[Article]) -> None:
    """A duplicate has the text of an earlier article, under another name."""
    copies = [row for row in articles if row.get("flaw") == "duplicate"]
    assert len(copies) > 60
    for row in copies:
        first = world.rows(ARTICLES).get(row.get("copy_of", ""))
        assert first is not None
        assert first["at"] < row["at"]
        assert first["publisher"] != row["publisher"]
        assert row["text"].replace(row["publisher"], first["publisher"]) == first["text"]


def test_flaws_are_not_told(articles: list[Article]) -> None:
    """No text says that it is wrong, late or a copy."""
    for row in articles:
        text = f"{row['title']} {row['text']}".lower()
        assert not any(word in text for word in ("erroneous", "duplicate", "flaw", "incorrect"))


def test_comparisons_agree_with_the_statements(world: MemoryStore, articles: list[Article]) -> None:
    """An article that compares two companies has the shares of their last filed quarters."""
    compared = [row for row in articles if "measure" in row["about"]]
    assert len(compared) > 200
    for row in compared:
        for whose in ("mine", "theirs"):
            statement = world.rows(STATEMENTS).get(str(row["about"][whose]))
            assert statement is not None
            assert statement["accepted"] <= row["at"]
            share = statement["income"][str(row["about"]["measure"])] / statement["income"]["revenue"]
            assert f"{share * 100:.1f}%" in row["text"]


def test_moves_agree_with_the_bars(world: MemoryStore, articles: list[Article]) -> None:
    """An article about a large move or a week tells the close of its day."""
    moved = [row for row in articles if "change" in row["about"] and "event" not in row]
    assert len(moved) > 200
    for row in moved:
        day = str(row["about"]["date"])
        bar = read.bars(world, row["tickers"][0], day, day, NOW, adjusted=False)[0]
        assert row["about"]["close"] == bar["close"]
        assert f"{bar['close']:,.2f}".rstrip("0") in row["text"] or f"{bar['close']:.4f}".rstrip("0") in row["text"]


def test_reporters_write_for_their_publisher(world: MemoryStore, articles: list[Article]) -> None:
    """Every author is a reporter of the publisher."""
    employers = {row["name"]: row["employer"] for row in world.rows(PEOPLE) if row["role"] == "reporter"}
    assert all(employers[row["author"]] == row["publisher"] for row in articles)


def test_news_are_read_newest_first_until_now(world: MemoryStore) -> None:
    """A reader gets what was published until now, about one company or all, as many as asked for."""
    now = calendar.closes("2025-03-05")
    at = calendar.stamp(now)
    found = read.news(world, now, limit=50)
    everything = [row for row in world.rows(ARTICLES) if row["at"] <= at]
    assert [row["id"] for row in found] == [row["id"] for row in everything[-50:][::-1]]
    about = read.news(world, now, ticker="ORCA")
    assert about == [row for row in everything[::-1] if "ORCA" in row["tickers"]]
    assert read.news(world, now, ticker="ORCA", limit=3) == about[:3]
    recent = read.news(world, now, since="2025-02-01")
    assert recent == [row for row in everything[::-1] if row["at"] >= "2025-02-01"]
    assert read.article(world, found[0]["id"], now) == found[0]
    assert read.article(world, found[0]["id"], calendar.opens(calendar.START)) is None
