"""docs/mcp_servers.md against the servers: its tables, its examples, the compose services and .env.example."""

import ast
import importlib
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server import MCPServer
from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo

from mcp_servers.kit.serving.main import option_parser
from mcp_servers.kit.settings import Settings
from mcp_servers.stand_ins import Mounted, stand_ins
from tests.mcp_servers.served import served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mcp_servers.md").read_text(encoding="utf-8")
SERVERS = ("polygon", "fmp", "tavily", "slack", "python")
SCRIPTS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def settings_of(name: str) -> type[Settings]:
    """The settings of a server."""
    found: type[Settings] = importlib.import_module(f"mcp_servers.{name}").Settings
    return found


def build(name: str, **given: Any) -> MCPServer[Any]:
    """A server without a key."""
    known = {field: value for field, value in given.items() if field in settings_of(name).model_fields}
    server: MCPServer[Any] = importlib.import_module(f"mcp_servers.{name}").build(settings_of(name)(**known))
    return server


def variables(name: str, field: FieldInfo) -> tuple[str, ...]:
    """The environment variables that set a field."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return tuple(str(choice) for choice in alias.choices)
    return (alias,) if isinstance(alias, str) else (f"MCP_SERVERS_{name.upper()}",)


def known() -> dict[tuple[str, ...], Any]:
    """The variables of all servers, with their defaults."""
    return {
        variables(name, field): field.default
        for server in SERVERS
        for name, field in settings_of(server).model_fields.items()
    }


def plain(default: Any) -> str:
    """A default as a person would write it."""
    text = "none" if default in (None, "") else str(default).lower()
    return text.removesuffix(".0")


def blocks(language: str) -> list[str]:
    """The page's blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def test_the_tables_of_settings_are_complete() -> None:
    """Every variable of every server is in the tables, with its default, and no other."""
    shown = {
        tuple(re.findall(r"`(\w+)`", names)): default.strip()
        for names, default in re.findall(r"^\| ((?:`[A-Z_0-9]+`(?:, )?)+) \| ([^|]+) \|", PAGE, re.M)
    }
    assert set(shown) == set(known())
    for names, default in known().items():
        if shown[names] not in ("the last day", "the system's"):
            assert shown[names].lower() == plain(default), names


async def test_the_table_of_servers_counts_their_tools() -> None:
    """The table has each profile's number of tools, without aliases."""
    shown = re.findall(r"^\| `(\w+)` \|.*\| (\d+), (\d+) \|", PAGE, re.M)
    assert [name for name, _, _ in shown] == list(SERVERS)
    for name, *counts in shown:
        for profile, count in zip(("limited", "full"), counts, strict=True):
            tools = await build(name, api_key=None, profile=profile).list_tools()
            assert len([tool for tool in tools if "alias_of" not in (tool.meta or {})]) == int(count), (name, profile)


def test_every_command_line_is_understood() -> None:
    """The commands are scripts of the package, and their options exist."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("mcp-")]
    assert len(lines) >= 3
    for line in lines:
        command, *arguments = shlex.split(line, comments=True)
        assert command in SCRIPTS
        if "--help" not in arguments:
            option_parser(command.removeprefix("mcp-")).parse_args(arguments)


def test_the_install_line_is_the_same_on_both_pages() -> None:
    """The page and the package's README have the same install line."""
    lines = [
        re.findall(r"^pip install (\S+)", text, re.M)
        for text in (PAGE, (ROOT / "mcp_servers" / "README.md").read_text())
    ]
    assert lines == [["'.[mcp,python]'"]] * 2


def test_the_extra_is_what_the_servers_import() -> None:
    """Each library that the servers import is in the base or an extra, and all of the extra `mcp` is imported."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extra, sandbox, base = (
        {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in lines}
        for lines in (*(project["optional-dependencies"][name] for name in ("mcp", "python")), project["dependencies"])
    )
    trees = [ast.parse(path.read_text()) for path in (ROOT / "mcp_servers").rglob("*.py")]
    nodes = [node for tree in trees for node in tree.body]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    imported = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"mcp_servers"}
    assert extra <= imported
    parts = {"mcp_types", "pydantic_core", "typing_extensions"}  # come with mcp and pydantic
    assert imported <= extra | sandbox | base | parts


def test_the_vendors_clients_work_with_the_stand_ins(capsys: pytest.CaptureFixture[str]) -> None:
    """The block with vendors' clients runs unchanged but for the port."""
    (source,) = blocks("py")
    with served(Mounted(stand_ins(Settings().home()))) as url:
        exec(compile(source.replace("http://127.0.0.1:8800", url), "docs/mcp_servers.md", "exec"), {})  # noqa: S102
    price, page, channel = capsys.readouterr().out.splitlines()
    assert float(price) > 0
    assert page.startswith("https://")
    assert channel


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
async def test_the_clients_block_starts_each_server(name: str, tmp_path: Path) -> None:
    """The configured command, arguments and empty key start a server over stdio that lists tools, in its own folder."""
    (block,) = blocks("json")
    entry = json.loads(block)["mcpServers"][name]
    module, _, function = SCRIPTS[entry["command"]].partition(":")
    arguments = ["-c", f"from {module} import {function}; {function}()", *entry.get("args", [])]
    env = {"PYTHONPATH": str(ROOT), **entry.get("env", {})}
    assert set(entry.get("env", {})) <= {variable for names in known() for variable in names}
    started = StdioServerParameters(command=sys.executable, args=arguments, env=env, cwd=tmp_path)
    with (tmp_path / "log").open("w") as log, anyio.fail_after(300):
        async with Client(stdio_client(started, errlog=log)) as client:
            assert len((await client.list_tools()).tools) >= 3


def test_compose_has_each_server_on_loopback() -> None:
    """The services have the page's order, on ports 8001 to 8005; each gets all its variables, and no other vendor's.

    Left out are the folder of the container, and the right to write for servers that write nowhere.
    """
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert [name for name in services if name.startswith("mcp-")] == [f"mcp-{name}" for name in SERVERS]
    for port, name in enumerate(SERVERS, 8001):
        service = services[f"mcp-{name}"]
        command, *arguments = service["command"]
        assert SCRIPTS[command] == f"mcp_servers.{name}.__main__:main"
        options = option_parser(name).parse_args(arguments)
        assert (options.http, options.host, options.allow_anonymous) == (port, "0.0.0.0", True)
        assert service["ports"] == [f"127.0.0.1:${{MCP_{name.upper()}_PORT:-{port}}}:{port}"]
        assert service["profiles"] == ["mcp"]
        mine = {v for field in settings_of(name).model_fields.items() for v in variables(*field)}
        left_out = {"MCP_SERVERS_PYTHON_FOLDER"} | ({"MCP_SERVERS_ALLOW_LIVE_WRITES"} if name != "slack" else set())
        assert set(service["environment"]) == mine - left_out
        assert "env_file" not in service


def test_env_example_names_what_compose_passes_on() -> None:
    """`.env.example` has all variables that compose reads, those of the servers with their defaults."""
    _, _, text = (ROOT / ".env.example").read_text().partition("# --- Tool servers")
    shown = dict(re.findall(r"^#([A-Z0-9_]+)=(.*)$", text, re.M))
    compose = (ROOT / "compose.yaml").read_text()
    read = {name for name in re.findall(r"\$\{(\w+):-", compose) if not name.startswith("ENV_SERVER_")}
    assert set(shown) == read
    defaults = {variable: default for names, default in known().items() for variable in names}
    for name, value in shown.items():
        if (default := defaults.get(name)) is not None and not isinstance(default, SecretStr):
            assert value == plain(default), name
        elif name.endswith("_PORT"):
            assert f"{name}:-{value}" in compose
