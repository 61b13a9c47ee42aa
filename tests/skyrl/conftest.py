"""What the tests of this folder share: a server with the desk, and a tiny model. They run where SkyRL is installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trainer_client.skyrl_compat  # noqa: F401
from tests.e2e.server import Server
from tests.skyrl import site, tiny
from tests.skyrl.tiny import NAMES

KEY = "secret"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that hosts the desk, with a key."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "site").mkdir()
    running = Server(folder / "env.db", {"API_KEYS": f"trainer:{KEY}"}, site.make(folder / "site")).start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an untaught tiny model."""
    talk = [f"{line} please Good day. system user assistant tool desk {tiny.call(line)}" for line in NAMES]
    return tiny.make(tmp_path_factory.mktemp("model"), talk)


@pytest.fixture(scope="session")
def tokenizer(model: Path) -> Any:
    """The model's tokenizer, loaded as SkyRL loads it."""
    from skyrl.utils.tok import get_tokenizer  # noqa: PLC0415

    return get_tokenizer(str(model), trust_remote_code=True, use_fast=True, padding_side="left")
