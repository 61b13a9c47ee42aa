"""Follows the links of the offline web from page to page."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from mcp_servers.tavily.serving.library import Document, Library, Source, read, site_of
from mcp_servers.tavily.wire import CrawlRequest, MapRequest
from mcp_servers.world.store import Store

_LONGEST_PATTERN, _MOST_REPEATS, _MOST_CHOICES = 200, 2, 4
_REPEAT, _REPEATED_GROUP = re.compile(r"(?<![\\(])[*+?{]"), re.compile(r"(?<!\\)\)[*+?{]")


def crawl(store: Store, library: Library, request: CrawlRequest | MapRequest, now: datetime) -> list[Document]:
    """The documents that the links lead to from the request's address, the nearest first, within its limits.

    Raises:
        ValueError: if one of the request's patterns is no regular expression, or one that may take too long.
    """
    wanted = _filter(request)
    found: list[Document] = []
    home = site_of(request.url if "://" in request.url else f"https://{request.url}")
    level = list(_roots(library, request.url, home, now))
    seen = {source.url for source in level}
    for depth in range(request.max_depth + 1):
        following: list[Source] = []
        for source in level:
            if len(found) >= request.limit:
                return found
            document = read(store, source)
            if wanted(source):
                found.append(document)
            if depth < request.max_depth and source.site == home:
                following += _links(library, request, document, seen, now)
        level = following
    return found


def _roots(library: Library, url: str, home: str, now: datetime) -> Iterator[Source]:
    """The page under `url`; where a site has no front page, the pages of the site."""
    if page := library.find(url, now):
        yield page
    elif not urlsplit(url if "://" in url else f"https://{url}").path.strip("/"):
        yield from library.site(home, now)


def _links(
    library: Library, request: CrawlRequest | MapRequest, document: Document, seen: set[str], now: datetime
) -> Iterator[Source]:
    """The pages that a page links to and that were not seen before; they count as seen then."""
    followed = 0
    for link in document.links:
        source = library.find(link, now)
        if source is None or source.url in seen or followed >= request.max_breadth:
            continue
        if source.site != document.source.site and not request.allow_external:
            continue
        seen.add(source.url)
        followed += 1
        yield source


def _filter(request: CrawlRequest | MapRequest) -> Callable[[Source], bool]:
    select_paths, exclude_paths = _patterns(request.select_paths), _patterns(request.exclude_paths)
    select_domains, exclude_domains = _patterns(request.select_domains), _patterns(request.exclude_domains)

    def wanted(source: Source) -> bool:
        path, host = urlsplit(source.url).path or "/", urlsplit(source.url).hostname or ""
        return (
            _any(select_paths, path, True)
            and not _any(exclude_paths, path, False)
            and _any(select_domains, host, True)
            and not _any(exclude_domains, host, False)
        )

    return wanted


def _any(patterns: Sequence[re.Pattern[str]], text: str, none: bool) -> bool:
    """Whether one of `patterns` occurs in `text`; `none` where there are no patterns."""
    return any(pattern.search(text) for pattern in patterns) if patterns else none


def _patterns(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    """The patterns, compiled; those that could take very long to match are refused."""
    compiled = []
    for pattern in patterns:
        if _complex(pattern):
            raise ValueError(
                f"The pattern {pattern[:_LONGEST_PATTERN]!r} is too complex: at most {_LONGEST_PATTERN} characters, "
                f"{_MOST_REPEATS} repetitions (none of a group) and {_MOST_CHOICES} of `|`."
            )
        try:
            compiled.append(re.compile(pattern))
        except re.error as problem:
            raise ValueError(f"The pattern {pattern!r} is not a regular expression: {problem}.") from problem
    return compiled


def _complex(pattern: str) -> bool:
    return (
        len(pattern) > _LONGEST_PATTERN
        or len(_REPEAT.findall(pattern)) > _MOST_REPEATS
        or pattern.count("|") > _MOST_CHOICES
        or bool(_REPEATED_GROUP.search(pattern))
    )
