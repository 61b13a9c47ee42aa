"""Replaces `${ENV:NAME}` and `${EPISODE_DIR}` in the values of a configuration."""

import re
from collections.abc import Callable, Mapping
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


SHOWN_DIR = "/episode_dir"
"""The path that agents and recordings see in place of an episode's directory, whose real path is always another."""

_SHOWN = re.compile(rf"(?<![\w.-]){SHOWN_DIR}(?![\w.-])")


class EpisodeDirectory:
    """The two names of an episode's directory: its path for the server, and `SHOWN_DIR` for everybody else."""

    def __init__(self, path: Path | None) -> None:
        """Translate the path of a directory; None translates nothing."""
        self._path = None if path is None else str(path)

    def given(self, value: Any) -> Any:
        """Return a JSON value for the server: with the path in place of `SHOWN_DIR`."""
        return value if self._path is None else _each_text(value, self._real)

    def shown(self, value: Any) -> Any:
        """Return a JSON value of the server for others: with `SHOWN_DIR` in place of the path."""
        return value if self._path is None else _each_text(value, self._token)

    def _real(self, text: str) -> str:
        return _SHOWN.sub(lambda _: str(self._path), text)

    def _token(self, text: str) -> str:
        return text.replace(str(self._path), SHOWN_DIR)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with each text and each key changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): _each_text(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    return value


def with_directory(value: str, directory: Path | None) -> str:
    """Return a text with `${EPISODE_DIR}` replaced by an episode's directory."""
    return value if directory is None else value.replace(EPISODE_DIR, str(directory))
