"""Batches: many resets or steps in one request, of which those that failed for a while are sent again alone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from schemas import Wire
from trainer_client.calls import Call, encoded
from trainer_client.errors import ServerError, from_item

T = TypeVar("T")

LARGEST = 1024
"""Items that the server takes in one request."""


class Results(Wire):
    """The answer to a batch, its results unread."""

    results: list[dict[str, Any]]


class Unfinished(Exception):
    """Some items of a batch have failed, and may succeed when sent again."""

    retryable = True
    retry_after = None


class Batch(Generic[T]):
    """One request's worth of items and what became of each."""

    def __init__(self, path: str, items: Sequence[dict[str, Any]], read: Callable[[int, dict[str, Any]], T]) -> None:
        """Send `items` to `path`; `read` makes a result of an item's index and its reply."""
        self._path, self._items, self._read = path, items, read
        self._results: dict[int, T | ServerError] = {}
        self._open = list(range(len(items)))

    def call(self) -> Call[Results]:
        """The request for what is still open."""
        return Call("POST", self._path, Results, encoded({"items": [self._items[i] for i in self._open]}))

    def take(self, answer: Results) -> None:
        """Keep what came.

        Raises:
            Unfinished: if some items may be sent again; their problems are kept, in case they are not.
        """
        for i, result in zip(self._open, answer.results, strict=True):
            self._results[i] = from_item(result) if "code" in result else self._read(i, result)
        self._open = [i for i in self._open if _retryable(self._results[i])]
        if self._open:
            raise Unfinished

    def fail(self, error: ServerError) -> None:
        """Give up what is still open, because of `error`; what has come stays."""
        for i in self._open:
            self._results[i] = error
        self._open = []

    @property
    def begun(self) -> bool:
        """Whether any item has an answer."""
        return bool(self._results)

    @property
    def results(self) -> list[T | ServerError]:
        """A result or an error for each item, in order."""
        return [self._results[i] for i in range(len(self._items))]


def split(path: str, items: Sequence[dict[str, Any]], read: Callable[[int, dict[str, Any]], T]) -> list[Batch[T]]:
    """Batches that the server takes, which together hold `items`."""
    starts = range(0, len(items), LARGEST)
    return [Batch(path, items[at : at + LARGEST], partial(_from, read, at)) for at in starts]


def _from(read: Callable[[int, dict[str, Any]], T], first: int, i: int, item: dict[str, Any]) -> T:
    return read(first + i, item)


def _retryable(result: object) -> bool:
    return isinstance(result, ServerError) and result.retryable
