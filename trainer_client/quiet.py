"""stamina's own line for every attempt is left out for our calls: it names neither the server nor the error."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache

from stamina.instrumentation import RetryDetails, RetryHook, get_on_retry_hooks, set_on_retry_hooks

_ours: ContextVar[bool] = ContextVar("ours", default=False)


@contextmanager
def quiet() -> Iterator[None]:
    """Retries in here are not logged by stamina; hooks that somebody set are called as ever, for ours and theirs."""
    _wrap()
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)


@cache
def _wrap() -> None:
    """Once: hooks are global, and a call cannot have its own. Those set later stay as they are."""
    set_on_retry_hooks([_unless_ours(hook) if _logs(hook) else hook for hook in get_on_retry_hooks()])


def _logs(hook: RetryHook) -> bool:
    """Whether `hook` is one of the two that stamina sets by itself to write a line."""
    return getattr(hook, "__module__", None) in {
        "stamina.instrumentation._logging",
        "stamina.instrumentation._structlog",
    }


def _unless_ours(hook: RetryHook) -> RetryHook:
    def called(details: RetryDetails) -> AbstractContextManager[None] | None:
        return None if _ours.get() else hook(details)

    return called
