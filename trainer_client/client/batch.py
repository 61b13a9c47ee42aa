"""Batches of resets or steps: many items in few requests. Only items that failed temporarily are sent again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, Generic, TypeVar

import httpx2
from pydantic import ValidationError

from agent_env_schemas import Wire
from trainer_client.client.calls import OK, ApiCall, R, encoded, understood
from trainer_client.client.errors import BadAnswer, ServerError, from_break, from_item

T = TypeVar("T")

LARGEST = 1024
"""The most items that the server takes in one request."""

LARGEST_BYTES = 4 * 1024 * 1024
"""The most bytes of items in one request: half of what the server takes by default."""

_NAMES = ("episode_id", "turn")
"""The fields that an item and its reply share."""


class Results(Wire):
    """The answer to a batch, whose results are not parsed yet."""

    results: list[dict[str, Any]]


class Unfinished(Exception):
    """Some items of a batch have failed, and may succeed when sent again."""

    retryable = True

    def __init__(self, retry_after: float | None = None) -> None:
        """Take the seconds until the first of these items may be sent again; None if one may be sent at once."""
        super().__init__(retry_after)
        self.retry_after = retry_after


class Batch(Generic[T]):
    """The items of one request and the result of each."""

    def __init__(self, path: str, items: Sequence[bytes], read: Callable[[int, dict[str, Any]], T]) -> None:
        """Send `items`, which are JSON, to `path`; `read` makes a result of an item's index and its reply."""
        self._path, self._items, self._read = path, items, read
        self._results: dict[int, T | ServerError] = {}
        self._open = list(range(len(items)))
        self._due = [0.0] * len(items)
        self._sent: list[int] = []
        self.begun = False
        """Whether any item has an answer."""

    def call(self) -> ApiCall[Results]:
        """The request for the open items that are due. If the server wants all of them later, those due first."""
        due = max(monotonic(), min(self._due[i] for i in self._open))
        self._sent = [i for i in self._open if self._due[i] <= due]
        body = b'{"items":[%s]}' % b",".join(self._items[i] for i in self._sent)
        return ApiCall("POST", self._path, Results, body)

    def take(self, answer: Results) -> None:
        """Keep the results that came.

        Raises:
            BadAnswer: if there are more or fewer results than items, so that they cannot be matched.
            Unfinished: if some items may be sent again; their problems are kept, in case they are not.
        """
        if len(answer.results) != len(self._sent):
            named = [result["episode_id"] for result in answer.results if "episode_id" in result]
            told = f"{self._path} gave {len(answer.results)} results for {len(self._sent)} items"
            raise BadAnswer(OK, f"{told}; the episodes they name: {named}")
        self.begun = True
        now = monotonic()
        for i, result in zip(self._sent, answer.results, strict=True):
            found = self._results[i] = self._result(i, result)
            self._due[i] = now + ((found.retry_after or 0.0) if isinstance(found, ServerError) else 0.0)
        self._open = [i for i in self._open if _retryable(self._results[i])]
        if self._open:
            wait = min(self._due[i] for i in self._open) - now
            raise Unfinished(wait if wait > 0 else None)

    def fail(self, error: ServerError) -> None:
        """Give up the open items because of `error`; results that have come stay."""
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
    """Items, divided into requests that the server accepts. The failure of one request keeps the results of others."""

    def __init__(self, path: str, items: Sequence[dict[str, Any]], reply: type[R], take: Callable[[int, R], T]) -> None:
        """Send `items` to `path`; `take` makes a result of an item's index and its `reply`."""
        self._path, self._items, self._reply, self._taken = path, items, reply, take
        sent = [encoded(item) for item in items]
        self._batches = [self._batch(part.start, sent[part.start : part.stop]) for part in _parts(sent)]
        self._lost: ServerError | None = None
        self._first: ServerError | httpx2.TransportError | None = None

    def __iter__(self) -> Iterator[Batch[T]]:
        """Yield the requests, until one fails in a way that the others would share; those then fail with it."""
        for batch in self._batches:
            if self._lost is None:
                yield batch
            else:
                batch.fail(self._lost)

    @contextmanager
    def keeping(self, batch: Batch[T]) -> Iterator[None]:
        """If `batch` fails, make the error the result of each of its items that has no result."""
        try:
            yield
        except Unfinished:
            pass  # the results have the errors of these items
        except (ServerError, httpx2.TransportError) as e:
            self._first = self._first or e
            error = e if isinstance(e, ServerError) else from_break(e)
            batch.fail(error)
            self._lost = error if error.retryable else None

    @property
    def results(self) -> list[T | ServerError]:
        """A result or an error for each item, in order.

        Raises:
            ServerError, httpx2.TransportError: the first error, if no item has an answer. Where some have one, an
                exception would lose turns that were played.
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
    """Divide `items` into requests, each with as many as it can hold; an item that is too large goes alone."""
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
