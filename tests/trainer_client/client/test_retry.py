"""Which errors are retried, and what is logged about them."""

import logging
import re
import ssl
import time
from functools import partial

import httpx2
import pytest
import stamina
import structlog
from stamina.instrumentation import get_on_retry_hooks, set_on_retry_hooks

from tests.e2e.server import Server
from tests.trainer_client.proxy import DROP, Proxy
from trainer_client import Client, Unreachable
from trainer_client.client.connection import PATIENCE_S
from trainer_client.client.retry import Retrier, _wrap_hooks, may_pass


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "htp://127.0.0.1:8000"])
def test_a_wrong_address_is_told_at_once(url: str) -> None:
    """An address without a scheme, or with an unknown one, is not retried: waiting does not mend it."""
    tried = []

    def once() -> None:
        tried.append(1)
        httpx2.get(url)

    with pytest.raises(Unreachable):
        Retrier(url, 60.0).call(once)
    assert len(tried) == 1


def test_https_to_a_server_without_it_is_told_at_once(server: Server) -> None:
    """Two sides that cannot agree on TLS fail at once; a TLS connection that is cut off is tried again."""
    began = time.monotonic()
    with Client(server.url.replace("http:", "https:")) as client:
        with pytest.raises(Unreachable, match="SSL"):
            client.domains()
        assert time.monotonic() - began < PATIENCE_S
        cut = httpx2.ConnectError("no")
        cut.__cause__ = ssl.SSLEOFError("cut off")
        assert may_pass(cut)


async def test_the_last_attempt_begins_when_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause that would outlast the patience is cut to its end; then one more attempt is made, and no other."""
    monkeypatch.setattr("random.uniform", lambda _low, high: high)
    began, tried = time.monotonic(), []

    def once() -> None:
        tried.append(time.monotonic() - began)
        raise httpx2.ConnectError("no")

    async def same() -> None:
        once()

    with pytest.raises(Unreachable):
        Retrier("http://server", 60.0).call(once, within=0.05)
    with pytest.raises(Unreachable):
        await Retrier("http://server", 0.05).acall(same)
    assert len(tried) == 4
    assert tried[-1] < 1.0


def test_an_outage_is_one_line(
    proxy: Proxy, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many attempts fail, one log line has place, error and next attempt, and one tells the end of it."""
    caplog.set_level(logging.INFO)
    with Client(proxy.url, "secret") as client:
        proxy.fails += [DROP] * 3
        client.domains()
    lines = [r.getMessage() for r in caplog.records if r.name in {"trainer_client", "stamina"}]
    assert len(lines) == 2
    assert lines[0].startswith(f"{proxy.url}: RemoteProtocolError: ")
    assert re.search(r"next try in [01]\.\d s, for up to 300 s$", lines[0])
    assert lines[1] == f"{proxy.url} answers again"
    assert "stamina" not in "".join(capsys.readouterr())


def test_others_retries_are_logged_as_ever(
    proxy: Proxy,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """Applications that use stamina themselves still get its log lines."""
    hooks, logs = get_on_retry_hooks(), structlog.get_config()
    request.addfinalizer(partial(set_on_retry_hooks, hooks))
    request.addfinalizer(partial(structlog.configure, **logs))
    set_on_retry_hooks(None)  # as in a new process, whatever tests before this one have configured
    structlog.reset_defaults()
    _wrap_hooks.cache_clear()
    with Client(proxy.url, "secret") as client:
        proxy.fails += [DROP]
        client.domains()
    caplog.clear()
    capsys.readouterr()
    fails = [OSError()]
    for attempt in stamina.retry_context(OSError, wait_initial=0, wait_jitter=0):
        with attempt:
            if fails:
                raise fails.pop()
    written = caplog.text + "".join(capsys.readouterr())
    assert "stamina.retry_scheduled" in written
