"""The tools: search, questions, extraction, crawling and maps."""

from urllib.parse import unquote

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.tools import resource, tool
from mcp_servers.tavily import arguments as take
from mcp_servers.tavily.api import Tavily
from mcp_servers.tavily.results import Answer, Documents, SearchResults, SiteMap
from mcp_servers.tavily.wire import CrawlRequest, ExtractRequest, MapRequest, SearchRequest


@tool(profile="limited", title="Web search")
async def tavily_search(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    query: take.Query,
    max_results: take.MaxResults = 5,
    search_depth: take.SearchDepth = "basic",
    topic: take.About = "general",
    time_range: take.Since = None,
    start_date: take.First = None,
    end_date: take.Last = None,
    include_domains: take.Include = [],  # noqa: B006 -- never changed
    exclude_domains: take.Exclude = [],  # noqa: B006
    include_answer: take.WithAnswer = False,
    include_raw_content: take.WithText = False,
    exact_match: take.Exact = False,
    days: take.Days = None,
    include_images: take.Images = False,  # noqa: ARG001 -- models know it
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
        days=days,
    )
    return SearchResults.of(query, await api.search(request))


@tool(profile="limited", title="Read pages")
async def tavily_extract(
    api: Tavily,
    urls: take.Addresses,
    query: take.Passage = None,
    chunks_per_source: take.Passages = 3,
    extract_depth: take.Thorough = "basic",
    format: take.Form = "markdown",
) -> Documents:
    """Read web pages. A long text is cut; with `query`, the passages that fit are given instead.

    Example: tavily_extract(urls=["https://www.orcadia-semiconductor.example/leadership"], query="chief executive")
    """
    request = ExtractRequest(
        urls=urls,
        query=query,
        chunks_per_source=chunks_per_source,
        extract_depth=extract_depth,
        format=format,
    )
    return Documents.extracted(await api.extract(request))


@tool(profile="limited", title="Answer a question")
async def tavily_qna_search(
    api: Tavily,
    query: take.Question,
    search_depth: take.SearchDepth = "advanced",
    topic: take.About = "general",
    max_results: take.MaxResults = 5,
    include_domains: take.Include = [],  # noqa: B006
    exclude_domains: take.Exclude = [],  # noqa: B006
) -> Answer:
    """Answer a question from the web in a sentence or so, or say that no page answers it.

    Example: tavily_qna_search(query="When was Orcadia Semiconductor founded?")
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


@tool(title="Crawl a site")
async def tavily_crawl(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    url: take.Url,
    max_depth: take.Levels = 1,
    max_breadth: take.Breadth = 20,
    limit: take.Limit = 20,
    instructions: take.Instructions = None,
    select_paths: take.SelectPaths = [],  # noqa: B006
    exclude_paths: take.ExcludePaths = [],  # noqa: B006
    select_domains: take.SelectDomains = [],  # noqa: B006
    allow_external: take.External = True,
    extract_depth: take.Thorough = "basic",
    format: take.Form = "markdown",
) -> Documents:
    """Read a page and those that it links to. With `instructions`, give only the passages that fit them.

    Example: tavily_crawl(url="https://www.orcadia-semiconductor.example/", max_depth=1, limit=3)
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


@tool(title="Map a site")
async def tavily_map(  # noqa: PLR0913, PLR0917 -- its parameters are its schema
    api: Tavily,
    url: take.Url,
    max_depth: take.Levels = 1,
    max_breadth: take.Breadth = 20,
    limit: take.Limit = 50,
    instructions: take.Instructions = None,
    select_paths: take.SelectPaths = [],  # noqa: B006
    exclude_paths: take.ExcludePaths = [],  # noqa: B006
    select_domains: take.SelectDomains = [],  # noqa: B006
    allow_external: take.External = True,
) -> SiteMap:
    """List the addresses of a page and of those that it links to, without reading them.

    Example: tavily_map(url="https://www.orcadia-semiconductor.example/", max_depth=2, limit=20)
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
        raise UpstreamError(ErrorKind.NOT_FOUND, "there is no page under this address")
    return response.results[0].raw_content
