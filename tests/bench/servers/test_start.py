import os

import pytest

from env_server.bench.servers.start import ROOT, environment


def test_what_is_measured_has_no_settings_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measured server gets the given settings and none of the operator's; compiled modules are kept, as usual."""
    monkeypatch.setenv("ENV_SERVER_DOMAINS", "retail")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    found = environment({"ENV_SERVER_PRELOAD": "false"})
    assert {name: found[name] for name in found if name.startswith("ENV_SERVER_")} == {"ENV_SERVER_PRELOAD": "false"}
    assert found["PYTHONPATH"] == f"{ROOT}{os.pathsep}elsewhere"
    assert "PYTHONDONTWRITEBYTECODE" not in found
