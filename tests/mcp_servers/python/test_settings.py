"""Settings that cannot work end the start with one line that names them."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from mcp_servers.python import __main__ as program
from mcp_servers.python import assemble
from mcp_servers.python.api import PythonTool
from mcp_servers.python.settings import Settings


@pytest.mark.parametrize(
    ("variable", "value", "word"),
    [
        ("PACKAGES", "pandas, pandsa", "pandsa is not installed"),
        ("PACKAGES", "scikit-learn", "'scikit-learn' is not the name"),
        ("PACKAGES", "../pandas", "'../pandas' is not the name"),
        ("FOLDER", "/no/such/folder", "there is no folder /no/such/folder"),
        ("FOLDER", __file__, f"there is no folder {__file__}"),
    ],
)
def test_the_program_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, word: str) -> None:
    """The program ends at its start, with one line that names the setting and what is wrong with it."""
    monkeypatch.setenv(f"MCP_SERVERS_PYTHON_{variable}", value)
    monkeypatch.setattr(sys, "argv", ["mcp-python"])
    with pytest.raises(SystemExit) as end:
        program.main()
    line = str(end.value)
    assert line.startswith("mcp-python: ")
    assert f"MCP_SERVERS_PYTHON_{variable}: " in line
    assert word in line
    assert "\n" not in line


def test_packages_that_nothing_needs() -> None:
    """Packages are not looked for where code cannot import any."""
    assert Settings(python_backend="monty", python_packages="pandsa").packages == ("pandsa",)
    with pytest.raises(ValidationError, match="pandsa is not installed"):
        Settings(python_backend="process", python_packages="pandsa")


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder counts from where the server starts."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.chdir(tmp_path)
    assert Settings(python_folder="scratch").python_folder == str(tmp_path / "scratch")


@pytest.mark.parametrize("backend", ["process", "monty"])
async def test_a_folder_that_goes_later(tmp_path: Path, backend: Any) -> None:
    """Where the folder is removed while the server runs, calls say what is missing and the server goes on."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    settings = Settings(python_backend=backend, python_folder=str(folder), python_packages="")
    api = PythonTool(settings)
    folder.rmdir()
    try:
        with pytest.raises(ToolError, match=r"\[unavailable\].*scratch folder.*No such file"):
            await assemble(api, settings).call_tool("execute_python", {"code": "1"})
    finally:
        await api.aclose()
