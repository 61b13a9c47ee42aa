"""What holds for every test: one async backend, and no time limit on single Hypothesis examples."""

import gc
import os
import ssl
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

# On a shared machine, the time of one example says nothing. Where CI is set, this inherits Hypothesis's CI profile.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

# The server's thresholds. Collected tests are never garbage, and searching thousands of them again takes time.
gc.set_threshold(50_000, 50, 100)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile`, keep the tests of a domain together too."""
    from tests.scheduling import DomainScheduling  # noqa: PLC0415 -- only where pytest-xdist is installed

    return DomainScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later garbage collection."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _one_tls_context() -> Iterator[None]:
    """HTTP clients share a TLS context, because reading all certificates takes each of them 25 ms; no test uses TLS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test opens the database, or reads the cache, of the person who runs it. The workers of a run share a cache."""
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("ENV_SERVER_CACHE_DIR", str(run / "cache"))
        yield


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the loop the server runs on."""
    return "asyncio"
