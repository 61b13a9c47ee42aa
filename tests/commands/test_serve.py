"""`env-server serve`."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from env_server.api.openapi import VERSION
from env_server.app import create_app
from env_server.settings import Settings
from tests.commands.conftest import ROOT, Run, Server, database_of

Starts = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starts]:
    """Start servers with these ENV_SERVER_ settings; those still running at the end are killed."""
    started: list[Server] = []

    def starting(**settings: str) -> Server:
        started.append(Server(tmp_path, {f"ENV_SERVER_{name}": value for name, value in settings.items()}))
        return started[-1]

    yield starting
    for server in started:
        server.kill()


def test_port_0_is_a_free_port_that_is_announced(start: Starts, tmp_path: Path) -> None:
    """The first line is a JSON log with the real port, the URL of the page and the database's whole path."""
    server = start()
    assert server.said["event"] == "listening"
    assert server.url == f"http://127.0.0.1:{server.said['port']}"
    assert server.said["database"] == str(database_of(tmp_path).resolve())
    health = httpx2.get(f"{server.url}/healthz")
    assert (health.status_code, "server" in health.headers) == (200, False)
    assert httpx2.get(server.said["docs"]).status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(start: Starts, number: int) -> None:
    """Both signals shut down gracefully, with status 0, JSON logs to the end and nothing on the error output."""
    status, out, err = start().stop(number)
    assert (status, err) == (0, "")
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["stopping", "stopped"]


def test_a_misspelt_setting_is_named(start: Starts, tmp_path: Path) -> None:
    """A misspelt setting is named, wherever it is set, or a server could run without keys unnoticed.

    Clients' settings are known.
    """
    (tmp_path / ".env").write_text("ENV_SERVER_TOKEN_LIFETIM_S=3\nENV_SERVER_URL=http://x\n", encoding="utf-8")
    server = start(API_KEY="alice:open-sesame")
    assert server.said["callers"] == "anyone who reaches the address"
    _, out, _ = server.stop(signal.SIGTERM)
    warned = json.loads(out.splitlines()[0])
    assert warned["names"] == ["ENV_SERVER_API_KEY", "ENV_SERVER_TOKEN_LIFETIM_S"]
    assert "open-sesame" not in out


def test_secrets_are_not_printed(start: Starts) -> None:
    """Keys are neither in the announcement nor in the logs."""
    server = start(API_KEYS="alice:open-sesame", TOKEN_SECRET="hush")
    assert httpx2.get(f"{server.url}/domains").status_code == 401
    _, out, err = server.stop(signal.SIGTERM)
    printed = json.dumps(server.said) + out + err
    assert "open-sesame" not in printed
    assert "hush" not in printed


@pytest.mark.parametrize(
    ("settings", "arguments", "words"),
    [
        ({}, ["--host", "0.0.0.0"], "refusing to listen on 0.0.0.0 without keys"),
        ({"HOST": "::"}, [], "refusing to listen on :: without keys"),
        ({"PORT": "many"}, [], "ENV_SERVER_PORT: Input should be a valid integer"),
        ({"API_KEYS": "sesame"}, [], "ENV_SERVER_API_KEYS must look like name:key"),
        ({"DATABASE_URL": "mysql://me:hidden@host/x"}, [], "ENV_SERVER_DATABASE_URL: unsupported database 'mysql'"),
        ({"DATABASE_URL": "hidden"}, [], "ENV_SERVER_DATABASE_URL: "),
        ({"TAU2_DIR": "."}, [], "no data of pack 'tau2' for any domain: expected data/tau2/domains/<domain>/db.json"),
        ({"TAU2_DIR": "nowhere"}, [], "the directory of pack 'tau2' does not exist"),
        ({"MCP_CONFIG": "none.json", "MCP_TASKS": "good.jsonl"}, [], "none.json: No such file or directory"),
        ({"MCP_CONFIG": "good.json", "MCP_TASKS": "bad.jsonl"}, [], "bad.jsonl: line 1: nothing says what its reward"),
        ({"MCP_CONFIG": "unset.json", "MCP_TASKS": "good.jsonl"}, [], "the environment variable NO_TOKEN is not set"),
        ({"MCP_CONFIG": "good.json"}, [], "ENV_SERVER_MCP_CONFIG needs tasks: set ENV_SERVER_MCP_TASKS"),
        ({"MCP_CONFIG": "good.json", "MCP_TASKS": "good.jsonl", "MCP_POLICY": "no.md"}, [], "no.md: No such file"),
    ],
)
def test_bad_settings_are_one_readable_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], arguments: list[str], words: str
) -> None:
    """A wrong setting ends with status 2 and one line that names it and shows no secret."""
    for name, value in settings.items():
        monkeypatch.setenv(f"ENV_SERVER_{name}", value)
    Path("good.json").write_text('{"mcpServers": {"down": {"command": "/no/such/program"}}}', encoding="utf-8")
    Path("unset.json").write_text('{"mcpServers": {"far": {"url": "http://x/${ENV:NO_TOKEN}"}}}', encoding="utf-8")
    Path("good.jsonl").write_text('{"instruction": "Look.", "assertions": ["It looked."]}\n', encoding="utf-8")
    Path("bad.jsonl").write_text('{"instruction": "Look."}\n', encoding="utf-8")
    done = run("serve", *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert "hidden" not in done.err


def test_a_foreign_file_is_no_database(run: Run, tmp_path: Path) -> None:
    """A file that is no database is refused and stays unchanged."""
    file = database_of(tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text("my diary\n" * 200)
    done = run("serve")
    assert (done.status, file.read_text()) == (2, "my diary\n" * 200)
    assert done.err.startswith("error: the database cannot be used: ")


def test_a_damaged_database_is_refused_and_a_backup_of_it_goes_on(run: Run, start: Starts, tmp_path: Path) -> None:
    """The message advises a backup: a copy made while the server ran can be served after the file was damaged."""
    server = start()
    task = {"domain": "retail", "split": "test", "index": 0}
    episode = httpx2.post(f"{server.url}/reset", json=task).json()["episode_id"]
    made = run("backup", "copy.db")
    assert (made.status, run("backup", "copy.db").status) == (0, 2)
    server.kill()
    file = database_of(tmp_path)
    for beside in file.parent.glob(f"{file.name}-*"):
        beside.unlink()
    file.write_bytes(file.read_bytes()[:4096] + b"\xa5" * 100_000)
    done = run("serve")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "malformed" in done.err
    assert "restore a copy of `env-server backup`" in done.err
    again = start(DATABASE_URL=f"sqlite:///{tmp_path / 'copy.db'}")
    assert httpx2.get(f"{again.url}/episodes/{episode}").json()["turn"] == 0


def test_a_taken_port_is_one_readable_line(run: Run) -> None:
    """One line says that the port is in use."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", str(taken.getsockname()[1]))
    assert done.status == 2
    assert "Address already in use; the next free port: --port " in done.err


def test_all_addresses_are_announced_by_one_that_works(start: Starts) -> None:
    """0.0.0.0 is no address to call: the announced URL names this machine, beside the host."""
    server = start(HOST="0.0.0.0", ALLOW_ANONYMOUS="1")
    assert (server.said["host"], server.url) == ("0.0.0.0", f"http://127.0.0.1:{server.said['port']}")
    assert httpx2.get(f"{server.url}/healthz").status_code == 200


def test_the_version_is_printed(run: Run) -> None:
    """`--version` prints the version alone."""
    done = run("--version")
    assert (done.status, done.out) == (0, f"{VERSION}\n")


def test_help_names_the_defaults(run: Run) -> None:
    """The help names the default address and port."""
    shown = " ".join(run("serve", "--help").out.replace("│", " ").split())
    assert "default: ENV_SERVER_HOST, or 127.0.0.1" in shown
    assert "default: ENV_SERVER_PORT, or 8000" in shown


def test_a_server_imports_late_what_it_needs_late() -> None:
    """Before it is ready, a server does not import what plays episodes, MCP, migrations or models' clients."""
    late = ["alembic", "mcp", "openai", "env_server.domains.kit", "env_server.reading", "env_server.users"]
    code = f"import env_server.commands.serve, sys; print(*(name for name in {late} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_is_fast() -> None:
    """Commands import what they run: the help imports neither the web framework nor the database."""
    heavy = ["alembic", "env_server.app", "fastapi", "rich.table", "sqlalchemy", "uvicorn"]
    code = f"import env_server.cli, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_servers_of_the_operator_need_a_key(start: Starts, tmp_path: Path) -> None:
    """Without keys a key is generated and printed once, with its use; loopback calls without it get 401.

    A tool of such a server may send requests from this machine, and must not reach the solutions.
    """
    (tmp_path / "mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    task = {"instruction": "?", "answer": {"kind": "text", "value": "x"}}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task), encoding="utf-8")
    files = {"MCP_CONFIG": "mcp.json", "MCP_TASKS": "tasks.jsonl", "ALLOW_ANONYMOUS": "true"}
    first, second = start(**files), start(**files)
    key = first.said["generated_key"]
    assert first.said["callers"] == "generated"
    assert len(key) >= 32
    assert key != second.said["generated_key"]
    for path in ("/domains", "/domains/mcp/tasks/task-1?gold=true", "/metrics", "/openapi.json"):
        assert httpx2.get(f"{first.url}{path}").status_code == 401
        assert httpx2.get(f"{first.url}{path}", headers={"Authorization": f"Bearer {key}"}).status_code == 200
        assert httpx2.get(f"{second.url}{path}", headers={"Authorization": f"Bearer {key}"}).status_code == 401
    curl, export = first.said["use"]
    told = subprocess.run(["bash", "-c", curl], capture_output=True, text=True, check=True).stdout
    assert "mcp" in {found["name"] for found in json.loads(told)["domains"]}
    program = f"{sys.executable} -m env_server.cli eval --domain mcp --split train --policy random --limit 1 --json"
    here = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "schemas")))}
    settings = {f"ENV_SERVER_{name}": value for name, value in files.items()}
    for line in (f"{export}; {program} --url {first.url}", f"{program} --url {first.url} --key {key}", program):
        own = settings if line == program else {}
        played = subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=tmp_path, env={**here, **own}
        )
        assert played.returncode == 0, played.stderr
    _, out, err = first.stop(signal.SIGTERM)
    assert key not in out + err


def test_an_application_with_servers_of_the_operator_has_keys() -> None:
    """An application that is run without this command, and without keys, refuses and says to set keys."""
    with pytest.raises(ValueError, match="ENV_SERVER_API_KEYS"):
        create_app(Settings(_env_file=None, mcp_config=Path("mcp.json")))
