"""The available domains: the folders beside this file, and the domains that other packages offer.

A package offers a domain by an entry point in the group `env_server.domains` that names a `Domain`.
"""

import importlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import env_server.domains
from env_server.domains import GROUP
from env_server.domains.kit.domain import Domain
from env_server.domains.packs import Packs, available, builtin, refuse_useless
from env_server.errors import DomainError
from env_server.lazy import LazyMapping
from env_server.providers.kept_texts import KeptTexts

NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
"""The pattern of a domain's name, which appears in paths, in task ids and in metrics."""

RESERVED = frozenset({"respond"})
"""Forbidden names of tools."""


@cache
def domains() -> Mapping[str, Domain]:
    """Return all domains by name, in alphabetical order; the search runs once per process.

    The domains of this package are imported at first use, those of other packages in this call.

    Raises:
        DomainError: if an entry point cannot be loaded, or two domains have one name.
    """
    points = entry_points(group=GROUP)
    return by_name(_own(), ((f"entry point {point.name!r} ({point.value})", offered_by(point)) for point in points))


def topics_of(name: str) -> Mapping[str, str]:
    """Return the topics that the domain `name` declares; none if there is no such domain.

    Raises:
        DomainError: if an entry point cannot be loaded, or two domains have one name.
    """
    known = domains()
    return known[name].topics if name in known else {}


def hosted(
    only: Collection[str], directories: Mapping[str, Path], scale: int = 1, kept: KeptTexts | None = None
) -> Mapping[str, Packs]:
    """Return the packs of each served domain, by domain: of those named in `only`, or of all. No pack is loaded yet.

    `kept` keeps the worlds of this package's domains for other processes.

    Raises:
        DomainError: if `only` names an unknown domain, or a domain of another package cannot be used.
        PackError: if a directory of public data does not exist, or has data for none of the domains.
    """
    known = domains()
    missing = [name for name in only if name not in known]
    if missing:
        raise DomainError(f"ENV_SERVER_DOMAINS: no domain {', '.join(missing)}; there are: {', '.join(known)}")
    names = [name for name in known if not only or name in only]
    own = _own()
    loaders = {
        name: partial(_packs_of, known, name, directories, scale, kept if name in own else None) for name in names
    }
    found = LazyMapping(loaders)
    if directories:
        refuse_useless(found.values(), directories)
    return found


def _packs_of(
    known: Mapping[str, Domain], name: str, directories: Mapping[str, Path], scale: int, kept: KeptTexts | None
) -> Packs:
    return packs(known[name], directories, scale, kept)


def by_name(own: Mapping[str, Callable[[], Domain]], offered: Iterable[tuple[str, Domain]]) -> Mapping[str, Domain]:
    """Return domains by name in alphabetical order: `own` is imported at first use, `offered` holds (source, domain).

    Raises:
        DomainError: if two have one name.
    """
    found = dict(own)
    for source, domain in offered:
        if domain.name in found:
            raise DomainError(f"{source} offers a domain {domain.name!r}, but there is already a domain of that name")
        found[domain.name] = partial(_itself, domain)
    return LazyMapping(dict(sorted(found.items())))


def _itself(domain: Domain) -> Domain:
    return domain


def packs(domain: Domain, directories: Mapping[str, Path], scale: int = 1, kept: KeptTexts | None = None) -> Packs:
    """Return the domain's packs by name; `directories` maps a pack's name to its public data.

    The generated world is `scale` times its usual size, and `kept` keeps its rows for other processes. A pack is loaded
    at first use, once per process.

    Raises:
        PackError: if a directory does not exist.
    """
    return _packs(domain, tuple(sorted((name, path.resolve()) for name, path in directories.items())), scale, kept)


@cache
def _packs(domain: Domain, directories: tuple[tuple[str, Path], ...], scale: int, kept: KeptTexts | None) -> Packs:
    return available(domain, dict(directories), scale, kept)


def _own() -> dict[str, Callable[[], Domain]]:
    """Return the domains of this package, its folders that have a policy: name -> the function that imports it."""
    policies = (path for folder in env_server.domains.__path__ for path in Path(folder).glob("*/policy.md"))
    return {path.parent.name: partial(_imported, path.parent.name) for path in policies}


def _imported(name: str) -> Domain:
    found: Domain = importlib.import_module(f"{env_server.domains.__name__}.{name}").domain
    return found


def offered_by(point: EntryPoint) -> Domain:
    """Return the domain of an entry point, after checking that it can be served.

    Raises:
        DomainError: if it cannot be imported, is no `Domain`, or lacks a part that every domain has.
    """
    where = f"entry point {point.name!r} ({point.value}) of group {GROUP!r}"
    try:
        loaded = point.load()
    except KeyboardInterrupt:
        raise
    # the code of another package may even raise SystemExit, which would end the server without a message
    except BaseException as e:
        raise DomainError(f"{where} cannot be loaded: {_said(e)}") from e
    if not isinstance(loaded, Domain):
        raise DomainError(f"{where} names a {type(loaded).__name__}, not a Domain")
    try:
        _refuse_unusable(loaded)
    except ValueError as e:
        raise DomainError(f"{where} offers a domain that cannot be served: {e}") from e
    return loaded


def _refuse_unusable(domain: Domain) -> None:
    """Check the parts of a domain that are needed before any of its episodes.

    Raises:
        ValueError: naming the first unusable part.
    """
    if not NAME.fullmatch(str(domain.name)):
        raise ValueError(
            f"its name is {domain.name!r}; a name has at most 41 characters of a-z 0-9 _ - and begins with a letter"
        )
    for part, check in _PARTS.items():
        try:
            check(domain)
        except KeyboardInterrupt:
            raise
        except BaseException as e:
            raise ValueError(f"its {part}: {_said(e)}") from e


def _read_policy(domain: Domain) -> None:
    if not domain.policy.strip():
        raise ValueError("policy.md is empty")


def _read_dialects(domain: Domain) -> None:
    if builtin.NAME not in domain.dialects:
        raise ValueError(f"no dialect is named {builtin.NAME!r}")


def _make_schemas(domain: Domain) -> None:
    """Make every schema, and check that the tools named in the dialects exist."""
    for tools in (domain.tools, domain.user_tools):
        for tool in tools:
            if tool.name in RESERVED or RESERVED & set(tool.aliases):
                raise ValueError(
                    f"{tool.name}: the name {', '.join(RESERVED)} is reserved for the MCP tool that speaks to the user"
                )
            try:
                _ = tool.schema
            except Exception as e:
                raise ValueError(f"{tool.name}: {_said(e)}") from e
    for dialect in domain.dialects.values():
        for named, tools in ((dialect.tools, domain.tools), (dialect.user_tools, domain.user_tools)):
            missing = set(named or ()) - {tool.name for tool in tools}
            if missing:
                raise ValueError(f"a dialect names tools that do not exist: {', '.join(sorted(missing))}")


def _compile_topics(domain: Domain) -> None:
    for topic, pattern in domain.topics.items():
        try:
            re.compile(pattern)
        except re.error as e:
            raise ValueError(f"the pattern of {topic!r}: {e}") from e


_PARTS: Mapping[str, Callable[[Domain], None]] = {
    "policy": _read_policy,
    "dialects": _read_dialects,
    "tools": _make_schemas,
    "topics": _compile_topics,
}


def _said(error: BaseException) -> str:
    """Return an error as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
