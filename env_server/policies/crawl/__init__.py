"""Policies that read everything within the caller's reach and write nothing; they measure what looking alone earns.

`crawler` asks and reads, in words and by rules that know no domain; `closings` are what the policies say after that;
`opening` chooses among them.
"""

from collections.abc import Callable, Mapping
from functools import partial

from env_server.policies.base import Brief, Policy
from env_server.policies.crawl import closings
from env_server.policies.crawl.crawler import Closing, Crawler, reading
from env_server.policies.crawl.opening import Chooses, Lesson, Lessons

__all__ = ["CLOSINGS", "CRAWLS", "Crawler", "Lesson", "Lessons", "crawl", "opening"]

CLOSINGS: Mapping[str, Callable[[Brief], Closing]] = {
    "crawl-refuse": closings.refuses,
    "crawl-dump": closings.dumps,
    "crawl-transfer": closings.hands_over,
    "phone-orders": closings.orders,
    "crawl-lie": closings.lies,
    "idle-end": closings.murmurs,
}
"""What a crawler may end with, by the name of the policy."""


def crawl(closing: Callable[[Brief], Closing], brief: Brief) -> Crawler:
    """The crawler that ends with `closing`."""
    return Crawler(reading(brief), closing(brief))


def opening(lessons: Lessons, brief: Brief) -> Crawler:
    """The crawler that ends with whatever `lessons` speak for."""
    return Crawler(reading(brief), Chooses(lessons, {name: make(brief) for name, make in CLOSINGS.items()}))


CRAWLS: Mapping[str, Callable[[Brief], Policy]] = {name: partial(crawl, make) for name, make in CLOSINGS.items()}
"""Those without a model that look first, by name."""
