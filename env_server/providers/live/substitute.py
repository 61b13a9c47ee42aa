"""Replaces `${ENV:NAME}` and `${EPISODE_DIR}` in the values of a configuration."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

EPISODE_DIR = "${EPISODE_DIR}"
_PLACES = re.compile(r"\$\{([^}]*)\}")


class BadPlaceholder(ValueError):
    """A placeholder that has no value. The message says why; `path` holds the keys that lead to it."""

    def __init__(self, message: str, path: tuple[str | int, ...]) -> None:
        """Store the reason and the keys."""
        super().__init__(message)
        self.path = path


def from_environment(
    value: Any, environ: Mapping[str, str], path: tuple[str | int, ...] = ()
) -> tuple[Any, frozenset[str]]:
    """Return a JSON value with every `${ENV:NAME}` replaced, and the values that were put in.

    Raises:
        BadPlaceholder: if a variable is not set, or a placeholder has another form.
    """
    if isinstance(value, str):
        return _text(value, environ, path)
    if not isinstance(value, dict | list):
        return value, frozenset()
    items = value.items() if isinstance(value, dict) else enumerate(value)
    made = {key: from_environment(item, environ, (*path, key)) for key, item in items}
    used = frozenset[str]().union(*(found for _, found in made.values()))
    if isinstance(value, dict):
        return {key: item for key, (item, _) in made.items()}, used
    return [item for item, _ in made.values()], used


def _text(value: str, environ: Mapping[str, str], path: tuple[str | int, ...]) -> tuple[str, frozenset[str]]:
    used: set[str] = set()

    def put(found: re.Match[str]) -> str:
        kind, _, name = found[1].partition(":")
        if found[0] == EPISODE_DIR:
            return found[0]
        if kind != "ENV" or not name:
            raise BadPlaceholder(f"{found[0]} is unknown; write ${{ENV:NAME}} or {EPISODE_DIR}", path)
        if name not in environ:
            raise BadPlaceholder(f"the environment variable {name} is not set", path)
        used.add(environ[name])
        return environ[name]

    return _PLACES.sub(put, value), frozenset(used)


def with_directory(value: str, directory: Path | None) -> str:
    """Return a text with `${EPISODE_DIR}` replaced by an episode's directory."""
    return value if directory is None else value.replace(EPISODE_DIR, str(directory))
