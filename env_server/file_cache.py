"""Cache files for results that take seconds to compute.

A result stays valid until the sources of this package change, or the version of a library that it depends on.
"""

import hashlib
import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import NamedTemporaryFile

import agent_env_schemas
import env_server
import mcp_servers
from env_server.settings import Settings

VERSIONS = 4
"""Number of newest files kept for each name. There are several, because several checkouts may share the folder."""

DIGITS = 32
"""Number of hexadecimal digits of the sources' digest in a file's name."""

LIBRARIES = ("docstring-parser", "mcp", "orjson", "pydantic", "pydantic-core")
"""The libraries that make the schemas of tools and the versions of packs, which results contain."""

_PACKAGES = tuple(Path(str(package.__file__)).parent for package in (env_server, agent_env_schemas, mcp_servers))


@dataclass(frozen=True, slots=True)
class FileCache:
    """A folder of texts by name, valid for the current sources. A folder that cannot be used counts as empty."""

    folder: Path

    def read(self, name: str) -> str | None:
        """Return the text that was written under `name` with the same sources, or None."""
        try:
            return self._file(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def write(self, name: str, text: str) -> None:
        """Write `text` under `name` atomically."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", encoding="utf-8", dir=self.folder, prefix=".", delete=False) as file:
                file.write(text)
            Path(file.name).replace(self._file(name))
            mine = f"{name}-{'[0-9a-f]' * DIGITS}.json"  # nothing else, because the folder may hold other files too
            others = sorted(self.folder.glob(mine), key=lambda path: path.stat().st_mtime, reverse=True)
            for old in others[VERSIONS:]:
                old.unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}-{sources()[:DIGITS]}.json"


def kept(settings: Settings) -> FileCache | None:
    """Return the cache in the configured folder or in the user's cache folder; None if caching is off."""
    if settings.cache_dir is not None:
        return FileCache(Path(settings.cache_dir)) if settings.cache_dir else None
    try:
        return FileCache(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-env-server")
    except RuntimeError:  # a user without a home directory
        return None


@cache
def sources() -> str:
    """Return the SHA-256 of all sources of the server, with the versions of Python and of LIBRARIES."""
    versions = [platform.python_implementation(), platform.python_version(), *map(_version, LIBRARIES)]
    found = hashlib.sha256(" ".join(versions).encode())
    for package in _PACKAGES:
        for path in sorted(p for suffix in ("py", "md") for p in package.rglob(f"*.{suffix}")):
            found.update(f"\0{path.relative_to(package.parent).as_posix()}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:  # without its metadata, for example in an archive of a whole application
        return "unknown"
