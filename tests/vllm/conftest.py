"""What the tests of this folder share: a server, a taught model, a vLLM that serves it, and Ray.

They run where SkyRL is installed; vLLM is in an environment of its own.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it
from tests.skyrl import tiny
from tests.skyrl.conftest import server  # noqa: F401 -- a fixture
from tests.skyrl.running import cluster, taught
from tests.vllm.engine import Vllm


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model that makes some right calls; vLLM wants heads of more than 16 dimensions."""
    from skyrl.utils.tok import get_tokenizer  # noqa: PLC0415 -- slow

    talk = [f"{line} please Good day. system user assistant tool desk {tiny.call(line)}" for line in tiny.NAMES]
    folder = tiny.make(tmp_path_factory.mktemp("model"), talk, heads=2)
    taught(folder, get_tokenizer(str(folder), trust_remote_code=True, use_fast=True, padding_side="left"))
    return folder


@pytest.fixture(scope="session")
def vllm(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vllm]:
    """A vLLM that serves the model."""
    engine = Vllm(tmp_path_factory.mktemp("vllm"), model).start()
    yield engine
    engine.kill()


@pytest.fixture(scope="session")
def ray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Ray that believes it has GPUs."""
    with cluster(tmp_path_factory.mktemp("ray")) as address:
        yield address
