"""Retail's tools, compared with recorded answers of the public benchmarks' implementations."""

import json
from pathlib import Path

import pytest

from env_server.domains.retail import domain
from tests.reference import agreement
from tests.reference.vectors import player

pytestmark = [pytest.mark.reference, pytest.mark.usefixtures("reference")]

GOLD = [("tau1", "gold_train"), ("tau1", "gold_dev"), ("tau2", "gold_train")]
NEGATIVE = [("tau1", "negative_train"), ("tau1", "negative_dev"), ("tau2", "negative_train")]
each_version = pytest.mark.parametrize("version", ["tau1", "tau2"])


@pytest.mark.parametrize(("version", "name"), GOLD)
def test_gold(version: str, name: str) -> None:
    """Every gold call of every task answers as recorded and leaves exactly the recorded rows."""
    agreement.gold(player(domain, version), name)


@pytest.mark.parametrize(("version", "name"), NEGATIVE)
def test_negative(version: str, name: str) -> None:
    """A gold with one write dropped or altered ends in another state than the task's own gold."""
    agreement.negative(player(domain, version), name)


@each_version
def test_fuzz(version: str) -> None:
    """Well-shaped calls at random answer as recorded, errors included, and leave exactly the recorded rows."""
    agreement.fuzz(player(domain, version))


@each_version
def test_malformed(version: str) -> None:
    """No malformed call crashes; errors stay errors and change nothing; what succeeds answers as recorded."""
    agreement.malformed(player(domain, version))


@each_version
def test_tool_list(version: str) -> None:
    """The tools, their order, their parameters and which of these are required are the benchmark's."""
    agreement.tool_list(player(domain, version))


@each_version
def test_reads_and_writes(version: str) -> None:
    """A tool may write here where it changes state in the benchmark, and nowhere else."""
    agreement.reads_and_writes(player(domain, version))


def test_tau2_tasks() -> None:
    """Tasks keep upstream's ids, split, gold and judged statements; texts are upstream's word for word."""
    agreement.tau2_tasks(player(domain, "tau2"))


def test_tau1_tasks(reference: Path) -> None:
    """Tasks keep the reference's ids, instruction and gold."""
    pack = player(domain, "tau1").pack
    for split in ("train", "dev"):
        recorded = json.loads((reference / "tau1" / "retail" / f"tasks_{split}.json").read_text(encoding="utf-8"))
        assert pack.splits[split] == len(recorded)
        for index, obj in enumerate(recorded):
            task = pack.task_at(split, index)
            assert (task.task_id, task.split, task.instruction) == (obj["id"], split, obj["instruction"])
            assert [c.model_dump(include={"name", "arguments"}) for c in task.gold.actions] == obj["actions"]
            assert task.gold.outputs == tuple(obj["outputs"])
