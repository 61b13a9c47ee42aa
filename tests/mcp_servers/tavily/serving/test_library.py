from datetime import UTC, datetime

import pytest

from mcp_servers.tavily.serving.library import Library, library, read
from mcp_servers.world.rows import PAGES
from tests.mcp_servers.tavily.web import ARTICLE_ROWS, EARNINGS, HOME, LATER, NOW, PAGE_ROWS, TEAM, web

EARLIER = datetime(2026, 1, 31, tzinfo=UTC)


def found(index: Library, text: str, now: datetime = NOW) -> list[str]:
    """The addresses that a search finds."""
    return [hit.source.url for hit in index.search(index.query(text, now))]


def test_rare_words_and_titles_weigh_more() -> None:
    """A page about the words comes before those that mention one of them."""
    index = library(web())
    assert found(index, "Dana Whitlock chief executive")[0] == TEAM
    assert found(index, "Orca beats estimates")[0] == EARNINGS
    assert found(index, "zeppelin") == []


def test_scores_are_shares_of_the_best_possible() -> None:
    """A score lies between 0 and 1, and falls from hit to hit."""
    index = library(web())
    scores = [hit.score for hit in index.search(index.query("orca yard docks", NOW))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


def test_what_appears_later_changes_nothing() -> None:
    """A search at a time gives what a library of only the rows until then gives, scores included."""
    until = EARLIER.isoformat()
    whole = Library(PAGE_ROWS, ARTICLE_ROWS)
    part = Library(
        [row for row in PAGE_ROWS if row["published"] <= until], [row for row in ARTICLE_ROWS if row["at"] <= until]
    )
    for text in ("orca marine ferries", "tern recall", "earned"):
        assert [*whole.search(whole.query(text, EARLIER))] == [*part.search(part.query(text, EARLIER))]
    assert LATER not in found(whole, "Orca Marine buys Tern")
    assert whole.find(LATER, NOW) is None


@pytest.mark.parametrize(
    "spelling",
    [TEAM, f"{TEAM}/", f"{TEAM}#people", TEAM.replace("https", "http"), TEAM[len("https://") :], f" {TEAM} "],
)
def test_an_address_has_many_spellings(spelling: str) -> None:
    """Scheme, last slash and fragment do not matter to find a page."""
    source = library(web()).find(spelling, NOW)
    assert source
    assert source.url == TEAM


@pytest.mark.parametrize("address", ["", "https://[", "nonsense", "https://orca-marine.example/none", "\x00"])
def test_what_is_no_address_finds_nothing(address: str) -> None:
    """An address that is malformed or unknown is no page and no crash."""
    assert library(web()).find(address, NOW) is None


def test_texts_come_from_the_store_of_the_call() -> None:
    """The index names the row; its text is the one that the call's store holds."""
    store = web()
    source = library(store).find(HOME, NOW)
    assert source
    row = store.rows(PAGES).get(HOME)
    assert row
    store.rows(PAGES).put({**row, "text": "Moved."})
    assert read(store, source).text == "Moved."


def test_a_library_is_built_once() -> None:
    """Asking again for the library of a store gives the same one."""
    store = web()
    assert library(store) is library(store)
