"""The sources of a domain's data: `builtin` is generated, `tau2` and `tau1` read the data of public benchmarks.

`available(domain, directories)` returns a domain's packs by name. `inline_task(pack, obj)` makes a task from an object
in a request.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from env_server.domains.kit.domain import Domain
from env_server.domains.kit.task import Task
from env_server.domains.pack import Pack
from env_server.domains.packs import builtin, tau1, tau2
from env_server.errors import PackError
from env_server.lazy import LazyMapping
from env_server.providers.kept_texts import KeptTexts
from env_server.state import canonical

__all__ = ["PUBLIC", "Packs", "available", "inline_task", "refuse_useless"]

PUBLIC = {tau2.NAME: tau2, tau1.NAME: tau1}
"""The loaders of public data; each needs a directory."""

_FORMATS = {builtin.NAME: builtin.task_from_json, tau2.NAME: tau2.task_from_json, tau1.NAME: tau1.task_from_json}


class Packs(LazyMapping[str, Pack]):
    """A domain's packs by name. Each pack is loaded once, at first use.

    The first use raises PackError if its data cannot be read.
    """

    def __init__(self, domain: Domain, loaders: Mapping[str, Callable[[], Pack]]) -> None:
        """Offer the packs of `domain` that `loaders` can load."""
        super().__init__(loaders)
        self.domain = domain

    def no_such(self, name: str) -> str:
        """Return the message for a missing pack `name`. For a public pack that the domain could read, it names the
        variable to set.
        """
        said = f"{self.domain.name} has no pack {name!r} here; there are: {', '.join(self)}"
        if name not in PUBLIC or name not in self.domain.dialects:
            return said
        layout = PUBLIC[name].LAYOUT.replace("<domain>", self.domain.name)
        return f"{said}; for {name!r} set {PUBLIC[name].VARIABLE} to a directory with {layout}"


def available(domain: Domain, directories: Mapping[str, Path], scale: int = 1, kept: KeptTexts | None = None) -> Packs:
    """Return the packs of `domain`: `builtin`, and each of `directories` (pack name -> path) that has its data.

    The world of `builtin` is `scale` times its usual size, and `kept` keeps its rows for other processes.

    Raises:
        PackError: if a directory does not exist, or no loader has that name.
    """
    loaders: dict[str, Callable[[], Pack]] = {builtin.NAME: partial(builtin.load, domain, scale, kept)}
    for name, directory in directories.items():
        if name not in PUBLIC:
            raise PackError(f"there is no pack {name!r} that reads a directory; there are: {', '.join(PUBLIC)}")
        if not directory.is_dir():
            raise PackError(f"the directory of pack {name!r} does not exist: {directory}")
        if name in domain.dialects and PUBLIC[name].folder(domain.name, directory):
            loaders[name] = partial(PUBLIC[name].load, domain, directory)
    return Packs(domain, loaders)


def refuse_useless(offered: Iterable[Packs], directories: Mapping[str, Path]) -> None:
    """Check that each of `directories` (pack name -> path) gave a pack to some domain; `offered` holds all domains'
    packs.

    Raises:
        PackError: if one gave none; the message names the expected layout.
    """
    offered = list(offered)
    for name, directory in directories.items():
        if not any(name in packs for packs in offered):
            raise PackError(f"{directory} has no data of pack {name!r} for any domain: expected {PUBLIC[name].LAYOUT}")


def inline_task(pack: Pack, obj: Mapping[str, Any]) -> Task:
    """Return the task of a request, in the pack's own format; its id is `inline-` and a digest of the object.

    Raises:
        ValueError: if the object is no task of that format, or needs a feature that this server does not offer.
    """
    digest = hashlib.sha256(canonical(obj).encode()).hexdigest()
    return _FORMATS[pack.name](pack.domain, {**obj, "id": "inline"}, pack.snapshot).model_copy(
        update={"task_id": f"inline-{digest[:16]}"}
    )
