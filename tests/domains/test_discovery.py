"""Domains are found without being listed anywhere."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from env_server import domains as package
from env_server.domains.discovery import GROUP, DomainError, by_name, domains, offered_by, packs
from tests.domains.packs.library import LIBRARY


def test_every_folder_with_a_policy_is_a_domain() -> None:
    """Each domain's folder is found under its own name, in alphabetical order."""
    folder = Path(str(package.__file__)).parent
    assert list(domains()) == sorted(path.parent.name for path in folder.glob("*/policy.md"))
    assert domains() is domains()


def test_another_packages_domain_is_taken() -> None:
    """An entry point that names a `Domain` offers it."""
    assert offered_by(EntryPoint("library", "tests.domains.packs.library:LIBRARY", GROUP)) is LIBRARY


@pytest.mark.parametrize("value", ["no_such_package:domain", "json:no_such_name", "json:dumps"])
def test_a_broken_entry_point_is_named(value: str) -> None:
    """What cannot be used says which entry point it is."""
    with pytest.raises(DomainError, match="'extra'.*" + value):
        offered_by(EntryPoint("extra", value, GROUP))


def test_packs_are_shared_by_the_process() -> None:
    """Whoever asks for a domain's packs with the same directories gets the same ones, loaded once."""
    assert packs(LIBRARY, {}) is packs(LIBRARY, {})
    assert list(packs(LIBRARY, {})) == ["builtin"]


def test_two_domains_of_one_name_are_refused() -> None:
    """The second is named with where it comes from."""
    with pytest.raises(DomainError, match=r"elsewhere.*'library'"):
        by_name([("here", LIBRARY), ("elsewhere", LIBRARY)])
