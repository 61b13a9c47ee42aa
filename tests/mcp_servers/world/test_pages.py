"""Pages hold facts that nothing else has, and links that lead somewhere."""

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.pages.draft import BEFORE
from mcp_servers.world.rows import ARTICLES, COMPANIES, EVENTS, PAGES, Page
from mcp_servers.world.store import MemoryStore


@pytest.fixture(scope="module")
def pages(world: MemoryStore) -> list[Page]:
    """All pages."""
    return list(world.rows(PAGES))


def test_there_are_six_hundred_pages(pages: list[Page]) -> None:
    """Pages are many and different, on many sites, none of them real."""
    assert len(pages) >= 600
    assert len({page["text"] for page in pages}) == len(pages)
    assert len({page["site"] for page in pages}) > 80
    assert all(
        page["site"].endswith(".example") and page["url"].startswith(f"https://{page['site']}/") for page in pages
    )
    assert all(page["published"] <= f"{calendar.END}T23:59:59Z" for page in pages)


def test_a_page_tells_its_facts(pages: list[Page]) -> None:
    """Every fact stands in the text as it says, and most pages have some."""
    for page in pages:
        for fact in page["facts"]:
            assert fact["text"] in page["text"], (page["url"], fact)
    assert sum(bool(page["facts"]) for page in pages) > 0.8 * len(pages)


def test_facts_agree_between_pages(pages: list[Page]) -> None:
    """Two pages that tell the same thing tell it alike; only a test may measure something else than a maker claims."""
    known: dict[tuple[str, str], str | int | float] = {}
    for page in pages:
        for fact in page["facts"]:
            key = (fact["subject"], fact["attribute"])
            assert known.setdefault(key, fact["value"]) == fact["value"], (page["url"], fact)


def test_some_tests_measure_other_figures(pages: list[Page]) -> None:
    """Claims of makers and measurements differ in some reviews, so that sources can be reconciled."""
    facts = {(fact["subject"], fact["attribute"]): fact["value"] for page in pages for fact in page["facts"]}
    measured = [(key, value) for key, value in facts.items() if key[1].startswith("measured ")]
    different = [key for key, value in measured if facts[key[0], key[1].removeprefix("measured ")] != value]
    assert 20 < len(different) < len(measured)


def test_every_company_has_its_pages(world: MemoryStore, pages: list[Page]) -> None:
    """Each company has a start page, which leads to its other pages."""
    urls = {page["url"]: page for page in pages}
    for company in world.rows(COMPANIES):
        home = urls[f"{company['website']}/"]
        assert len(home["links"]) >= 5
        assert sum(page["tickers"] == [company["ticker"]] for page in pages) >= 10


def test_links_lead_to_pages_that_can_be_seen(world: MemoryStore, pages: list[Page]) -> None:
    """A link leads to a page or an article that exists when the page is read, and stands in the text."""
    published = {page["url"]: page["published"] for page in pages} | {
        row["url"]: row["at"] for row in world.rows(ARTICLES)
    }
    linked = 0
    for page in pages:
        for url in page["links"]:
            linked += 1
            assert published[url] <= max(page["published"], BEFORE)
            assert f"]({url})" in page["text"]
            assert url != page["url"]
    assert linked > 1000


def test_products_of_the_worlds_years_come_with_their_launch(world: MemoryStore, pages: list[Page]) -> None:
    """The page of a product appears when it is presented, and gives the figure that the news give."""
    for event in world.rows(EVENTS):
        if event["kind"] != "product":
            continue
        page = next(page for page in pages if page["title"] == event["facts"]["product"])
        assert page["published"] == event["at"]
        assert str(event["facts"]["value"]) in page["text"]


def test_some_pages_are_traps(pages: list[Page]) -> None:
    """A dozen pages or more hold instructions, and are marked for whoever checks that nobody follows them."""
    planted = [page for page in pages if page.get("planted")]
    assert 12 <= len(planted) <= 60
    assert not any("ignore all previous instructions" in page["text"] for page in pages if not page.get("planted"))


def test_pages_are_read_until_now(world: MemoryStore, pages: list[Page]) -> None:
    """A page is found by its address from its day on, with or without a slash; so is an article."""
    page = max(pages, key=lambda page: page["published"])
    assert read.page(world, page["url"], NOW) == page
    assert read.page(world, f"{page['url']}/", NOW) == page
    assert read.page(world, page["url"], calendar.opens(calendar.START)) is None
    article = next(iter(world.rows(ARTICLES)))
    found = read.page(world, article["url"], NOW)
    assert found is not None
    assert article["text"] in found["text"]
    assert read.page(world, article["url"], calendar.opens(calendar.START)) is None
    assert read.page(world, "https://nowhere.example/", NOW) is None
    early = read.pages(world, calendar.opens(calendar.START))
    assert early == [page for page in pages if page["published"] <= calendar.stamp(calendar.opens(calendar.START))]
    assert read.pages(world, NOW, site=page["site"]) == [each for each in pages if each["site"] == page["site"]]
