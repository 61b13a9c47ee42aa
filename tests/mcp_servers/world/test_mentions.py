"""Whatever a text mentions exists, and belongs to the companies that the text is about."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from mcp_servers.world import calendar, read
from mcp_servers.world.companies.names import CITIES, FIRST, LAST
from mcp_servers.world.companies.roster import COINS
from mcp_servers.world.rows import (
    ARTICLES,
    CHANNELS,
    COMPANIES,
    EVENTS,
    MESSAGES,
    PAGES,
    PAIRS,
    PEOPLE,
    SPLITS,
    STATEMENTS,
    USERS,
)
from mcp_servers.world.store import MemoryStore

NO_TICKERS = {"EPS", "UTC", "XNAS", "XNYS", *(state for _, state, _ in CITIES), *(coin.base for coin in COINS)}
"""Words in capital letters that are no tickers."""

DATELINE = re.compile(r"^[A-Z ]+, [A-Z][a-z]+ \d+ \(")
TRAP = re.compile(r"(IMPORTANT|BEGIN|BANANA|RESULT|\[\[ASSISTANT\]\]).*")


class Text(NamedTuple):
    """A text of the world."""

    where: str
    at: str
    text: str
    tickers: list[str]


def texts(world: MemoryStore) -> Iterator[Text]:
    """All texts."""
    for article in world.rows(ARTICLES):
        text = f"{article['title']}\n{DATELINE.sub('(', article['text'])}"
        yield Text(article["url"], article["at"], text, article["tickers"])
    for page in world.rows(PAGES):
        yield Text(page["url"], page["published"], f"{page['title']}\n{page['text']}", page["tickers"])
    for message in world.rows(MESSAGES):
        at = calendar.stamp(read.moment(message["ts"]))
        yield Text(message["id"], at, message["text"], message.get("tickers", []))
    for company in world.rows(COMPANIES):
        yield Text(company["ticker"], calendar.START, company["description"], [company["ticker"]])


@pytest.fixture(scope="module")
def every(world: MemoryStore) -> list[Text]:
    """All texts of the world."""
    return list(texts(world))


def test_every_ticker_exists(world: MemoryStore, every: list[Text]) -> None:
    """Words that look like tickers are tickers of the companies that the text is about."""
    pairs = {row["ticker"] for row in world.rows(PAIRS)}
    found = 0
    for text in every:
        assert set(re.findall(r"\bX:[A-Z]+\b", text.text)) <= pairs, text
        body = re.sub(r"https://\S+|<[@#]\w+>|\bX:[A-Z]+\b", "", TRAP.sub("", text.text))
        mentioned = set(re.findall(r"\b[A-Z]{2,4}\b", body)) - NO_TICKERS
        found += bool(mentioned)
        assert mentioned <= set(text.tickers), text
    assert found > 500


def test_every_person_exists(world: MemoryStore, every: list[Text]) -> None:
    """Every first name that a last name follows belongs to somebody whom the world knows."""
    known = {row["name"] for row in world.rows(PEOPLE)} | {row["real_name"] for row in world.rows(USERS)}
    pattern = re.compile(rf"\b(?:{'|'.join(FIRST)}) (?:{'|'.join(LAST)})\b")
    named = [(text.where, name) for text in every for name in pattern.findall(text.text)]
    assert len(named) > 3000
    assert {name for _, name in named} <= known
    assert len({row["name"] for row in world.rows(PEOPLE)}) == len(list(world.rows(PEOPLE)))


def test_every_address_exists(world: MemoryStore, every: list[Text]) -> None:
    """Every address leads to a page or an article, which is older than the text or of the years before the world."""
    known = {row["url"]: row["published"] for row in world.rows(PAGES)}
    known |= {row["url"]: row["at"] for row in world.rows(ARTICLES)}
    found = 0
    for text in every:
        for url in re.findall(r"https://[^\s|>)\]]+", text.text):
            found += 1
            assert known[url] <= max(text.at, calendar.START), (text.where, url)
    assert found > 2000


def test_every_user_and_channel_exists(world: MemoryStore, every: list[Text]) -> None:
    """Mentions of members and channels name members and channels."""
    known = {row["id"] for row in world.rows(USERS)} | {row["id"] for row in world.rows(CHANNELS)}
    mentioned = {name for text in every for name in re.findall(r"<[@#](\w+)", text.text)}
    assert mentioned
    assert mentioned <= known


def test_texts_name_companies_of_one_circle(world: MemoryStore, every: list[Text]) -> None:
    """Companies of different circles never meet in a text, so that tasks can keep them apart."""
    circles = {row["ticker"]: row["circle"] for row in world.rows(COMPANIES)}
    names = {row["name"]: row["circle"] for row in world.rows(COMPANIES)}
    pattern = re.compile("|".join(map(re.escape, names)))
    for text in every:
        about = {circles.get(ticker, 0) for ticker in text.tickers}
        named = {names[name] for name in pattern.findall(text.text)}
        assert len(about) <= 1, text.where
        assert named <= about, (text.where, named, about)


def test_products_are_not_named_before_they_are_presented(world: MemoryStore, every: list[Text]) -> None:
    """A product of the world's years appears in no text before its launch."""
    launched = {str(row["facts"]["product"]): row["at"] for row in world.rows(EVENTS) if row["kind"] == "product"}
    assert len(launched) == 120
    pattern = re.compile("|".join(map(re.escape, launched)))
    for text in every:
        for product in pattern.findall(text.text):
            assert text.at >= launched[product], (text.where, product)


def test_messages_tell_of_what_has_happened(world: MemoryStore) -> None:
    """What a message is about exists, and is older than the message."""
    kinds = {
        **{row["id"]: row["at"] for row in world.rows(EVENTS)},
        **{row["id"]: row["accepted"] for row in world.rows(STATEMENTS)},
        **{row["url"]: row["published"] for row in world.rows(PAGES)},
    }
    about = [row for row in world.rows(MESSAGES) if "about" in row]
    assert len(about) > 500
    for row in about:
        at = calendar.stamp(read.moment(row["ts"]))
        if re.fullmatch(r"[A-Z]+:\d{4}-\d\d-\d\d", row["about"]):
            assert row["about"][-10:] < at[:10]
        else:
            assert kinds[row["about"]] <= max(at, calendar.START), row


def test_nothing_is_after_the_last_day(world: MemoryStore) -> None:
    """No text, event, filing or split is later than the world."""
    last = f"{calendar.END}T23:59:59Z"
    assert all(text.at <= last for text in texts(world))
    assert all(row["accepted"] <= last for row in world.rows(STATEMENTS))
    assert all(row["at"] <= last for row in world.rows(EVENTS))
    assert all(row["announced"] <= row["date"] <= calendar.END for row in world.rows(SPLITS))
