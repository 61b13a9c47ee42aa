"""The tools: search, questions, extraction, crawling and maps."""

from typing import Annotated, Literal
from urllib.parse import unquote

from pydantic import Field

from mcp_servers.kit.errors import Kind, UpstreamError
from mcp_servers.kit.server import resource, tool
from mcp_servers.tavily.api import Tavily
from mcp_servers.tavily.results import Answer, Documents, SearchResults, SiteMap
from mcp_servers.tavily.wire import (
    CrawlRequest,
    Date,
    Depth,
    ExtractRequest,
    MapRequest,
    Markup,
    Patterns,
    Period,
    SearchRequest,
    Topic,
    Urls,
    Words,
)

MaxResults = Annotated[int, Field(description="How many pages to give, from 1 to 20.", ge=1, le=20)]
SearchDepth = Annotated[Depth, Field(description="`advanced` quotes up to three passages of each page.")]
About = Annotated[Topic, Field(description="`news` finds only news articles.")]
Since = Annotated[Period | None, Field(description="Only pages of the last day, week, month or year.")]
First = Annotated[Date | None, Field(description="Only pages from this day on, as YYYY-MM-DD.")]
Last = Annotated[Date | None, Field(description="Only pages up to this day, as YYYY-MM-DD.")]
Include = Annotated[list[str], Field(description="Only pages of these domains.", max_length=300)]
Exclude = Annotated[list[str], Field(description="No pages of these domains.", max_length=150)]
WithText = Annotated[bool, Field(description="Whether to give the texts of the pages too.")]
WithAnswer = Annotated[bool, Field(description="Whether to give a short answer too.")]
Exact = Annotated[bool, Field(description='Whether a part of the query in "quotes" must occur as it stands.')]
Passages = Annotated[int, Field(description="How many passages of each page to give with a query.", ge=1, le=5)]
Thorough = Annotated[Literal["basic", "advanced"], Field(description="`advanced` reads tables and embedded parts too.")]
Form = Annotated[Markup, Field(description="The form of the texts.")]
Url = Annotated[str, Field(description="The address to start from.", min_length=1, max_length=2_000)]
Levels = Annotated[int, Field(description="How many links away from the start to go.", ge=1, le=5)]
Breadth = Annotated[int, Field(description="How many links of each page to follow.", ge=1, le=500)]
Limit = Annotated[int, Field(description="How many pages to give in all.", ge=1, le=200)]
Instructions = Annotated[
    str | None, Field(description="What the pages should be about, in plain words.", max_length=400)
]
SelectPaths = Annotated[Patterns, Field(description="Only paths in which one of these regular expressions is found.")]
ExcludePaths = Annotated[Patterns, Field(description="No paths in which one of these regular expressions is found.")]
SelectDomains = Annotated[
    Patterns, Field(description="Only domains in which one of these regular expressions is found.")
]
External = Annotated[bool, Field(description="Whether to give pages of other sites that are linked to.")]


@tool(profile="limited")
async def tavily_search(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    query: Annotated[Words, Field(description="What to look for, in at most 400 characters.")],
    max_results: MaxResults = 5,
    search_depth: SearchDepth = "basic",
    topic: About = "general",
    time_range: Since = None,
    start_date: First = None,
    end_date: Last = None,
    include_domains: Include = [],  # noqa: B006 -- never changed
    exclude_domains: Exclude = [],  # noqa: B006
    include_answer: WithAnswer = False,
    include_raw_content: WithText = False,
    exact_match: Exact = False,
) -> SearchResults:
    """Search the web. Gives titles, addresses and the passages that fit; `tavily_extract` reads a page.

    Example: tavily_search(query="chief executive steps down", max_results=3, topic="news")
    """
    request = SearchRequest(
        query=query,
        max_results=max_results,
        search_depth=search_depth,
        topic=topic,
        time_range=time_range,
        start_date=start_date,
        end_date=end_date,
        include_domains=include_domains,
        exclude_domains=exclude_domains,
        include_answer=include_answer,
        include_raw_content=include_raw_content,
        exact_match=exact_match,
    )
    return SearchResults.of(query, await api.search(request))


@tool(profile="limited")
async def tavily_extract(
    api: Tavily,
    urls: Annotated[Urls, Field(description="The addresses of one to 20 pages.")],
    query: Annotated[
        str | None, Field(description="Give only the passages that fit this.", min_length=1, max_length=400)
    ] = None,
    chunks_per_source: Passages = 3,
    extract_depth: Thorough = "basic",
    format: Form = "markdown",
) -> Documents:
    """Read web pages. A long text is cut; with `query`, the passages that fit are given instead.

    Example: tavily_extract(urls=["https://example.com/"], query="dividend policy")
    """
    request = ExtractRequest(
        urls=urls,
        query=query,
        chunks_per_source=chunks_per_source,
        extract_depth=extract_depth,
        format=format,
    )
    return Documents.extracted(await api.extract(request))


@tool(profile="limited")
async def tavily_qna_search(
    api: Tavily,
    query: Annotated[Words, Field(description="A question, in at most 400 characters.")],
    search_depth: SearchDepth = "advanced",
    topic: About = "general",
    max_results: MaxResults = 5,
    include_domains: Include = [],  # noqa: B006
    exclude_domains: Exclude = [],  # noqa: B006
) -> Answer:
    """Answer a question from the web in a sentence or two, or say that no page answers it.

    Example: tavily_qna_search(query="Who founded the company?")
    """
    request = SearchRequest(
        query=query,
        search_depth=search_depth,
        topic=topic,
        max_results=max_results,
        include_domains=include_domains,
        exclude_domains=exclude_domains,
        include_answer=True,
    )
    return Answer.of(query, await api.search(request))


@tool()
async def tavily_crawl(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    url: Url,
    max_depth: Levels = 1,
    max_breadth: Breadth = 20,
    limit: Limit = 20,
    instructions: Instructions = None,
    select_paths: SelectPaths = [],  # noqa: B006
    exclude_paths: ExcludePaths = [],  # noqa: B006
    select_domains: SelectDomains = [],  # noqa: B006
    allow_external: External = True,
    extract_depth: Thorough = "basic",
    format: Form = "markdown",
) -> Documents:
    """Read a page and those that it links to. With `instructions`, give only the passages that fit them.

    Example: tavily_crawl(url="https://example.com/", max_depth=1, limit=3)
    """
    request = CrawlRequest(
        url=url,
        max_depth=max_depth,
        max_breadth=max_breadth,
        limit=limit,
        instructions=instructions,
        select_paths=select_paths,
        exclude_paths=exclude_paths,
        select_domains=select_domains,
        allow_external=allow_external,
        extract_depth=extract_depth,
        format=format,
    )
    return Documents.crawled(await api.crawl(request))


@tool()
async def tavily_map(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    url: Url,
    max_depth: Levels = 1,
    max_breadth: Breadth = 20,
    limit: Limit = 50,
    instructions: Instructions = None,
    select_paths: SelectPaths = [],  # noqa: B006
    exclude_paths: ExcludePaths = [],  # noqa: B006
    select_domains: SelectDomains = [],  # noqa: B006
    allow_external: External = True,
) -> SiteMap:
    """List the addresses of a page and of those that it links to, without reading them.

    Example: tavily_map(url="https://example.com/", max_depth=2, limit=20)
    """
    request = MapRequest(
        url=url,
        max_depth=max_depth,
        max_breadth=max_breadth,
        limit=limit,
        instructions=instructions,
        select_paths=select_paths,
        exclude_paths=exclude_paths,
        select_domains=select_domains,
        allow_external=allow_external,
    )
    return SiteMap.of(await api.map(request))


@resource("tavily://page/{url}", mime_type="text/markdown")
async def page(api: Tavily, url: str) -> str:
    """The whole text of a web page, by its percent-encoded address."""
    response = await api.extract(ExtractRequest(urls=[unquote(url)]))
    if not response.results:
        raise UpstreamError(Kind.NOT_FOUND, "there is no page under this address")
    return response.results[0].raw_content
