import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from mcp import Client
from mcp.types import CallToolResult

from mcp_servers.stand_ins import stand_ins
from mcp_servers.world import NOW, world
from mcp_servers.world.store import Scope
from tests.mcp_servers.contract.servers import Case, cases, names, text_of
from tests.mcp_servers.faults import Fault, Faulty
from tests.mcp_servers.served import served
from tests.mcp_servers.wire.programs import ERAS, KEY, PATIENCE_S, http_server, live, over_stdio, with_keys

pytestmark = pytest.mark.slow

SERVERS = with_keys(names())
ALL = cases()
WRITES = {"slack": ("--allow-live-writes",)}
"""The option of the servers that have tools that write."""
QUICK = {"MCP_SERVERS_TIMEOUT_S": "1", "MCP_SERVERS_ATTEMPTS": "2"}
TYPED = re.compile(r"\[[a-z_]+\] .+; .+", re.S)
FAULTS: tuple[Fault, ...] = get_args(Fault)


@pytest.fixture
def faulty(name: str) -> Faulty:
    """The API of the server at hand, in a world of its own, which fails when it is told to."""
    scope = Scope(world(), NOW)
    return Faulty(stand_ins(lambda: scope)[name])


@pytest.fixture
def url(faulty: Faulty) -> Iterator[str]:
    """Where the API is."""
    with served(faulty) as found:
        yield found


def tools(name: str) -> list[Case]:
    """The tools of a server, each with its example."""
    return [case for case in ALL if case.server == name]


async def every_tool_answers(client: Client, name: str, faulty: Faulty) -> None:
    """Each tool asks the API, with the key in a header alone."""
    for case in tools(name):
        before = len(faulty.requests)
        result = await client.call_tool(case.tool.name, case.example)
        assert not result.is_error, (case.tool.name, text_of(result))
        assert len(faulty.requests) > before
    for scope in faulty.requests:
        assert KEY.encode() in b" ".join(value for _, value in scope["headers"])
        assert "s3cret" not in f"{scope['path']}?{scope['query_string']}"


@pytest.mark.parametrize("name", SERVERS)
async def test_live_over_stdio(name: str, faulty: Faulty, url: str, tmp_path: Path) -> None:
    """With a key the tools ask the API on its socket; at DEBUG stderr says so, and holds no key."""
    log = tmp_path / "stderr"
    options = ("--log-level", "debug", *WRITES.get(name, ()))
    async with over_stdio(name, live(name, url), log, *options) as client:
        await every_tool_answers(client, name, faulty)
    said = log.read_text(encoding="utf-8")
    assert "answered with 200" in said
    assert "s3cret" not in said
    assert "offline world" not in said


@pytest.mark.parametrize("name", SERVERS)
async def test_live_over_http(name: str, faulty: Faulty, url: str, tmp_path: Path) -> None:
    """The same over Streamable HTTP, in both eras of the protocol."""
    options = ("--log-level", "debug", *WRITES.get(name, ()))
    with http_server(name, live(name, url), tmp_path, *options) as (at, said):
        for era in ERAS:
            async with Client(at, mode=era, read_timeout_seconds=PATIENCE_S) as client:
                await every_tool_answers(client, name, faulty)
    assert "s3cret" not in "".join(said)


@pytest.mark.parametrize("name", SERVERS)
async def test_an_api_that_fails(name: str, faulty: Faulty, url: str, tmp_path: Path) -> None:
    """Whatever an API does, for good, a tool says what is wrong, without the key, and works again afterwards."""
    log = tmp_path / "stderr"
    case = next(case for case in tools(name) if case.example and _reads(case))
    async with over_stdio(name, live(name, url, **QUICK), log, "--log-level", "debug") as client:
        for fault in FAULTS:
            faulty.always = fault
            _told(await client.call_tool(case.tool.name, case.example), fault)
            faulty.always = None
            after = await client.call_tool(case.tool.name, case.example)
            assert not after.is_error, (fault, text_of(after))
    assert "s3cret" not in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SERVERS)
async def test_every_tool_bears_a_fault(name: str, faulty: Faulty, url: str, tmp_path: Path) -> None:
    """Each tool, whose first request meets one fault after the other, answers or says what is wrong."""
    log = tmp_path / "stderr"
    options = ("--log-level", "debug", *WRITES.get(name, ()))
    async with over_stdio(name, live(name, url, **QUICK), log, *options) as client:
        for number, case in enumerate(tools(name)):
            fault = FAULTS[number % len(FAULTS)]
            faulty.faults[:] = [fault]
            result = await client.call_tool(case.tool.name, case.example)
            faulty.faults.clear()
            if result.is_error:
                _told(result, fault)
    assert "s3cret" not in log.read_text(encoding="utf-8")
    assert "Traceback" not in log.read_text(encoding="utf-8")


def _told(result: CallToolResult, fault: str) -> None:
    said = text_of(result)
    assert result.is_error or fault in ("list", "null", "text"), (fault, said)
    assert not result.is_error or TYPED.fullmatch(said), (fault, said)
    assert "s3cret" not in said + str(result.structured_content)


def _reads(case: Case) -> Any:
    return case.tool.annotations is not None and case.tool.annotations.read_only_hint
