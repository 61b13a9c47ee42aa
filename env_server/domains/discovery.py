"""Which domains there are: the folders beside this file, and what other packages offer.

A package offers a domain by an entry point in the group `env_server.domains` that names a `Domain`.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType

import env_server.domains
from env_server.domains.domain import Domain
from env_server.domains.packs import Packs, available

GROUP = "env_server.domains"


class DomainError(Exception):
    """A domain that cannot be used; the message names where it comes from."""


@cache
def domains() -> Mapping[str, Domain]:
    """All domains by name, in alphabetical order; looked for once per process.

    Raises:
        DomainError: if an entry point cannot be loaded, or two domains have one name.
    """
    points = entry_points(group=GROUP)
    return by_name([*_own(), *((f"entry point {point.name!r} ({point.value})", offered_by(point)) for point in points)])


def by_name(offered: Iterable[tuple[str, Domain]]) -> Mapping[str, Domain]:
    """Domains by name in alphabetical order, from (where it comes from, domain).

    Raises:
        DomainError: if two have one name.
    """
    found: dict[str, Domain] = {}
    for source, domain in offered:
        if domain.name in found:
            raise DomainError(f"{source} offers a domain {domain.name!r}, which there is already")
        found[domain.name] = domain
    return MappingProxyType(dict(sorted(found.items())))


def packs(domain: Domain, directories: Mapping[str, Path], scale: int = 1) -> Packs:
    """The domain's packs by name, `directories` being pack name -> where its public data is.

    The generated world is `scale` times its usual size.

    A pack is loaded when first asked for, and once per process. Raises:
        PackError: if a directory does not exist.
    """
    return _packs(domain, tuple(sorted((name, path.resolve()) for name, path in directories.items())), scale)


@cache
def _packs(domain: Domain, directories: tuple[tuple[str, Path], ...], scale: int) -> Packs:
    return available(domain, dict(directories), scale)


def _own() -> list[tuple[str, Domain]]:
    """The domains of this package: its sub-packages that define `domain`."""
    names = [f"{GROUP}.{m.name}" for m in pkgutil.iter_modules(env_server.domains.__path__) if m.ispkg]
    modules = {name: importlib.import_module(name) for name in names}
    return [(name, m.domain) for name, m in modules.items() if isinstance(getattr(m, "domain", None), Domain)]


def offered_by(point: EntryPoint) -> Domain:
    """The domain that an entry point names.

    Raises:
        DomainError: if it cannot be imported or is no `Domain`.
    """
    where = f"entry point {point.name!r} ({point.value}) of group {GROUP!r}"
    try:
        loaded = point.load()
    except Exception as e:
        raise DomainError(f"{where} cannot be loaded: {type(e).__name__}: {e}") from e
    if not isinstance(loaded, Domain):
        raise DomainError(f"{where} names a {type(loaded).__name__}, not a Domain")
    return loaded
