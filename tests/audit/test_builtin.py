"""The builtin domains pass the general audit."""

import pytest

from env_server.audit.findings import FindingKind
from env_server.audit.run import BY_CHANCE, audit, choose
from env_server.backends.local import thrown_away
from env_server.domains.discovery import domains
from env_server.policies import BLIND
from env_server.settings import Settings
from tests.domains import made

MOST_FAILED = 0.6
"""The maximum share of random calls that may fail. An agent whose calls mostly fail proves nothing."""


SAID = 200
"""The number of tasks from which crawlers meet enough refusals for a measurement."""


async def _hold(domain: str, limit: int) -> None:
    pack = made.pack(domain)
    async with thrown_away(Settings(_env_file=None)) as local:
        report = await audit(local, pack, choose(pack, "test", limit))
    rates = report.rates["test"]
    few = (
        {FindingKind.POLICY_TOO_WEAK} if limit < SAID else set()
    )  # a share of three refusals says nothing of a crawler
    assert [finding for finding in report.findings if finding.fault and finding.kind not in few] == []
    assert rates["oracle"].solved == rates["oracle"].tasks == limit
    assert [name for name in BLIND if rates[name].share >= BY_CHANCE] == []
    assert rates["random"].failed_calls < MOST_FAILED * rates["random"].calls


@pytest.mark.parametrize("domain", list(domains()))
async def test_the_first_test_tasks_pass_the_audit(domain: str) -> None:
    """The oracle solves all tasks, a policy without knowledge solves none, and there is no other fault."""
    await _hold(domain, 3)


@pytest.mark.slow
@pytest.mark.parametrize("domain", list(domains()))
async def test_many_test_tasks_pass_the_audit(domain: str) -> None:
    """The same over more of the test split, every template at least once."""
    await _hold(domain, 100)
