"""Domains are found without a list of them."""

import json
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from env_server import domains as package
from env_server.domains import GROUP
from env_server.domains.discovery import by_name, domains, hosted, offered_by, packs
from env_server.domains.kit import READ, Db, Dialect, Domain, Tool
from env_server.errors import DomainError
from tests.domains.packs.library import LIBRARY, TOOLS


def test_every_folder_with_a_policy_is_a_domain() -> None:
    """Each domain's folder is found under its name, in alphabetical order."""
    folder = Path(str(package.__file__)).parent
    assert list(domains()) == sorted(path.parent.name for path in folder.glob("*/policy.md"))
    assert domains() is domains()


def test_another_packages_domain_is_taken() -> None:
    """An entry point that names a `Domain` adds it."""
    assert offered_by(EntryPoint("library", "tests.domains.packs.library:LIBRARY", GROUP)) is LIBRARY


def test_an_operator_may_host_a_few() -> None:
    """An operator may name some domains, in any order; an unknown name is an error that lists the domains."""
    assert list(hosted((), {})) == list(domains())
    assert set(hosted(("telecom", "retail"), {})) == {"retail", "telecom"}
    with pytest.raises(DomainError, match=r"zoo; there are: .*retail"):
        hosted(("retail", "zoo"), {})


@pytest.mark.parametrize("value", ["no_such_package:domain", "json:no_such_name", "json:dumps"])
def test_a_broken_entry_point_is_named(value: str) -> None:
    """The error for an unusable entry point names it."""
    with pytest.raises(DomainError, match="'extra'.*" + value):
        offered_by(EntryPoint("extra", value, GROUP))


@pytest.mark.parametrize("error", [SystemExit(0), ImportError("no such part"), GeneratorExit()], ids=repr)
def test_a_package_that_leaves_while_it_is_imported_is_named(error: BaseException) -> None:
    """Another package's code cannot end the process, even by an exit."""

    class Leaving(EntryPoint):
        """An entry point whose package fails."""

        def load(self) -> Domain:
            """Fail."""
            raise error

    with pytest.raises(DomainError, match=rf"'extra'.* cannot be loaded: {type(error).__name__}"):
        offered_by(Leaving("extra", "extra:domain", GROUP))


def undescribed(db: Db[Dialect], title: str) -> str:
    """Find a book; what `title` is, is not said."""
    return title


def respond(db: Db[Dialect]) -> str:
    """Speak in the agent's place."""
    return ""


def module_of(*tools: Tool) -> ModuleType:
    """A module beside the library's policy that defines `tools`."""
    module = ModuleType(__name__)
    module.__file__ = TOOLS.__file__
    vars(module).update({tool.name: tool for tool in tools})
    return module


@pytest.mark.parametrize(
    ("change", "words"),
    [
        *(({"name": name}, "its name is") for name in ("Library", "", "a/b", "two words", "9lives", "x" * 42, None)),
        ({"dialects": {"tau2": Dialect()}}, "its dialects: ValueError: no dialect is named 'builtin'"),
        ({"dialects": {"builtin": Dialect(tools=("lend",))}}, "its tools: .* names tools that do not exist: lend"),
        ({"tools_module": ModuleType("nowhere")}, "its policy: AttributeError"),
        ({"tools_module": json}, "its policy: FileNotFoundError"),
        (
            {"tools_module": module_of(Tool(fn=undescribed, kind=READ))},
            "its tools: ValueError: undescribed: TypeError: .* does not describe argument",
        ),
        (
            {"tools_module": module_of(Tool(fn=respond, kind=READ))},
            "its tools: ValueError: respond: the name respond is reserved for the MCP",
        ),
        ({"topics": {"order": "(order"}}, "its topics: ValueError: the pattern of 'order': missing "),
        (
            {"user_tools_module": module_of(Tool(fn=undescribed, kind=READ))},
            "its tools: ValueError: undescribed: TypeError",
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_domain_that_cannot_be_served_is_named(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], words: str
) -> None:
    """A domain is checked as a whole before any of it is served, and one line tells the first fault."""
    monkeypatch.setattr(EntryPoint, "load", lambda _: replace(LIBRARY, **change))
    with pytest.raises(DomainError, match=f"'extra'.*cannot be served: {words}") as caught:
        offered_by(EntryPoint("extra", "extra:domain", GROUP))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("domain", domains().values(), ids=lambda domain: domain.name)
def test_the_servers_own_domains_would_be_taken(monkeypatch: pytest.MonkeyPatch, domain: Domain) -> None:
    """The server's own domains pass the checks for other packages' domains."""
    monkeypatch.setattr(EntryPoint, "load", lambda _: domain)
    assert offered_by(EntryPoint("extra", "extra:domain", GROUP)) is domain


def test_packs_are_shared_by_the_process() -> None:
    """Equal directories of packs give the same loaded packs everywhere in the process."""
    assert packs(LIBRARY, {}) is packs(LIBRARY, {})
    assert list(packs(LIBRARY, {})) == ["builtin"]


def test_two_domains_of_one_name_are_refused() -> None:
    """The error names the second domain, with its origin."""
    with pytest.raises(DomainError, match=r"elsewhere.*'library'"):
        by_name({}, [("here", LIBRARY), ("elsewhere", LIBRARY)])
