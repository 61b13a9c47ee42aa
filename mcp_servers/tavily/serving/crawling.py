"""Follows the links of the offline web from page to page."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from urllib.parse import urlsplit

from mcp_servers.tavily.serving.documents import Document, find, linked, on_site, site_of
from mcp_servers.tavily.wire import CrawlRequest, MapRequest
from mcp_servers.world.store import Store

_LONGEST_PATTERN, _MOST_REPEATS, _MOST_CHOICES = 200, 2, 4
_REPEAT, _REPEATED_GROUP = re.compile(r"(?<![\\(])[*+?{]"), re.compile(r"(?<!\\)\)[*+?{]")


def crawl(store: Store, request: CrawlRequest | MapRequest, now: datetime) -> list[Document]:
    """Return the documents that links lead to from the request's address, nearest first, within its limits.

    Raises:
        ValueError: A pattern of the request is not a regular expression, or may take too long.
    """
    wanted = _filter(request)
    found: list[Document] = []
    level = _roots(store, request.url, now)
    seen = {document.url for document in level}
    for depth in range(request.max_depth + 1):
        following: list[Document] = []
        for document in level:
            if len(found) >= request.limit:
                return found
            if wanted(document.url):
                found.append(document)
            if depth < request.max_depth and document.site == site_of(request.url):
                links = (link for link in linked(store, document, now) if _fresh(link, document, request, seen))
                following += islice(links, request.max_breadth)
        level = following
    return found


def _roots(store: Store, url: str, now: datetime) -> list[Document]:
    """Return the page under `url`. If a site has no front page, return the pages of the site."""
    if (page := find(store, url, now)) is not None:
        return [page]
    bare = not (url.partition("://")[2] or url).rstrip("/").partition("/")[2]
    return on_site(store, site_of(url), now) if bare else []


def _fresh(link: Document, document: Document, request: CrawlRequest | MapRequest, seen: set[str]) -> bool:
    """Return whether to follow a link: it is allowed and was not seen before. Mark the link as seen."""
    if link.url in seen or (link.site != document.site and not request.allow_external):
        return False
    seen.add(link.url)
    return True


def _filter(request: CrawlRequest | MapRequest) -> Callable[[str], bool]:
    select_paths, exclude_paths = _patterns(request.select_paths), _patterns(request.exclude_paths)
    select_domains, exclude_domains = _patterns(request.select_domains), _patterns(request.exclude_domains)

    def wanted(url: str) -> bool:
        path, host = urlsplit(url).path or "/", urlsplit(url).hostname or ""
        return (
            _any(select_paths, path, True)
            and not _any(exclude_paths, path, False)
            and _any(select_domains, host, True)
            and not _any(exclude_domains, host, False)
        )

    return wanted


def _any(patterns: Sequence[re.Pattern[str]], text: str, none: bool) -> bool:
    """Return whether one of `patterns` occurs in `text`. Return `none` if there are no patterns."""
    return any(pattern.search(text) for pattern in patterns) if patterns else none


def _patterns(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    """Return the compiled patterns. Refuse patterns that could take very long to match."""
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
