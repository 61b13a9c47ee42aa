"""The service of the stand-in: search, extract, crawl and map over the offline web, for a store and a time."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatch
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from mcp_servers.tavily.serving.answers import answer
from mcp_servers.tavily.serving.crawling import crawl
from mcp_servers.tavily.serving.documents import Document, find
from mcp_servers.tavily.serving.library import Hit, Query, Source, library
from mcp_servers.tavily.serving.words import passages, plain
from mcp_servers.tavily.wire import CrawlRequest, ExtractRequest, MapRequest, SearchRequest
from mcp_servers.world.calendar import stamp
from mcp_servers.world.store import Store

Fields = dict[str, Any]

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366, "d": 1, "w": 7, "m": 31, "y": 366}
_READ_FOR_ANSWER = 5
_READ_FOR_PHRASE = 200


def search(store: Store, request: SearchRequest, now: datetime) -> Fields:
    """Return the pages and news that match a query best. Return only news if news is the topic."""
    index = library(store)
    query = index.query(request.query, now)
    found: Iterator[Hit] = filter(_wanted(request, now), index.search(query))
    if request.exact_match and (phrases := re.findall(r'"([^"]+)"', request.query)):
        found = (hit for hit in islice(found, _READ_FOR_PHRASE) if _holds(find(store, hit.source.url, now), phrases))
    hits = islice(found, max(request.max_results, _READ_FOR_ANSWER))
    read = [(hit, document) for hit in hits if (document := find(store, hit.source.url, now)) is not None]
    return {
        "query": request.query,
        "answer": (answer(query, [document for _, document in read]) or "") if request.include_answer else None,
        "images": [],
        "results": [_result(request, query, hit, document) for hit, document in read[: request.max_results]],
        **_usage(request.include_usage, 2 if request.search_depth == "advanced" else 1),
    }


def extract(store: Store, request: ExtractRequest, now: datetime) -> Fields:
    """Return the texts of pages, or their passages that match the request's query."""
    results: list[Fields] = []
    failed: list[Fields] = []
    for url in request.urls:
        if (document := find(store, url, now)) is None:
            failed.append({"url": url, "error": "The page does not exist or cannot be fetched."})
            continue
        text = _text(document, request.format)
        if request.query:
            text = _quoted(document, library(store).query(request.query, now), request.chunks_per_source)
        results.append({"url": url, "title": document.title, "raw_content": text, **_pictures(request, document)})
    return {"results": results, "failed_results": failed, **_usage(request.include_usage, (len(results) + 4) // 5)}


def crawled(store: Store, request: CrawlRequest, now: datetime) -> Fields:
    """Return the texts of the pages that links lead to. Raise ValueError for an unusable pattern."""
    documents, query = _followed(store, request, now)
    results = [
        {
            "url": document.url,
            "raw_content": _quoted(document, query, request.chunks_per_source)
            if query
            else _text(document, request.format),
            **_pictures(request, document),
        }
        for document in documents
    ]
    return {"base_url": request.url, "results": results, **_usage(request.include_usage, (len(results) + 4) // 5)}


def mapped(store: Store, request: MapRequest, now: datetime) -> Fields:
    """Return the addresses of the pages that links lead to. Raise ValueError for an unusable pattern."""
    documents, _ = _followed(store, request, now)
    urls = [document.url for document in documents]
    return {"base_url": request.url, "results": urls, **_usage(request.include_usage, (len(urls) + 9) // 10)}


def _followed(store: Store, request: CrawlRequest | MapRequest, now: datetime) -> tuple[list[Document], Query | None]:
    """Return the crawl's documents. With instructions, return only documents that contain one of their words."""
    documents = crawl(store, request, now)
    if not request.instructions:
        return documents, None
    query = library(store).query(request.instructions, now)
    fitting = {hit.source.url for hit in library(store).search(query)}
    return [document for document in documents if document.url in fitting], query


def _result(request: SearchRequest, query: Query, hit: Hit, document: Document) -> Fields:
    chunks = request.chunks_per_source if request.search_depth == "advanced" else 1
    raw = request.include_raw_content
    found = {
        "url": hit.source.url,
        "title": document.title,
        "content": _quoted(document, query, chunks),
        "score": hit.score,
        "raw_content": _text(document, "text" if raw == "text" else "markdown") if raw else None,
    }
    if hit.source.news:
        found["published_date"] = hit.source.published
    return found | ({"favicon": _favicon(document)} if request.include_favicon else {})


def _wanted(request: SearchRequest, now: datetime) -> Callable[[Hit], bool]:
    """Return a function that tests whether a hit has the requested topic, time and domain."""
    since, until = request.start_date or "", request.end_date
    days = [_DAYS[request.time_range]] if request.time_range else []
    days += [request.days] if request.days else []
    if days:
        since = max(since, stamp(now - timedelta(days=min(*days, 36_500)))[:10])

    def wanted(hit: Hit) -> bool:
        source = hit.source
        return (
            (source.news or request.topic != "news")
            and source.published[:10] >= since
            and (until is None or source.published[:10] <= until)
            and (not request.include_domains or _in(source, request.include_domains))
            and not (request.exclude_domains and _in(source, request.exclude_domains))
        )

    return wanted


def _in(source: Source, domains: Sequence[str]) -> bool:
    """Return whether a source is in one of `domains`: a host, `*.com`, or a host with the beginning of a path."""
    path = urlsplit(source.url).path
    for domain in domains:
        host, _, start = domain.lower().split("://")[-1].removeprefix("www.").partition("/")
        if (fnmatch(source.site, host) or source.site.endswith(f".{host}")) and path.lower().startswith(f"/{start}"):
            return True
    return False


def _holds(document: Document | None, phrases: Sequence[str]) -> bool:
    text = document.markdown.lower() if document else ""
    return all(phrase.lower() in text for phrase in phrases)


def _quoted(document: Document, query: Query, chunks: int) -> str:
    return " [...] ".join(passages(document.text, query.weights, chunks))


def _text(document: Document, markup: str) -> str:
    return plain(document.markdown) if markup == "text" else document.markdown


def _pictures(request: ExtractRequest | CrawlRequest, page: Document) -> Fields:
    images: Fields = {"images": []} if request.include_images else {}
    return images | ({"favicon": _favicon(page)} if request.include_favicon else {})


def _favicon(document: Document) -> str:
    return f"https://{document.site}/favicon.ico"


def _usage(wanted: bool, credits_: int) -> Mapping[str, Any]:
    return {"usage": {"credits": credits_}} if wanted else {}
