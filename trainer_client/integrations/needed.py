"""The error of an adapter whose library is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(requirement: str, *modules: str) -> Iterator[None]:
    """Import a library inside this context.

    Raises:
        ImportError: if one of `modules`, or a part of it, is not installed; the message has `requirement`, which pip
            can install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.partition(".")[0] not in modules:
            raise
        raise ImportError(f'this adapter needs {missing}: pip install "{requirement}"', name=missing) from error
