"""Every attack fails, changes nothing outside, and the next call is answered."""

from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from tests.mcp_servers.python.sandbox.attacks import files, machine, processes, protocol, resources
from tests.mcp_servers.python.sandbox.attacks.kinds import Attack, with_names
from tests.mcp_servers.python.sandbox.outside import Site, facts, prepare
from tests.mcp_servers.python.sandbox.starting import SECRET, WAYS, Driver

ATTACKS = [*files.ATTACKS, *processes.ATTACKS, *machine.ATTACKS, *protocol.ATTACKS, *resources.ATTACKS]


def _marked(way: str) -> ParameterSet:
    return pytest.param(way, marks=[pytest.mark.slow] if way == "container root" else [])


@pytest.fixture(scope="module", params=[_marked(way) for way in WAYS])
def site(request: pytest.FixtureRequest, offered: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A host, started as one user after the other, and something to attack that its user may touch."""
    driver = Driver(request.param)
    assert driver.run("1 + 1")["value"] == "2"
    base = tmp_path_factory.getbasetemp()
    for folder in (base, *base.parents[:2]):
        if folder.name.startswith("pytest-"):
            folder.chmod(0o755)
    site = prepare(base / "outside", driver)
    yield site
    site.listener.close()
    driver.close()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(site: Site, attack: Attack) -> None:
    """The attack has no effect outside the sandbox, and the conversation goes on."""
    name = "timed" if attack.seconds else "attack"
    result = site.driver.run(with_names(attack.code, site.names), name, attack.seconds)
    check(result, attack)
    assert site.driver.run("1 + 1")["value"] == "2"
    if attack.seconds:
        site.driver.ask("end", name=name)
    assert facts(site) == site.before


def check(result: dict[str, Any], attack: Attack) -> None:
    """The result says what the attack expects, in few words, and holds no secret."""
    assert SECRET not in str(result)
    assert len(str(result)) < 60_000
    if attack.value is not None:
        assert (result["value"], result["error"]) == (attack.value, None)
    if attack.error is not None:
        assert attack.error in (result["error"] or str(result))
        assert result["killed"] is None
    if attack.killed is not None:
        assert attack.killed in (result["killed"] or str(result))
