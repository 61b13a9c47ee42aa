"""The index of the offline web: the words of all pages and news articles, and their times of publication."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import log
from typing import NamedTuple
from weakref import WeakKeyDictionary

from mcp_servers.tavily.serving.documents import site_of
from mcp_servers.tavily.serving.words import prose, terms, words
from mcp_servers.world.calendar import stamp
from mcp_servers.world.rows import ARTICLES, PAGES, Article, Page
from mcp_servers.world.store import Store

_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75  # The usual constants of BM25, k1 and b.
_TITLE = 3  # A word in the title counts as this many words.


class Source(NamedTuple):
    """The index entry of a page or an article."""

    url: str
    published: str
    site: str
    news: bool


class Hit(NamedTuple):
    """A search result and its score from 0 to 1."""

    source: Source
    score: float


@dataclass(frozen=True)
class Query:
    """The words of a query with their weights. A word that is rarer in the sources known by now weighs more."""

    weights: Mapping[str, float]
    seen: int
    """How many of the library's sources exist by now."""


class Library:
    """A BM25 search index. Sources that appear after the time of a query do not affect its answer.

    A library is built once for the rows that many stores share. It holds words and addresses. The texts of search
    results are read from the store of the call.
    """

    def __init__(self, pages: Iterable[Page], articles: Iterable[Article]) -> None:
        """Index every row."""
        rows = [(_of_page(page), page["title"], page["text"]) for page in pages]
        rows += [(_of_article(article), article["title"], article["text"]) for article in articles]
        rows.sort(key=lambda row: (row[0].published, row[0].url))
        self.sources = [source for source, _, _ in rows]
        self._dates = [source.published for source in self.sources]
        self._postings: dict[str, tuple[list[int], list[int]]] = {}
        lengths = []
        for place, (_, title, text) in enumerate(rows):
            lengths.append(self._enter(place, words(title) * _TITLE + words(prose(text))))
        self._lengths = lengths
        self._lengths_before = [0, *accumulate(lengths)]

    def _enter(self, place: int, found: list[str]) -> int:
        for word, times in Counter(found).items():
            places, counts = self._postings.setdefault(word, ([], []))
            places.append(place)
            counts.append(times)
        return len(found)

    def query(self, text: str, now: datetime) -> Query:
        """Return the words of `text` with their weights at `now`."""
        seen = bisect_right(self._dates, stamp(now))
        return Query({term: self._rarity(term, seen) for term in terms(text)}, seen)

    def _rarity(self, term: str, seen: int) -> float:
        places = self._postings.get(term, ([], []))[0]
        holders = bisect_left(places, seen)
        return log(1 + (seen - holders + 0.5) / (holders + 0.5))

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield the documents that contain words of the query, best first.

        Among equal scores, the newer one comes first.
        """
        best = sum(query.weights.values()) or 1.0
        ranked = sorted((-round(score, 9), -place) for place, score in self._scores(query).items())
        return (Hit(self.sources[-place], round(-score / best, 6)) for score, place in ranked)

    def _scores(self, query: Query) -> dict[int, float]:
        scores: dict[int, float] = {}
        average = self._lengths_before[query.seen] / max(query.seen, 1)
        base, slope = _SATURATION * (1 - _LENGTH_WEIGHT), _SATURATION * _LENGTH_WEIGHT / max(average, 1.0)
        for term, weight in query.weights.items():
            places, counts = self._postings.get(term, ([], []))
            for place, times in zip(places[: bisect_left(places, query.seen)], counts, strict=False):
                part = weight * times / (times + base + slope * self._lengths[place])
                scores[place] = scores.get(place, 0.0) + part
        return scores


_libraries: "WeakKeyDictionary[object, Library]" = WeakKeyDictionary()


def library(store: Store) -> Library:
    """Return the library of a store. The first call makes it. Stores with the same `base` share a library.

    No tool writes pages or articles. A store that changes them still uses the words of its base.
    """
    base = getattr(store, "base", store)
    if base not in _libraries:
        _libraries[base] = Library(store.rows(PAGES), store.rows(ARTICLES))
    return _libraries[base]


def _of_page(page: Page) -> Source:
    return Source(page["url"], page["published"], site_of(page["url"]), False)


def _of_article(article: Article) -> Source:
    return Source(article["url"], article["at"], site_of(article["url"]), True)
