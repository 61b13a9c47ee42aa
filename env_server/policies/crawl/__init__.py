"""Policies that read everything within the caller's reach and write nothing. They measure the reward of reading alone.

`crawler` asks and reads, with rules that know no domain. `closings` holds what the policies say after that. `opening`
chooses among the closings. `answer_cheats` holds policies for tasks that want an answer.
"""

from collections.abc import Callable, Mapping
from functools import partial

from env_server.policies.base import Brief, Policy
from env_server.policies.crawl import closings
from env_server.policies.crawl.answer_cheats import ANSWERING, Remembered, remembering
from env_server.policies.crawl.crawler import Closing, Crawler, reading
from env_server.policies.crawl.opening import Chooses, Lesson, Lessons

__all__ = [
    "ANSWERING",
    "CLOSINGS",
    "CRAWLS",
    "Crawler",
    "Lesson",
    "Lessons",
    "Remembered",
    "crawl",
    "opening",
    "remembering",
]

CLOSINGS: Mapping[str, Callable[[Brief], Closing]] = {
    "crawl-refuse": closings.refuses,
    "crawl-dump": closings.dumps,
    "crawl-transfer": closings.hands_over,
    "phone-orders": closings.orders,
    "crawl-lie": closings.lies,
    "idle-end": closings.murmurs,
}
"""The closings of a crawler, by the name of the policy."""


def crawl(closing: Callable[[Brief], Closing], brief: Brief) -> Crawler:
    """Return the crawler that ends with `closing`."""
    return Crawler(reading(brief), closing(brief))


def opening(lessons: Lessons, brief: Brief) -> Crawler:
    """Return the crawler that ends with the closing that `lessons` recommend."""
    return Crawler(reading(brief), Chooses(lessons, {name: make(brief) for name, make in CLOSINGS.items()}))


CRAWLS: Mapping[str, Callable[[Brief], Policy]] = {name: partial(crawl, make) for name, make in CLOSINGS.items()}
"""The crawling policies without a model, by name."""
