"""Each file of `examples/` is run as a reader runs it, and does what it says."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import hatchling.build
import pytest

from tests.adapters.lines import GOOD, IDLE, ToolUse
from tests.e2e.forked import commanded
from tests.e2e.server import PATIENCE_S, ROOT, Server, free_port, without_settings
from tests.examples.conftest import EXAMPLES
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn

SCRIPTS = sorted(EXAMPLES.glob("*.py"))
WITH_A_MODEL = [path for path in SCRIPTS if re.search(r"^from openai import", path.read_text(encoding="utf-8"), re.M)]


def started(name: str, folder: Path, settings: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start an example in an empty folder."""
    kept = {name: value for name, value in without_settings().items() if not name.startswith("OPENAI_")}
    env = {**kept, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'schemas'}", **settings}
    command = [sys.executable, str(EXAMPLES / name)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=env, stdout=pipe, stderr=pipe, text=True)


def ran(name: str, folder: Path, settings: Mapping[str, str], server: Server) -> list[str]:
    """Run an example to its end, and return the lines that it printed."""
    out, err = started(name, folder, {**settings, "ENV_SERVER_URL": server.url}).communicate(timeout=PATIENCE_S)
    assert err == ""
    return out.splitlines()


def words(line: str | ToolUse) -> Reply:
    """The reply of a model that speaks in words and calls tools."""
    return Reply(line) if isinstance(line, str) else Reply(calls=(Call(line.name, line.arguments),))


def calls(line: str | ToolUse) -> Reply:
    """The reply of a model that speaks by the tool `respond`."""
    return words(ToolUse("respond", {"message": line}) if isinstance(line, str) else line)


AGENTS = {"openai_agent.py": words, "mcp_agent.py": calls}


@pytest.mark.parametrize(("lines", "reward"), [(GOOD, 1.0), (IDLE, 0.0)], ids=["good", "idle"])
@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_earns_what_it_deserves(
    name: str,
    lines: list[str | ToolUse],
    reward: float,
    server: Server,
    standin: StandIn,
    environment: dict[str, str],
    tmp_path: Path,
) -> None:
    """A model that does the task earns 1, one that only talks 0; both got the policy and the tools."""
    standin.then(*map(AGENTS[name], lines))
    assert f"reward: {reward}" in ran(name, tmp_path, environment, server)
    assert "# Policy for the shop's service agent" in standin.journal[0].messages[0]["content"]
    assert "cancel_pending_order" in standin.journal[0].tools
    newest = server.get("/episodes?limit=1")["episodes"][0]
    assert (newest["reward"], newest["stop_reason"]) == (reward, "user_stop")


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_that_writes_broken_calls_comes_to_an_end(
    name: str, server: Server, standin: StandIn, environment: dict[str, str], tmp_path: Path
) -> None:
    """Calls whose arguments are no JSON are turns, and the server ends the episode after too many of them."""
    standin.program = lambda _asked: Reply(calls=(Call("find_user_id_by_email", "{broken"),))
    assert "reward: 0.0" in ran(name, tmp_path, environment, server)
    assert server.get("/episodes?limit=1")["episodes"][0]["stop_reason"] in {"max_errors", "max_turns"}


def test_the_rollout_loop_prints_advantages(server: Server, environment: dict[str, str], tmp_path: Path) -> None:
    """Advantages have the mean 0 in each group and follow the rewards; the server has all episodes of the run."""
    *groups, last = ran("rollout_groups.py", tmp_path, environment, server)
    for line in groups:
        rewards, advantages = ([float(n) for n in re.findall(r"[-+]?\d+\.\d+", part)] for part in line.split("advan"))
        assert set(rewards) == {0.0, 1.0}
        assert abs(sum(advantages)) < 0.05
        assert all((a > 0) == (r == 1) for a, r in zip(advantages, rewards, strict=True))
    episodes = server.get(f"/episodes?run={last.partition('run=')[2]}")
    assert episodes["total"] == 6 * len(groups) > 6
    assert len({episode["group_id"] for episode in episodes["episodes"]}) == len(groups)


def test_the_domain_is_played(server: Server, environment: dict[str, str], tmp_path: Path) -> None:
    """The agent earns 1 in every task, in those with a boat in repair and in those without."""
    lines = ran("custom_domain.py", tmp_path, environment, server)
    assert len(lines) == 20
    assert {tuple(re.findall(r": ([\w-]+), .* reward (\S+)$", line)[0]) for line in lines} == {
        ("reserve", "1.0"),
        ("reserve-due", "1.0"),
    }


def test_the_package_of_the_domain_can_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The editable wheel, built with packages of the server's lock, points to the folder and offers the domain."""
    monkeypatch.chdir(EXAMPLES / "boat_club")
    with zipfile.ZipFile(tmp_path / hatchling.build.build_editable(str(tmp_path))) as wheel:
        (points,) = (name for name in wheel.namelist() if name.endswith("/entry_points.txt"))
        (path,) = (name for name in wheel.namelist() if name.endswith(".pth"))
        assert wheel.read(points).decode() == "[env_server.domains]\nboat_club = boat_club:domain\n"
        assert Path(wheel.read(path).decode().strip()) == EXAMPLES / "boat_club"


@pytest.mark.slow
def test_the_audit_of_the_domain_finds_no_fault(server: Server, tmp_path: Path) -> None:
    """The oracle earns 1 in all tasks of the package, and policies without knowledge of them solve none."""
    command = ["audit", "--domain", "boat_club", "--full", "--json"]
    done = commanded(command, tmp_path, server.environment, PATIENCE_S)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, found["faults"]) == (0, 0), done.stderr
    for split, rates in found["rates"].items():
        assert rates.pop("oracle")["solved"] == found["tasks"][split] > 0
        assert {name: rate["solved"] for name, rate in rates.items() if rate["solved"]} == {}


def test_the_tasks_of_the_file_measure_something(server: Server, environment: dict[str, str], tmp_path: Path) -> None:
    """The solution of each line earns 1, and doing nothing earns 0."""
    lines = ran("custom_tasks.py", tmp_path, environment, server)
    tasks = (EXAMPLES / "custom_tasks.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(tasks) == 2
    assert {line.partition(":")[0] for line in lines} == {"solution 1.0, nothing 0.0"}


@pytest.fixture
def own_tools(tmp_path: Path) -> Iterator[Server]:
    """A server on the example's two files, unchanged, in a folder with a virtual environment like a checkout's."""
    command = tmp_path / ".venv" / "bin" / "mcp-polygon"
    command.parent.mkdir(parents=True)
    path = f"{ROOT}{os.pathsep}{ROOT / 'schemas'}"
    line = f'PYTHONPATH={shlex.quote(path)} exec {shlex.quote(sys.executable)} -m mcp_servers.polygon "$@"'
    command.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    command.chmod(0o755)
    files = {"MCP_CONFIG": EXAMPLES / "own_tools" / "servers.json", "MCP_TASKS": EXAMPLES / "own_tools" / "tasks.jsonl"}
    settings = {name: str(file) for name, file in files.items()}
    process = Server(tmp_path / "env.db", {**settings, "DOMAINS": "retail", "API_KEYS": "me:secret"}).start()
    yield process
    process.kill()


def test_the_tools_of_a_server_are_an_environment(own_tools: Server, tmp_path: Path) -> None:
    """A price that was looked up earns 1, and the same price as a guess 0."""
    lines = ran("own_tools.py", tmp_path, {"ENV_SERVER_KEY": "secret"}, own_tools)
    tasks = (EXAMPLES / "own_tools" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    prices = {task["task_id"]: task["answer"]["value"] for task in map(json.loads, tasks)}
    assert lines == [f"{name}: {price} USD, reward 1.0, as a guess 0.0" for name, price in prices.items()]


CUSTOMER = [
    "Hello, I want to cancel an order.",
    "It is yusuf.rossi5352@example.com. It is order #W6204781, which I ordered by mistake.",
    "Yes, please go ahead.",
    "###STOP###",
]


def test_two_models_talk(server: Server, standin: StandIn, environment: dict[str, str], tmp_path: Path) -> None:
    """The customer's model opens, answers and ends the conversation; the agent's model earns the reward."""
    customer, agent = iter(CUSTOMER), map(words, GOOD)

    def either(asked: Asked) -> Reply | str:
        return next(agent) if asked.tools else next(customer)

    standin.program = either
    lines = ran("llm_user.py", tmp_path, environment, server)
    assert [line for line in lines if line.startswith("customer: ")] == [f"customer: {said}" for said in CUSTOMER]
    assert lines[-2:] == ["reward: 1.0", f"tokens of the customer: {110 * len(CUSTOMER)}"]


@pytest.mark.slow
def test_the_evaluation_writes_reports(server: Server, environment: dict[str, str], tmp_path: Path) -> None:
    """The policy that knows the solution is better than the one that guesses, beyond chance; each has its report."""
    lines = ran("evaluation.py", tmp_path, environment, server)
    assert "B solves more than A." in lines
    reports = [tmp_path / name for name in lines[-1].split(": ")[1].split()]
    success = [re.findall(r"^\*\*([\d.]+) %\*\*", report.read_text(encoding="utf-8"), re.M) for report in reports]
    assert success == [["0.0"], ["100.0"]]


@pytest.fixture(scope="module")
def without_a_server(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Status and errors of each example without a server; they wait a few seconds, all at the same time."""
    settings = {"ENV_SERVER_URL": f"http://127.0.0.1:{free_port()}", "OPENAI_API_KEY": "sk-none"}
    folder = tmp_path_factory.mktemp("alone")
    running = {path.name: started(path.name, folder, settings) for path in SCRIPTS}
    said = {name: process.communicate(timeout=PATIENCE_S)[1] for name, process in running.items()}
    return {name: (process.returncode, said[name]) for name, process in running.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.name for path in SCRIPTS])
def test_without_a_server_it_says_what_to_start(name: str, without_a_server: dict[str, tuple[int, str]]) -> None:
    """The last line names the command, and there is no traceback."""
    status, said = without_a_server[name]
    assert (status, "Traceback" in said) == (1, False)
    assert "make serve" in said.splitlines()[-1]


@pytest.mark.parametrize("name", [path.name for path in WITH_A_MODEL])
def test_without_a_key_it_says_so(name: str, server: Server, tmp_path: Path) -> None:
    """If an example needs a model, one line names the variable of the key."""
    process = started(name, tmp_path, {"ENV_SERVER_URL": server.url})
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert "OPENAI_API_KEY" in said


def test_every_example_is_listed_and_run() -> None:
    """README.md has a row for each file, and a test of this folder names it."""
    listed = re.findall(r"^\| \[([^]]+)\]", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.M)
    found = {path.name for pattern in ("*.py", "*.ipynb") for path in EXAMPLES.glob(pattern)}
    assert (len(listed), {*listed}) == (len(found), found)
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in sorted(found) if f'"{name}"' not in tests] == []
