"""Compose understands compose.yaml, and systemd understands the unit. No container is started."""

import json
import os
import re
import shutil
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.deployment

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(os.environ.get("DEPLOYMENT_PROGRAMS", "."))
"""Where `make test-deployment` has installed the schema of compose files, and podman-compose."""

PROFILES = ("mcp", "monitoring", "postgres", "train")
Json = dict[str, Any]


def resolved(folder: Path, *profiles: str, **variables: str) -> Json:
    """Return the project as podman-compose resolves it in `folder`, with these profiles and variables.

    podman-compose asks a `podman` for its version before it does anything; a program that answers stands in for it.
    """
    engine = folder / "bin" / "podman"
    engine.parent.mkdir(exist_ok=True)
    engine.write_text("#!/bin/sh\necho 'podman version 5.0.0'\n", encoding="utf-8")
    engine.chmod(0o755)
    chosen = [option for profile in profiles for option in ("--profile", profile)]
    env = {"PATH": f"{engine.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder), **variables}
    command = [str(PROGRAMS / "python" / "bin" / "podman-compose"), *chosen, "config"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: Json = yaml.safe_load(done.stdout)
    return found


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the compose file alone, so that nobody's `.env` is read."""
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    return tmp_path


def complaints(project: Json) -> str:
    """Return what the schema of compose files says against a project. The schema is older than `env_file` with `path`,
    and older than replicas from a variable. It gets the path alone, and the default of the replicas.
    """
    shown = deepcopy(project)
    for service in shown["services"].values():
        if "env_file" in service:
            assert all(entry.keys() == {"path", "required"} for entry in service["env_file"])
            service["env_file"] = [entry["path"] for entry in service["env_file"]]
        if isinstance(replicas := service.get("deploy", {}).get("replicas"), str):
            (default,) = re.findall(r"^\$\{\w+:-(\d+)\}$|^\d+$", replicas)
            service["deploy"]["replicas"] = int(default or replicas)
    command = ["node", str(Path(__file__).with_name("validate.mjs"))]
    env = os.environ | {"DEPLOYMENT_PROGRAMS": str(PROGRAMS)}
    done = subprocess.run(command, input=json.dumps(shown), env=env, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def read(folder: Path) -> Json:
    """Return compose.yaml as YAML reads it, without the blocks that only anchors need."""
    found = yaml.safe_load((folder / "compose.yaml").read_text("utf-8"))
    return {key: value for key, value in found.items() if not key.startswith("x-")}


def test_the_schema_accepts_the_file(checkout: Path) -> None:
    """The file is accepted as it is written, and as podman-compose resolves it with every profile."""
    assert complaints(read(checkout)) == ""
    assert complaints(resolved(checkout, *PROFILES)) == ""


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("ports", "8000", "/services/env-server/ports"),
        ("prots", ["8000:8000"], "prots"),
        ("read_only", ["yes"], "read_only"),
    ],
)
def test_the_schema_refuses_mistakes(checkout: Path, key: str, value: Any, said: str) -> None:
    """A value of another type or an unknown key is found, so that the test above means something."""
    project = read(checkout)
    project["services"]["env-server"][key] = value
    assert said in complaints(project)


@pytest.mark.parametrize(
    ("profiles", "services"),
    [
        ((), {"env-server"}),
        (("monitoring",), {"env-server", "prometheus", "grafana"}),
        (("postgres",), {"env-server", "env-server-postgres", "load-balancer", "postgres"}),
        (("train",), {"env-server", "train"}),
        (("mcp",), {"env-server", "mcp-polygon", "mcp-fmp", "mcp-tavily", "mcp-slack", "mcp-python"}),
    ],
)
def test_profiles_begin_their_services(checkout: Path, profiles: tuple[str, ...], services: set[str]) -> None:
    """podman-compose selects the server, and beside it what the profile is for; images are built in the checkout."""
    found = resolved(checkout, *profiles)["services"]
    chosen = {name for name, service in found.items() if set(service.get("profiles", profiles)) <= set(profiles)}
    assert chosen == services
    contexts = {Path(service["build"]["context"]) for service in found.values() if "build" in service}
    assert contexts == {checkout}


def test_the_file_of_settings_wins(checkout: Path) -> None:
    """What `.env` says holds in the container, but for address, port, database and cache; the port is published."""
    lines = [
        "ALLOW_ANONYMOUS=0",
        "ALLOWED_HOSTS=env.example.org",
        "PORT=9000",
        "HOST=127.0.0.1",
        "DATABASE_URL=sqlite:///x",
    ]
    (checkout / ".env").write_text("".join(f"ENV_SERVER_{line}\n" for line in lines), encoding="utf-8")
    server = resolved(checkout)["services"]["env-server"]
    given = {key.removeprefix("ENV_SERVER_"): value for key, value in server["environment"].items()}
    assert given["ALLOW_ANONYMOUS"] == "0"
    assert given["ALLOWED_HOSTS"] == "env.example.org"
    assert (given["HOST"], given["PORT"], given["DATABASE_URL"]) == ("0.0.0.0", "8000", "sqlite:////data/env-server.db")
    assert server["ports"] == ["127.0.0.1:9000:8000"]


def test_public_data_is_mounted(checkout: Path) -> None:
    """With a checkout in `.env` its folder is at the same path in the container; without one no folder is mounted."""

    def mounts() -> list[str]:
        return [volume for volume in resolved(checkout)["services"]["env-server"]["volumes"] if "tau" in volume]

    assert sorted(mounts()) == ["/dev/null:/tau1:ro", "/dev/null:/tau2:ro"]
    (checkout / ".env").write_text("ENV_SERVER_TAU2_DIR=/data/tau2-bench\n", encoding="utf-8")
    assert sorted(mounts()) == ["/data/tau2-bench:/data/tau2-bench:ro", "/dev/null:/tau1:ro"]


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    """`systemd-analyze verify` says nothing, where the program exists; it does say something about a misspelt line."""
    unit, program = (ROOT / "docker" / "env-server.service").read_text("utf-8"), str(shutil.which("true"))
    unit = unit.replace("/opt/agent-env-server/.venv/bin/env-server", program).replace(
        "file:///opt/agent-env-server", "file:///opt"
    )
    good, bad = tmp_path / "env-server.service", tmp_path / "bad.service"
    good.write_text(unit, encoding="utf-8")
    bad.write_text(unit.replace("ProtectHome=", "ProtectHouse="), encoding="utf-8")
    for file, said in ((good, ""), (bad, "ProtectHouse")):
        done = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)
        assert said in done.stderr
        assert (done.returncode == 0 and not done.stderr) == (file == good), done.stderr
