"""Batches: many resets or steps in few requests; of each, those that failed for a while are sent again alone."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import httpx2
from pydantic import ValidationError

from schemas import Wire
from trainer_client.client.calls import OK, Call, R, encoded, understood
from trainer_client.client.errors import BadAnswer, ServerError, from_break, from_item

T = TypeVar("T")

LARGEST = 1024
"""Items that the server takes in one request."""

LARGEST_BYTES = 4 * 1024 * 1024
"""What they may come to there: half of what the server takes by default."""

_NAMES = ("episode_id", "turn")
"""What an item and its reply share."""


class Results(Wire):
    """The answer to a batch, its results unread."""

    results: list[dict[str, Any]]


class Unfinished(Exception):
    """Some items of a batch have failed, and may succeed when sent again."""

    retryable = True
    retry_after = None


class Batch(Generic[T]):
    """One request's worth of items and what became of each."""

    def __init__(self, path: str, items: Sequence[bytes], read: Callable[[int, dict[str, Any]], T]) -> None:
        """Send `items`, which are JSON, to `path`; `read` makes a result of an item's index and its reply."""
        self._path, self._items, self._read = path, items, read
        self._results: dict[int, T | ServerError] = {}
        self._open = list(range(len(items)))
        self.begun = False
        """Whether any item has an answer."""

    def call(self) -> Call[Results]:
        """The request for what is still open."""
        body = b'{"items":[%s]}' % b",".join(self._items[i] for i in self._open)
        return Call("POST", self._path, Results, body)

    def take(self, answer: Results) -> None:
        """Keep what came.

        Raises:
            BadAnswer: if there are more or fewer results than items; then nobody knows which is whose.
            Unfinished: if some items may be sent again; their problems are kept, in case they are not.
        """
        if len(answer.results) != len(self._open):
            named = [result["episode_id"] for result in answer.results if "episode_id" in result]
            told = f"{self._path} gave {len(answer.results)} results for {len(self._open)} items"
            raise BadAnswer(OK, f"{told}; the episodes they name: {named}")
        self.begun = True
        for i, result in zip(self._open, answer.results, strict=True):
            self._results[i] = self._result(i, result)
        self._open = [i for i in self._open if _retryable(self._results[i])]
        if self._open:
            raise Unfinished

    def fail(self, error: ServerError) -> None:
        """Give up what is still open, because of `error`; what has come stays."""
        for i in self._open:
            self._results[i] = error
        self._open = []

    @property
    def results(self) -> list[T | ServerError]:
        """A result or an error for each item, in order."""
        return [self._results[i] for i in range(len(self._items))]

    def _result(self, i: int, result: dict[str, Any]) -> T | ServerError:
        try:
            return from_item(result) if "code" in result else self._read(i, result)
        except ValidationError as error:
            return BadAnswer(OK, f"{self._path} gave no problem for item {i}: {error.errors()[0]['msg']}")
        except BadAnswer as error:
            return error


class Batches(Generic[T, R]):
    """Items in as many requests as the server needs; what some came to is not lost with the others."""

    def __init__(self, path: str, items: Sequence[dict[str, Any]], reply: type[R], take: Callable[[int, R], T]) -> None:
        """Send `items` to `path`; `take` makes a result of an item's index and its `reply`."""
        self._path, self._items, self._reply, self._taken = path, items, reply, take
        sent = [encoded(item) for item in items]
        self._batches = [self._batch(part.start, sent[part.start : part.stop]) for part in _parts(sent)]
        self._lost: ServerError | None = None
        self._first: ServerError | httpx2.TransportError | None = None

    def __iter__(self) -> Iterator[Batch[T]]:
        """The requests, until one is given up whose failure the others would share."""
        for batch in self._batches:
            if self._lost is None:
                yield batch
            else:
                batch.fail(self._lost)

    @contextmanager
    def keeping(self, batch: Batch[T]) -> Iterator[None]:
        """Make an error of `batch` the result of those of its items that have none."""
        try:
            yield
        except Unfinished:
            pass  # what failed to the end is in the results
        except (ServerError, httpx2.TransportError) as e:
            self._first = self._first or e
            error = e if isinstance(e, ServerError) else from_break(e)
            batch.fail(error)
            self._lost = error if error.retryable else None

    @property
    def results(self) -> list[T | ServerError]:
        """A result or an error for each item, in order.

        Raises:
            ServerError, httpx2.TransportError: the first error, if no item has an answer; else what has been played
                would be lost.
        """
        if self._first is not None and not any(batch.begun for batch in self._batches):
            raise self._first
        return [result for batch in self._batches for result in batch.results]

    def _batch(self, first: int, sent: Sequence[bytes]) -> Batch[T]:
        def read(i: int, came: dict[str, Any]) -> T:
            item = self._items[first + i]
            about = {name: item[name] for name in _NAMES if name in item}
            return self._taken(first + i, understood(self._reply, came, about, f"item {first + i} of {self._path}"))

        return Batch(self._path, sent, read)


def _parts(items: Sequence[bytes]) -> Iterator[range]:
    """Which of `items` go together: as many as one request holds; one that is too large for any goes alone."""
    first = size = 0
    for i, item in enumerate(items):
        if i > first and (i - first == LARGEST or size + len(item) > LARGEST_BYTES):
            yield range(first, i)
            first, size = i, 0
        size += len(item) + 1  # a comma
    if items:
        yield range(first, len(items))


def _retryable(result: object) -> bool:
    return isinstance(result, ServerError) and result.retryable
