import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent

import mcp_servers
from mcp_servers import kit

_FILE = re.compile(r"^`(?P<name>\w+\.py)`[^\n]*\n\n```python\n(?P<code>.*?)^```$", re.M | re.S)


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The server that the README shows, as a package beside the others."""
    readme = (Path(kit.__path__[0]) / "README.md").read_text(encoding="utf-8")
    folder = tmp_path / "bank"
    folder.mkdir()
    for found in _FILE.finditer(readme):
        (folder / found["name"]).write_text(found["code"], encoding="utf-8")
    monkeypatch.setattr(mcp_servers, "__path__", [*mcp_servers.__path__, str(tmp_path)])
    try:
        yield importlib.import_module("mcp_servers.bank")
    finally:
        for name in [name for name in sys.modules if name.startswith("mcp_servers.bank")]:
            del sys.modules[name]
        vars(mcp_servers).pop("bank", None)


async def test_the_server_of_the_readme(bank: Any) -> None:
    """The README's server answers its example, by both names, and says the vendor's errors."""
    server = bank.build(bank.Settings(api_key=None))
    for name in ("bank_get_close", "get_close"):
        result = await server.call_tool(name, {"ticker": "ORCA"})
        assert isinstance(result, CallToolResult)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert re.fullmatch(r"ORCA closed at [\d.]+ on 2026-06-30\.", content.text)
    with pytest.raises(ToolError, match=r'^\[not_found\] bank says "no such stock"; '):
        await server.call_tool("bank_get_close", {"ticker": "NONE"})


def test_its_command(bank: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its `__main__` hands the README's build and settings to the kit."""
    module = importlib.import_module("mcp_servers.bank.__main__")
    given: list[Any] = []
    monkeypatch.setattr(module, "run", lambda *arguments: given.append(arguments))
    module.main()
    assert given == [("bank", bank.build, bank.Settings)]
