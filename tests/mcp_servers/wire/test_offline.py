from pathlib import Path

import pytest
from mcp import Client

from tests.mcp_servers.contract.servers import Case, build, cases, names, text_of
from tests.mcp_servers.wire.programs import ERAS, PATIENCE_S, environment, http_server, over_stdio

ALL = cases()


async def every_tool_answers(client: Client, name: str) -> None:
    """The listing is the one that this process makes, and the example of every tool works."""
    expected = await build(name, api_key=None).list_tools()
    listed = (await client.list_tools()).tools
    assert [tool.model_dump() for tool in listed] == [tool.model_dump() for tool in expected]
    for case in _cases(name):
        result = await client.call_tool(case.tool.name, case.example)
        assert not result.is_error, (case.tool.name, text_of(result))
        assert text_of(result)
        assert result.structured_content is not None


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "polygon" else pytest.mark.slow) for name in names()]
)
async def test_over_stdio(name: str, tmp_path: Path) -> None:
    """Without a key the official client lists and calls every tool; stderr says once where figures come from."""
    log = tmp_path / "stderr"
    async with over_stdio(name, environment(), log) as client:
        await every_tool_answers(client, name)
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 1
    assert all("offline world" in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
async def test_over_http(name: str, tmp_path: Path) -> None:
    """The same over Streamable HTTP, for clients of the protocol of 2026 and of that of 2025."""
    with http_server(name, environment(), tmp_path) as (url, _):
        for era in ERAS:
            async with Client(url, mode=era, read_timeout_seconds=PATIENCE_S) as client:
                await every_tool_answers(client, name)


def _cases(name: str) -> list[Case]:
    return [case for case in ALL if case.server == name]
