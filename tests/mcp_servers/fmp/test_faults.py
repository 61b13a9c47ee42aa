"""The tools with a key: the client that talks to FMP, against a service on a socket that fails."""

from collections.abc import Iterator

import pytest
import stamina
from mcp import Client
from mcp.types import CallToolResult
from pydantic import SecretStr

from mcp_servers.fmp import Settings, build
from mcp_servers.fmp.stand_in import stand_in
from mcp_servers.kit.errors import ErrorKind
from mcp_servers.stand_ins import Mounted
from mcp_servers.world import NOW
from mcp_servers.world.store import Scope
from tests.mcp_servers.faults import Fault, Faulty
from tests.mcp_servers.fmp.asking import row, store
from tests.mcp_servers.served import served

KEY = "fmp-secret-0123456789"
KINDS: dict[Fault, ErrorKind] = {
    "429": ErrorKind.RATE_LIMITED,
    "500": ErrorKind.UNAVAILABLE,
    "503-html": ErrorKind.UNAVAILABLE,
    "slow": ErrorKind.TIMED_OUT,
    "drip": ErrorKind.TIMED_OUT,
    "cut": ErrorKind.UNAVAILABLE,
    "short": ErrorKind.UNAVAILABLE,
    "malformed": ErrorKind.MALFORMED,
    "html": ErrorKind.MALFORMED,
    "empty": ErrorKind.MALFORMED,
    "list": ErrorKind.MALFORMED,
    "null": ErrorKind.MALFORMED,
    "text": ErrorKind.BAD_REQUEST,
    "redirect": ErrorKind.MALFORMED,
    "echo": ErrorKind.BAD_REQUEST,
}


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Retries come without a pause."""
    with stamina.set_testing(True, attempts=3):
        yield


def faulty(*faults: Fault, always: Fault | None = None) -> Faulty:
    """FMP's stand-in under `/fmp`, which fails."""
    return Faulty(Mounted({"fmp": stand_in(lambda: Scope(store(), NOW))}), faults, always=always)


async def quote(url: str, timeout_s: float = 10.0) -> CallToolResult:
    """The answer of the tool, from the service at `url`."""
    settings = Settings(api_key=SecretStr(KEY), base_url=f"{url}/fmp/stable", timeout_s=timeout_s)
    async with Client(build(settings)) as client:
        return await client.call_tool("fmp_get_quote", {"symbol": "ORCA"})


@pytest.mark.parametrize("fault", [None, "429", "500", "cut", "short"])
async def test_a_passing_fault_is_overcome(fault: Fault | None) -> None:
    """The answer is that of the offline world; the key was in a header and in no address."""
    app = faulty(*([fault, fault] if fault else []))
    with served(app) as url:
        result = await quote(url)
    assert result.structured_content == {"quote": await row("quote", symbol="ORCA")}
    assert len(app.requests) == (3 if fault else 1)
    for request in app.requests:
        assert (b"apikey", KEY.encode()) in request["headers"]
        assert KEY.encode() not in request["raw_path"] + request["query_string"]


@pytest.mark.parametrize("fault", KINDS)
async def test_a_lasting_fault_is_said(fault: Fault) -> None:
    """The error has its kind and never the key; only a fault that may pass is retried."""
    app = faulty(always=fault)
    with served(app) as url:
        result = await quote(url, timeout_s=0.3)
    assert result.is_error
    assert str(getattr(result.content[0], "text", "")).startswith(f"[{KINDS[fault]}] ")
    assert KEY not in result.model_dump_json()
    again = KINDS[fault] in (ErrorKind.RATE_LIMITED, ErrorKind.UNAVAILABLE, ErrorKind.TIMED_OUT)
    assert len(app.requests) == (3 if again else 1)
