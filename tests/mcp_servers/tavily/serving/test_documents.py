import pytest

from mcp_servers.tavily.serving.documents import find, on_site, site_of
from mcp_servers.world.rows import PAGES
from tests.mcp_servers.tavily.web import EARNINGS, HOME, LATER, NOW, TEAM, page, web


@pytest.mark.parametrize(
    "spelling",
    [
        TEAM,
        f"{TEAM}/",
        f"{TEAM}#people",
        TEAM.replace("https", "http"),
        TEAM[len("https://") :],
        TEAM.replace("https://", "https://WWW."),
        f" {TEAM} ",
    ],
)
def test_an_address_has_many_spellings(spelling: str) -> None:
    """Scheme, `www.`, last slash, fragment and the host's letters do not matter to find a page."""
    document = find(web(), spelling, NOW)
    assert document
    assert document.url == TEAM


@pytest.mark.parametrize("address", ["", "https://[", "nonsense", "https://orca-marine.example/none", "\x00", LATER])
def test_what_is_no_address_finds_nothing(address: str) -> None:
    """A malformed or unknown address, or that of a later page, finds nothing and is no crash."""
    assert find(web(), address, NOW) is None
    assert site_of(address) in {"", "nonsense", "orca-marine.example", "\x00"}


def test_an_article_is_a_page() -> None:
    """News stand under their addresses with a byline."""
    document = find(web(), EARNINGS, NOW)
    assert document
    assert document.markdown.startswith("# Orca Marine beats estimates\n\nBy R. Vance")


@pytest.mark.parametrize("text", ["# Ferries of Orca\n\nWe build.", "We build."])
def test_a_document_has_one_heading(text: str) -> None:
    """A text with a heading keeps it; another gets its title for one. The text itself comes without."""
    store = web()
    store.rows(PAGES).put(page(HOME, "Ferries of Orca", text))
    document = find(store, HOME, NOW)
    assert document
    assert document.markdown == "# Ferries of Orca\n\nWe build."
    assert document.text == "We build."


def test_a_site_has_the_pages_of_now() -> None:
    """The pages of a host come in the order of their addresses, later ones not at all."""
    urls = [document.url for document in on_site(web(), "orca-marine.example", NOW)]
    assert urls == sorted(urls)
    assert HOME in urls
    assert LATER not in urls
