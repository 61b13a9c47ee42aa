from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from mcp_servers.tavily.serving.service import crawled, extract, mapped, search
from mcp_servers.tavily.wire import CrawlRequest, ExtractRequest, MapRequest, SearchRequest
from mcp_servers.world.rows import PAGES
from tests.mcp_servers.tavily.web import EARNINGS, HOME, LATER, NOW, PLANTED, RECALL, REVIEW, TEAM, YARD, web


def urls(answer: dict[str, Any]) -> list[str]:
    """The addresses of an answer's results."""
    return [result["url"] for result in answer["results"]]


def ask(query: str, now: datetime = NOW, **fields: Any) -> dict[str, Any]:
    """The answer to a search."""
    return search(web(), SearchRequest.model_validate({"query": query, **fields}), now)


def test_a_result_quotes_what_fits() -> None:
    """A result holds title, passage and score; the whole text comes only where it is asked for."""
    first = ask("Orca chief executive")["results"][0]
    assert first["url"] == TEAM
    assert "Dana Whitlock" in first["content"]
    assert first["raw_content"] is None
    assert "## People" in ask("chief executive", include_raw_content=True)["results"][0]["raw_content"]
    assert "##" not in ask("chief executive", include_raw_content="text")["results"][0]["raw_content"]


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Who founded Orca Marine?", "Greta Lind"),
        ("When was Orca Marine founded?", "1987"),
        ("How many employees does Orca Marine have?", "4,200"),
        ("How long is the largest dry dock of the yard?", "310 metres"),
        ("How much did Orca earn per share?", "$1.32"),
    ],
)
def test_an_answer_is_a_sentence_of_a_page(question: str, part: str) -> None:
    """A question is answered with the sentence that says most about it."""
    assert part in ask(question, include_answer=True)["answer"]


@pytest.mark.parametrize("question", ["Who is the mayor of Lisbon?", "What is the dividend of Quillon?", "zeppelin"])
def test_what_no_page_says_has_no_answer(question: str) -> None:
    """A question about something else is answered with nothing rather than with a guess."""
    assert ask(question, include_answer=True)["answer"] == ""


def test_news_are_a_topic() -> None:
    """The topic `news` leaves articles only, which carry their time; the general one holds them too."""
    news = ask("ferries orca tern", topic="news")
    assert set(urls(news)) == {EARNINGS, RECALL}
    assert news["results"][0]["published_date"]
    assert EARNINGS in urls(ask("Orca beats estimates"))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"time_range": "week"}, {EARNINGS}),
        ({"days": 200}, {EARNINGS, RECALL}),
        ({"start_date": "2026-01-01", "end_date": "2026-02-01"}, {RECALL}),
        ({"include_domains": ["news.example"]}, {EARNINGS, RECALL}),
        ({"include_domains": ["https://www.orca-marine.example/about"]}, {TEAM}),
        ({"exclude_domains": ["*.example"]}, set()),
        ({"exact_match": True, "query": '"recalls 12 ferries"'}, {RECALL}),
        ({"max_results": 0}, set()),
    ],
)
def test_filters(fields: dict[str, Any], found: set[str]) -> None:
    """Times, domains and quoted phrases narrow a search."""
    assert set(urls(ask(**{"query": "orca marine ferries tern", "max_results": 20, **fields}))) == found


def test_nothing_is_found_before_it_appears() -> None:
    """A page or an article that is dated after `now` is in no answer."""
    assert LATER not in urls(ask("Orca Marine buys Tern", max_results=20))
    assert "nothing" not in ask("What has Orca earned?", include_answer=True)["answer"]
    early = datetime(2020, 1, 1, tzinfo=UTC)
    assert ask("orca", early, include_answer=True) == {"query": "orca", "answer": "", "images": [], "results": []}
    assert extract(web(), ExtractRequest(urls=[LATER]), NOW)["failed_results"][0]["url"] == LATER


def test_extract_names_what_it_cannot_fetch() -> None:
    """Texts come for the pages that exist; the others are listed with a reason, and one failure hurts no other."""
    answer = extract(web(), ExtractRequest(urls=[TEAM, "https://none.example"], include_usage=True), NOW)
    assert urls(answer) == [TEAM]
    assert "founded in 1987" in answer["results"][0]["raw_content"]
    assert [failed["url"] for failed in answer["failed_results"]] == ["https://none.example"]
    assert answer["usage"] == {"credits": 1}


def test_extract_quotes_what_a_query_asks_for() -> None:
    """With a query only fitting passages come."""
    one = ExtractRequest.model_validate({"urls": YARD, "query": "largest dock", "chunks_per_source": 1})
    assert extract(web(), one, NOW)["results"][0]["raw_content"].endswith("310 metres long.")


def test_a_map_follows_links_as_deep_as_it_may() -> None:
    """Depth, breadth and limit bound the walk; links to other sites are listed and not followed."""
    store = web()
    assert urls_of(store, url=HOME) == [HOME, TEAM, YARD, REVIEW]
    assert urls_of(store, url=HOME, max_breadth=1) == [HOME, TEAM]
    assert urls_of(store, url=HOME, limit=2) == [HOME, TEAM]
    assert urls_of(store, url=HOME, allow_external=False) == [HOME, TEAM, YARD]
    assert PLANTED not in urls_of(store, url=HOME, max_depth=5)
    assert urls_of(store, url=REVIEW, max_depth=2) == [REVIEW, HOME, PLANTED]


def test_a_site_without_a_front_page_is_mapped_by_its_pages() -> None:
    """The bare host of a site leads to its pages, an unknown host to nothing."""
    store = web()
    store.rows(PAGES).delete(HOME)
    assert urls_of(store, url="https://orca-marine.example/") == [TEAM, YARD]
    assert urls_of(store, url="orca-marine.example", limit=1) == [TEAM]
    assert urls_of(store, url="orca-marine.example/none") == []
    assert urls_of(web(), url="nowhere.example") == []


def test_patterns_select_pages() -> None:
    """Paths and domains are filtered with regular expressions; a walk passes through what it leaves out."""
    store = web()
    assert urls_of(store, url=HOME, select_paths=["/about/.*", "^/places"]) == [TEAM, YARD]
    assert urls_of(store, url=HOME, exclude_paths=["/about/.*"], exclude_domains=["^harbour"]) == [HOME, YARD]
    assert urls_of(store, url=HOME, select_domains=["harbour-post"]) == [REVIEW]


@pytest.mark.parametrize("pattern", ["(", "(a+)+$", "a*a*a*$", "(a|b){2}", "x" * 300, "a?a?a?a", "a|b|c|d|e|f"])
def test_patterns_that_could_hang_are_refused(pattern: str) -> None:
    """A pattern that is broken, or whose match may take very long, is an error that names it."""
    with pytest.raises(ValueError, match="The pattern"):
        urls_of(web(), url=HOME, select_paths=[pattern])


def test_a_crawl_reads_what_it_finds() -> None:
    """A crawl gives texts; with instructions, the fitting passages of the fitting pages."""
    store = web()
    assert "builds ferries" in crawled(store, CrawlRequest(url=HOME), NOW)["results"][0]["raw_content"]
    fitting = crawled(store, CrawlRequest(url=HOME, instructions="dry docks"), NOW)
    assert urls(fitting) == [YARD, REVIEW]
    assert "##" not in fitting["results"][0]["raw_content"]


@pytest.mark.parametrize(
    "fields", [{"query": " "}, {"query": "q" * 401}, {"max_results": 21}, {"topic": "sport"}, {"start_date": "May"}]
)
def test_requests_have_limits(fields: dict[str, Any]) -> None:
    """What the service refuses is no valid request."""
    with pytest.raises(ValidationError):
        SearchRequest.model_validate({"query": "orca", **fields})


def urls_of(store: Any, **fields: Any) -> list[str]:
    """The addresses of a map."""
    found = mapped(store, MapRequest.model_validate(fields), NOW)["results"]
    assert isinstance(found, list)
    return found
