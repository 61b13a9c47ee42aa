"""What is said where the library of an adapter is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(module: str, package: str) -> Iterator[None]:
    """Import a library inside this context.

    Raises:
        ImportError: if `module` is not installed; the message names the `package` to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ImportError(f"this adapter needs {package}: pip install {package}", name=module) from error
