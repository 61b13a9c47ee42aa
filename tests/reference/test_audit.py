"""Audits of the public benchmarks' tasks."""

from pathlib import Path

import pytest

from env_server.audit.findings import FindingKind
from env_server.audit.run import audit, choose
from env_server.backends.local import thrown_away
from env_server.domains.discovery import domains, packs
from env_server.settings import Settings
from tests.reference import vectors
from tests.reference.vectors import records

pytestmark = [pytest.mark.reference, pytest.mark.usefixtures("reference")]


@pytest.mark.parametrize(("domain", "count"), [("airline", 17), ("retail", 7), ("telecom", 8)])
async def test_tasks_whose_gold_changes_nothing_are_listed(domain: str, count: int) -> None:
    """The listed tasks are those whose gold left the recorded state unchanged, and the oracle solves all tasks."""
    directory: Path = vectors.DIRECTORY / "tau2"
    pack = packs(domains()[domain], {"tau2": directory})["tau2"]
    async with thrown_away(Settings(_env_file=None, tau2_dir=directory)) as local:
        report = await audit(local, pack, choose(pack, "train"))
    listed = [finding.task_id for finding in report.findings if finding.kind is FindingKind.GOLD_CHANGES_NOTHING]
    recorded = records("tau2", domain, "gold_train")
    assert sorted(listed) == sorted(record["task_id"] for record in recorded if not record["state_changing"])
    assert len(listed) == count
    assert report.rates["train"]["oracle"].share == 1.0
