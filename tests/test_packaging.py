"""What the distribution contains, and which libraries it requires."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import hatchling.build
import pytest
from packaging.requirements import Requirement

import agent_env_schemas

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-server.lock")
TRAINING_LOCK = "tests/skyrl/requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAME = re.compile(r"[A-Za-z0-9._-]+")


def pins(lock: str) -> dict[str, str]:
    """Return the version that a lock file pins for each name."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", text, flags=re.MULTILINE))


def distributions(requirements: list[str]) -> set[str]:
    """Return the names in a list of requirements."""
    return {match.group() for match in map(NAME.match, requirements) if match}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """Build the wheel as pip would and open it."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        name = hatchling.build.build_wheel(str(folder))
    with zipfile.ZipFile(folder / name) as archive:
        yield archive


def test_base_is_thin() -> None:
    """Without an extra, the project requires three libraries."""
    assert distributions(PROJECT["project"]["dependencies"]) == {"httpx2", "pydantic", "stamina"}


def test_base_brings_few_distributions() -> None:
    """With the requirements of the three, at most 15 distributions are installed, this project included."""
    found = {"agent-env-server"}
    waiting = list(PROJECT["project"]["dependencies"])
    while waiting:
        wanted = Requirement(waiting.pop())
        if (wanted.marker is None or wanted.marker.evaluate({"extra": ""})) and wanted.name not in found:
            found.add(wanted.name)
            waiting += requires(wanted.name) or []
    assert len(found) <= 15, sorted(found)


def test_schemas_is_ours() -> None:
    """The wire contract is imported from this project, by a name that no other package has."""
    assert Path(agent_env_schemas.__file__ or "").parent == ROOT / "schemas" / "agent_env_schemas"


def test_a_folder_called_schemas_is_in_nobodys_way(tmp_path: Path) -> None:
    """The client can be imported beside a `schemas` package of the user's own."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "__init__.py").write_text("own = True\n", encoding="utf-8")
    code = "import schemas, trainer_client; print(schemas.own, trainer_client.Client.__name__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "Client"]


def test_schemas_loads_no_server_library() -> None:
    """Importing the wire contract loads neither server, database nor training libraries."""
    heavy = ["env_server", "fastapi", "sqlalchemy", "starlette", "torch", "uvicorn"]
    code = f"import agent_env_schemas, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_client_loads_no_server_library() -> None:
    """Importing the client and its command loads the three base libraries and what they need, and nothing large."""
    heavy = ["anthropic", "env_server", "fastapi", "mcp", "openai", "pyarrow", "sqlalchemy", "starlette", "torch"]
    code = f"import trainer_client.cli, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(("module", "most"), [("trainer_client", 2.0), ("trainer_client.cli", 3.0)])
def test_client_is_imported_quickly(module: str, most: float) -> None:
    """In one of five tries, importing takes less than `most` times its libraries' time, and less than 10 MB more."""
    code = (
        "import resource; from time import process_time as now; used = resource.getrusage; began = now(); "
        "import httpx2, stamina; from pydantic import BaseModel; half = now(); before = used(0).ru_maxrss; "
        f"import {module}; print((now() - began) / (half - began), (used(0).ru_maxrss - before) / 1024)"
    )
    command = [sys.executable, "-c", code]
    tries = []
    for _ in range(5):
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        ratio, megabytes = map(float, run.stdout.split())
        tries.append((ratio, megabytes))
        if ratio < most and megabytes < 10:
            return
    raise AssertionError(tries)


@pytest.mark.parametrize("lock", [*LOCKS, TRAINING_LOCK])
def test_lock_holds_names_versions_and_hashes_only(lock: str) -> None:
    """A lock file names no address and no path, and every pin has its hashes."""
    entry = re.compile(r"[a-z0-9-]+==[^\s;/]+( ; [^/]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not entry.fullmatch(line)] == []


def test_locks_pin_what_is_declared() -> None:
    """Each declared library is pinned, and each pin of the server's lock is in the full lock."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    extras, elsewhere = project["optional-dependencies"], {"data", "eval", "gpu", "learn", "skyrl", "traces"}
    runtime = [*project["dependencies"], *(item for name in extras.keys() - elsewhere for item in extras[name])]
    development = [item for group in groups.values() for item in group if isinstance(item, str)]
    full, server = map(pins, LOCKS)
    assert distributions(runtime) - {project["name"]} <= server.keys()
    assert distributions([*development, *extras["data"], *extras["eval"], *extras["traces"]]) <= full.keys()
    assert server.items() <= full.items()


def test_installation_is_from_a_checkout() -> None:
    """Until the project is published, no text tells a reader to install it by its name."""
    by_name = (
        "pip install agent-" + "env-server",
        "pip install 'agent-" + "env-server",
        'pip install "agent-' + "env-server",
    )
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    texts = [ROOT / name for name in files if name.endswith((".md", ".py", ".toml", ".yaml", ".yml", ".html", ".txt"))]
    assert [
        path for path in texts if path.is_file() and any(words in path.read_text("utf-8") for words in by_name)
    ] == []


def test_training_has_a_lock_of_its_own() -> None:
    """What a trainer installs is pinned apart from the server's libraries: the base, and SkyRL's exact release."""
    pinned = pins(TRAINING_LOCK)
    extra = PROJECT["project"]["optional-dependencies"]["skyrl"]
    assert distributions([*PROJECT["project"]["dependencies"], *extra]) <= pinned.keys()
    assert {f"{name}=={pinned[name]}" for name in ("skyrl", "skyrl-gym")} <= set(extra)
    assert not {"torch", "vllm", "flash-attn"} & pinned.keys()


def test_the_lock_for_gpus() -> None:
    """The lock pins the base and the extra `gpu`, without an index. Packages that PyPI lacks are in another file."""
    pinned = pins("requirements-gpu.lock")
    extra = PROJECT["project"]["optional-dependencies"]["gpu"]
    assert distributions([*PROJECT["project"]["dependencies"], *extra]) <= pinned.keys()
    exact = {item.partition(";")[0] for item in extra if "==" in item.partition(";")[0]}
    assert exact <= {f"{name}=={version}" for name, version in pinned.items()}
    lock = (ROOT / "requirements-gpu.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    unhashed = (ROOT / "requirements-gpu-unhashed.txt").read_text(encoding="utf-8")
    assert "://" not in unhashed
    assert not pinned.keys() & {line.partition("==")[0] for line in unhashed.splitlines()}


def test_wheel_holds_every_file_of_the_packages(wheel: zipfile.ZipFile) -> None:
    """The wheel packs code and data alike, and nothing beside the packages."""
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    files = (
        path.relative_to((ROOT / package).parent)
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file()
    )
    expected = {path.as_posix() for path in files if "__pycache__" not in path.parts}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == expected


@pytest.mark.parametrize(
    "pattern",
    [
        r"env_server/domains/\w+/policy\.md",
        r"env_server/records/migrations/env\.py",
        r"env_server/records/migrations/versions/v0001_\w+\.py",
        r"env_server/py\.typed",
        r"agent_env_schemas/py\.typed",
        r"trainer_client/py\.typed",
        r"trainer_client/recipes/grpo/presets/machines/gpu-4\.yaml",
        r"trainer_client/recipes/grpo/schema/skyrl_settings\.txt",
    ],
)
def test_wheel_holds_what_the_server_reads_at_run_time(wheel: zipfile.ZipFile, pattern: str) -> None:
    """Policies, migrations and type markers are in the wheel."""
    assert any(re.fullmatch(pattern, name) for name in wheel.namelist())


@pytest.mark.parametrize("command", ["env-server = env_server.__main__:main", "trainer = trainer_client.cli:main"])
def test_wheel_declares_the_commands(wheel: zipfile.ZipFile, command: str) -> None:
    """Installing the wheel makes both commands."""
    (entry_points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert command in wheel.read(entry_points).decode()


def test_the_server_says_what_it_lacks() -> None:
    """Where only the base distribution is installed, `env-server` names the extra instead of failing at an import."""
    code = "import sys; sys.modules['typer'] = None; from env_server.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "error: the server is not installed: pip install '.[server]' in a checkout\n",
    )
