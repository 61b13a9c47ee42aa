"""A Ray cluster of two nodes, and servers on one database."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

from tests.e2e.server import ROOT, Server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two nodes, each with a raylet and workers of its own, which find this checkout's packages."""
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "schemas")))
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 4, "include_dashboard": False})
    made.add_node(num_cpus=4)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Server]]:
    """Two replicas on one database."""
    first = Server(tmp_path / "episodes.db", {"DOMAINS": "retail"})
    both = [first, Server(first.database, first.settings)]
    for server in both:
        server.start()
    yield both
    for server in both:
        server.kill()
