"""Airline's tools, compared with recorded answers of the public benchmarks' implementations."""

import pytest

from env_server.domains.airline import domain
from tests.reference import agreement
from tests.reference.vectors import player

pytestmark = [pytest.mark.reference, pytest.mark.usefixtures("reference")]

each_version = pytest.mark.parametrize("version", ["tau1", "tau2"])


def test_gold() -> None:
    """Every gold call of every task answers as recorded and leaves exactly the recorded rows."""
    agreement.gold(player(domain, "tau2"), "gold_train")


def test_negative() -> None:
    """A gold with one write dropped or altered ends in another state than the task's own gold."""
    agreement.negative(player(domain, "tau2"), "negative_train")


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


def test_tau1_has_no_tasks_here() -> None:
    """The recordings leave out v1's only split; the pack's data can be read without it."""
    assert player(domain, "tau1").pack.splits == {}
