"""Fixtures of this folder: a server with the desk, and a tiny model. These tests run where SkyRL is installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it
from tests.e2e.installed import installed
from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.tiny import NAMES

KEY = "secret"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that hosts the desk, with a key."""
    folder = tmp_path_factory.mktemp("server")
    tree = installed(Path(__file__).parent / "desk", folder / "site")
    running = Server(folder / "env.db", {"API_KEYS": f"trainer:{KEY}"}, tree).start()
    yield running
    running.kill()


TALK = [f"{line} please Good day. system user assistant tool desk {tiny.call(line)}" for line in NAMES]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an untaught tiny model."""
    return tiny.make(tmp_path_factory.mktemp("model"), TALK)


@pytest.fixture(scope="session")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untaught tiny model with tied embeddings."""
    return tiny.make(tmp_path_factory.mktemp("tied"), TALK, tied=True)


@pytest.fixture(scope="session")
def tokenizer(model: Path) -> Any:
    """The model's tokenizer, loaded as SkyRL loads it."""
    from skyrl.utils.tok import get_tokenizer  # noqa: PLC0415 -- slow, and not every test needs it

    return get_tokenizer(str(model), trust_remote_code=True, use_fast=True, padding_side="left")
