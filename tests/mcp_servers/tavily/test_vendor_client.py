from collections.abc import Iterator

import pytest
from tavily import TavilyClient  # type: ignore[import-untyped]
from tavily.errors import (  # type: ignore[import-untyped]
    BadRequestError,
    ForbiddenError,
    InvalidAPIKeyError,
    UsageLimitExceededError,
)

from mcp_servers.tavily.stand_in import stand_in
from mcp_servers.world.store import Scope
from tests.mcp_servers.served import served
from tests.mcp_servers.tavily.web import EARNINGS, HOME, NOW, TEAM, web


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the stand-in listens."""
    store = web()
    with served(stand_in(lambda: Scope(store, NOW))) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[TavilyClient]:
    """Tavily's own client, pointed at the stand-in."""
    with TavilyClient("tvly-1", api_base_url=address) as client:
        yield client


def test_it_searches(client: TavilyClient) -> None:
    """Tavily's client searches with all that it offers."""
    found = client.search(
        "Who founded Orca Marine?",
        search_depth="advanced",
        topic="general",
        max_results=3,
        include_answer="basic",
        include_raw_content="text",
        include_domains=["orca-marine.example"],
        include_favicon=True,
        include_usage=True,
    )
    assert "Greta Lind" in found["answer"]
    assert found["results"][0]["url"] == TEAM
    assert found["results"][0]["favicon"] == "https://orca-marine.example/favicon.ico"
    assert found["usage"] == {"credits": 2}
    assert client.search("orca", topic="news", days=30)["results"][0]["url"] == EARNINGS


@pytest.mark.filterwarnings("ignore:qna_search is deprecated")
def test_it_answers_questions(client: TavilyClient) -> None:
    """The client's question answering, which looks seven days back, finds news and no older page."""
    assert "$1.32" in client.qna_search("How much did Orca earn per share?")


def test_it_reads_and_walks(client: TavilyClient) -> None:
    """Tavily's client extracts, crawls and maps."""
    extracted = client.extract([TEAM, "https://none.example"], include_images=True)
    assert extracted["results"][0]["images"] == []
    assert extracted["failed_results"][0]["url"] == "https://none.example"
    assert client.map(HOME, max_depth=2)["results"][0] == HOME
    assert len(client.crawl(HOME, limit=2, instructions="founded")["results"]) == 1


@pytest.mark.parametrize(
    ("key", "error"),
    [
        ("bad-key", InvalidAPIKeyError),
        ("busy-key", UsageLimitExceededError),
        ("spent-key", ForbiddenError),
        ("unpaid-key", ForbiddenError),
    ],
)
def test_it_meets_keys_that_are_turned_away(address: str, key: str, error: type[Exception]) -> None:
    """Tavily's client raises its own errors for keys with a meaning."""
    with TavilyClient(key, api_base_url=address) as client, pytest.raises(error):
        client.search("orca")


def test_it_meets_bad_requests(client: TavilyClient) -> None:
    """What is out of limits is a bad request with a reason."""
    with pytest.raises(BadRequestError, match="query"):
        client.search("q" * 401)
    with pytest.raises(BadRequestError, match="max_results"):
        client.search("orca", max_results=21)
    with pytest.raises(BadRequestError, match="The pattern"):
        client.map(HOME, select_paths=["("])
