"""A server is ready before its domains are loaded, and loads each of them once, whatever needs it first."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from env_server import app as application
from env_server import background_loading as loading
from env_server.app import create_app
from env_server.domains import discovery
from env_server.domains.kit.domain import Domain
from env_server.domains.pack import Pack
from env_server.domains.packs import builtin
from env_server.lazy import LazyContext
from env_server.providers.kept_texts import KeptTexts
from env_server.settings import Settings

PATIENCE_S = 120
RETAIL = {"domain": "retail", "split": "test", "index": 0}


class Loads:
    """Wraps the loading of packs: counts it, holds it up, and makes it fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: Counter[str] = Counter()
        self.first, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()
        self.broken = ""
        self._load = builtin.load
        monkeypatch.setattr(builtin, "load", self.load)
        monkeypatch.setattr(discovery, "_packs", discovery._packs.__wrapped__)  # not those that other tests have loaded

    def load(self, domain: Domain, scale: int, kept: KeptTexts | None) -> Pack:
        """Wait for `may_go_on`, then load as usual. Fail for the broken domain."""
        self.begun[domain.name] += 1
        self.first.set()
        assert self.may_go_on.wait(PATIENCE_S)
        if domain.name == self.broken:
            raise RuntimeError("its world has no floor")
        return self._load(domain, scale, kept)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Loads:
    """The wrapped loading of packs."""
    return Loads(monkeypatch)


@contextmanager
def started(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client of an application that has just started."""
    given = Settings(_env_file=None, database_url=f"sqlite:///{folder / 'episodes.db'}", **settings)
    with TestClient(create_app(given), base_url="http://localhost") as client:
        yield client


def test_a_server_is_ready_before_anything_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With default settings, /readyz answers before anything is loaded. A request loads what it needs."""
    monkeypatch.setattr(loading, "SETTLE_S", PATIENCE_S)
    with started(tmp_path) as client:
        state: Any = client.app.state  # type: ignore[attr-defined]  # an ASGI application has none, ours has
        assert client.get("/readyz").json() == {"status": "ready", "live_episodes": 0}
        assert (state.episodes.value, state.mcp.value) == (None, None)
        assert client.post("/reset", json=RETAIL).status_code == 200
        assert state.episodes.value is not None
        assert state.mcp.value is None
        assert client.post("/mcp", json={}).status_code == 400
        assert state.mcp.value is not None
        assert client.get("/readyz").json()["live_episodes"] == 1


def test_a_reset_waits_for_its_domain_and_loads_it_no_second_time(tmp_path: Path, loads: Loads) -> None:
    """While a domain loads, the server is ready, and a reset of that domain waits. It succeeds after one load."""
    loads.may_go_on.clear()
    with started(tmp_path, domains="retail") as client, ThreadPoolExecutor(1) as elsewhere:
        assert loads.first.wait(PATIENCE_S)
        reset = elsewhere.submit(client.post, "/reset", json=RETAIL)
        assert client.get("/readyz").status_code == 200
        assert not reset.done()
        loads.may_go_on.set()
        assert reset.result(PATIENCE_S).status_code == 200
    assert loads.begun == {"retail": 1}


def test_the_domain_that_a_request_waits_for_is_loaded_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loads: Loads
) -> None:
    """The domain of a reset is loaded before all others, even if the reset came before the episodes were opened."""
    asked, may_open = Counter[str](), threading.Event()

    @asynccontextmanager
    async def playing(*_: Any) -> AsyncIterator[Any]:
        await asyncio.to_thread(may_open.wait, PATIENCE_S)
        async with open_playing(*_) as opened:
            yield opened

    async def get(context: LazyContext[Any]) -> Any:
        asked["get"] += 1
        return await get_context(context)

    open_playing, get_context = application._playing, LazyContext.get
    monkeypatch.setattr(application, "_playing", playing)
    monkeypatch.setattr(LazyContext, "get", get)
    monkeypatch.setattr(loading, "SETTLE_S", 0.0)
    monkeypatch.setattr(loading, "GIVE_WAY_S", 0.5)  # more than a request needs to begin, also on a busy machine
    with started(tmp_path) as client, ThreadPoolExecutor(1) as elsewhere:
        reset = elsewhere.submit(client.post, "/reset", json=RETAIL)
        began = monotonic()
        while asked["get"] < 2:  # the request, and the background loading
            assert monotonic() - began < PATIENCE_S, "nothing waits"  # a guard against hanging, no measurement
            sleep(0.01)
        may_open.set()
        assert reset.result(PATIENCE_S).status_code == 200
        assert next(iter(loads.begun)) == "retail"


def test_a_domain_that_cannot_be_loaded_stops_no_other(tmp_path: Path, loads: Loads) -> None:
    """The failure is logged once. The domain's resets and its entry in the list say why, and the other is played."""
    loads.broken = "retail"
    with capture_logs() as logs, started(tmp_path, domains="retail,telecom") as client:
        refused = client.post("/reset", json=RETAIL)
        assert (refused.status_code, refused.json()["code"]) == (500, "internal")
        assert "its world has no floor" in refused.json()["detail"]
        assert client.post("/reset", json={**RETAIL, "domain": "telecom"}).status_code == 200
        listed = {domain["name"]: domain["packs"][0] for domain in client.get("/domains").json()["domains"]}
        assert "its world has no floor" in listed["retail"]["error"]
        assert listed["telecom"]["error"] is None
        began = monotonic()
        while not any(line["event"] == "a domain cannot be loaded" for line in logs):
            assert monotonic() - began < PATIENCE_S, "nothing was logged"  # a guard against hanging, no measurement
            sleep(0.01)
        until_loaded(client)
    (line,) = [line for line in logs if line["event"] == "a domain cannot be loaded"]
    assert line["domain"] == "retail"
    assert "its world has no floor" in line["error"]


def test_loading_goes_on_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the episodes cannot be opened at first, loading tries again, and everything that follows is loaded too."""
    tries = []

    @asynccontextmanager
    async def playing(*_: Any) -> AsyncIterator[Any]:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no file handle is left")
        async with open_playing(*_) as opened:
            yield opened

    open_playing = application._playing
    monkeypatch.setattr(application, "_playing", playing)
    monkeypatch.setattr(loading, "RETRY_S", 0.01)
    monkeypatch.setattr(loading, "SETTLE_S", 0.0)
    with capture_logs() as logs, started(tmp_path, preload=False) as client:
        state: Any = client.app.state  # type: ignore[attr-defined]  # as above
        began = monotonic()
        while state.mcp.value is None:  # nothing has asked for it: the loader went on
            assert monotonic() - began < PATIENCE_S, "loading hangs"  # a guard against hanging, no measurement
            sleep(0.01)
        assert state.episodes.value is not None
    assert len(tries) == 2
    assert [line["event"] for line in logs].count("episodes cannot be played") == 1


@pytest.mark.parametrize(
    "wrong", [{"user_base_url": "no url at all"}, {"judge_base_url": "nor this", "judge_model": "m"}]
)
def test_wrong_settings_of_models_end_the_start(tmp_path: Path, wrong: dict[str, Any]) -> None:
    """A model's address that is no URL is an error at the start, not in a request."""
    with pytest.raises(ValueError, match=r"url|URL|address"), started(tmp_path, **wrong):
        pass


def until_loaded(client: TestClient) -> None:
    """Wait until everything is loaded: MCP comes last."""
    state: Any = client.app.state  # type: ignore[attr-defined]  # as above
    assert client.portal is not None
    client.portal.call(state.mcp.get)


@pytest.mark.parametrize(
    ("settings", "plain"),
    [({}, True), ({"world_scale": 2}, True), ({"domains": "retail"}, False), ({"tau2_dir": "somewhere"}, False)],
)
def test_settings_that_may_be_wrong_are_looked_at_first(settings: dict[str, Any], plain: bool) -> None:
    """Settings with names of domains or with folders are checked before the server is ready; others need no check."""
    assert loading.is_plain(Settings(_env_file=None, **settings)) is plain
