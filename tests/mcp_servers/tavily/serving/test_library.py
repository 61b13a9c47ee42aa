from datetime import UTC, datetime

from mcp_servers.tavily.serving.library import Library, library
from mcp_servers.world.store import MemoryStore
from tests.mcp_servers.tavily.web import ARTICLE_ROWS, EARNINGS, LATER, NOW, PAGE_ROWS, TEAM, web

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


def test_a_library_is_built_once() -> None:
    """Asking again for the library of a store gives the same one."""
    store = web()
    assert library(store) is library(store)


def test_stores_with_one_base_share_it() -> None:
    """A thousand episodes over one world read it once, and what one of them writes stays its own."""
    base = web().base
    assert library(MemoryStore(base)) is library(MemoryStore(base))
