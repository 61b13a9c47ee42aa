from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
import uvicorn
from pydantic import SecretStr, ValidationError

from mcp_servers import fmp, python, slack
from mcp_servers.kit.serving.listening import LAST_CALLS_S
from mcp_servers.kit.serving.main import guarded, main, option_parser, security, serve_http
from mcp_servers.kit.serving.server import serve
from mcp_servers.kit.settings import OFFLINE_KEY, Settings, wrong
from mcp_servers.world.calendar import BEGIN, NOW
from tests.mcp_servers.kit import shop
from tests.mcp_servers.kit.shop import Settings as ShopSettings
from tests.mcp_servers.kit.shop import Shop


def run(*options: str) -> None:
    """Run the shop's command."""
    main("shop", lambda settings: serve("shop", shop, Shop, settings, ""), ShopSettings, options)


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings come from variables; given values go first, and an empty variable counts as unset."""
    monkeypatch.setenv("MCP_SERVERS_PROFILE", "limited")
    monkeypatch.setenv("MCP_SERVERS_WORLD_NOW", "2026-03-02T21:00:00Z")
    monkeypatch.setenv("MCP_SERVERS_HTTP_TOKEN", "")
    found = Settings()
    assert (found.profile, found.http_token) == ("limited", None)
    assert found.world_now is not None
    assert found.world_now.isoformat() == "2026-03-02T21:00:00+00:00"
    assert Settings(profile="full").profile == "full"


@pytest.mark.parametrize("given", ["2026-03-02T21:00:00", "2026-03-02T21:00Z", "2026-03-02T16:00-05:00"])
def test_a_time_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """A now is taken with and without a time zone, from a variable and from either name of the option."""
    monkeypatch.setenv("MCP_SERVERS_WORLD_NOW", given)
    moment = datetime(2026, 3, 2, 21, tzinfo=UTC)
    assert Settings().world_now == moment
    for name in ("--world-now", "--now"):
        assert Settings(world_now=option_parser("shop").parse_args([name, given]).world_now).world_now == moment


@pytest.mark.parametrize("given", ["2023-07-05T19:59Z", "2026-07-01T00:01Z", "2030-01-01", datetime(1999, 1, 1)])
def test_a_time_outside_of_the_world(given: Any) -> None:
    """A now before or after the offline world is refused with the world's range, its first and last moment are not."""
    with pytest.raises(ValidationError, match="from 2023-07-05T20:00:00Z to 2026-07-01T00:00:00Z"):
        Settings(world_now=given)
    assert (Settings(world_now=BEGIN).world_now, Settings(world_now=NOW).world_now) == (BEGIN, NOW)


def test_secrets_and_keys() -> None:
    """All secret settings are known as such and shown nowhere; without a key there is one for the stand-in."""
    found = ShopSettings(api_key=SecretStr("one-key"), http_token=SecretStr("two-token"))
    assert set(found.secrets()) == {"one-key", "two-token"}
    assert "one-key" not in repr(found)
    assert (found.key(), found.offline) == ("one-key", False)
    offline = ShopSettings(api_key=None)
    assert (offline.key(), offline.offline) == (OFFLINE_KEY, True)


def test_a_wrong_setting_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """An invalid setting is reported by its name, without a traceback."""
    with pytest.raises(SystemExit, match="mcp-shop: --world-now: is no time"):
        run("--world-now", "soon")
    with pytest.raises(SystemExit):
        run("--profile", "half")
    assert "--profile" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given",
    ["foo", "ftp://x", "http://127.0.0.1:99999", "http://[bad", "http://", "http://x:0", "https://x y", "https://x?a=b",
     "https://ü.example"],
)  # fmt: skip
def test_a_base_url_that_is_none(given: str) -> None:
    """A base URL without scheme, host or a possible port is reported at the start, by its name."""
    with pytest.raises(ValidationError) as refused:
        ShopSettings(base_url=given)
    assert wrong(refused.value).startswith("base_url: ")


@pytest.mark.parametrize("key", ["kéy-one", "two\nkeys", "a key", "key\r"])
def test_a_key_that_no_header_carries(key: str) -> None:
    """Such a key is told at the start, and not shown."""
    with pytest.raises(ValidationError) as refused:
        ShopSettings(api_key=SecretStr(key))
    assert wrong(refused.value).startswith("api_key: has spaces")
    assert key not in wrong(refused.value)


@pytest.mark.parametrize(
    ("variable", "given"),
    [("FMP_BASE_URL", "foo"), ("MCP_SERVERS_PROFILE", "half"), ("MCP_SERVERS_ATTEMPTS", "0"),
     ("MCP_SERVERS_WORLD_NOW", "2031-01-01")],
)  # fmt: skip
def test_a_wrong_variable_ends_the_command(monkeypatch: pytest.MonkeyPatch, variable: str, given: str) -> None:
    """A server's command names the variable that is wrong, in one line; so does the error of who builds the server."""
    monkeypatch.setenv(variable, given)
    with pytest.raises(SystemExit, match=rf"^mcp-fmp: {variable}: .+$"):
        main("fmp", fmp.build, fmp.Settings, [])
    with pytest.raises(ValidationError, match=variable):
        fmp.build()


@pytest.mark.parametrize("option", [["--host", "127.0.0.1"], ["--allow-anonymous"]])
def test_options_of_http_need_http(option: list[str]) -> None:
    """An option that only HTTP uses is refused over stdio."""
    with pytest.raises(SystemExit, match=f"^mcp-shop: {option[0]} has no effect without --http PORT"):
        run(*option)


@pytest.mark.parametrize(("option", "value"), [("--world-now", "2026-03-02"), ("--world-seed", "0")])
def test_options_of_the_world_need_it(option: str, value: str) -> None:
    """With a key the offline world is not asked, so an option that sets it is refused; the variable is shared."""
    with pytest.raises(SystemExit, match=rf"^mcp-shop: {option} has no effect: a key is set \(SHOP_KEY\)"):
        run(option, value)
    with pytest.raises(SystemExit, match=r"^mcp-python: --world-seed has no effect: code sees the time"):
        main("python", python.build, python.Settings, ["--seed", "3"])
    assert "world_seed" not in ShopSettings(api_key=None, world_seed=3).ignored()


@pytest.mark.parametrize("module", [fmp, python])
def test_the_option_of_writes_needs_a_tool_that_writes(module: Any) -> None:
    """A server that writes nothing refuses `--allow-live-writes`; Slack's takes it, and the variable is shared."""
    name = module.__name__.rpartition(".")[2]
    with pytest.raises(SystemExit, match=f"^mcp-{name}: --allow-live-writes has no effect: this server has no tool"):
        main(name, module.build, module.Settings, ["--allow-live-writes"])
    assert "allow_live_writes" not in slack.Settings().ignored()


def test_the_deadline_of_a_call() -> None:
    """What is set holds; the default leaves room for the longest request or piece of code."""
    assert ShopSettings(call_timeout_s=5, timeout_s=100).deadline_s == 5
    assert ShopSettings().deadline_s == 60
    assert ShopSettings(timeout_s=100).deadline_s > 100
    assert python.Settings(python_seconds=3600).deadline_s > 3600


async def test_calls_that_run_do_not_keep_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTP calls that still run have a limited time once the process is told to stop."""
    found: list[int | None] = []

    async def serving(self: uvicorn.Server, sockets: Any) -> None:
        found.append(self.config.timeout_graceful_shutdown)
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "serve", serving)
    await serve_http("shop", serve("shop", shop, Shop, ShopSettings(), ""), ShopSettings(), "127.0.0.1", 0)
    assert found == [LAST_CALLS_S]


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.1", "::"])
async def test_others_are_not_served_by_accident(host: str) -> None:
    """A server that other machines can reach needs a token, or the option that allows anonymous clients."""
    server = serve("shop", shop, Shop, ShopSettings(), "")
    with pytest.raises(SystemExit, match="MCP_SERVERS_HTTP_TOKEN"):
        await serve_http("shop", server, ShopSettings(http_token=None), host, 0)


async def test_the_token() -> None:
    """Without the bearer token nothing behind it is reached."""

    async def inside(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})

    transport = httpx2.ASGITransport(guarded(inside, "the-token"))
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
        for headers in ({}, {"Authorization": "Bearer other"}, {"Authorization": "the-token"}):
            response = await client.get("/", headers=headers)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
        assert (await client.get("/", headers={"Authorization": "Bearer the-token"})).text == "inside"


def test_names_of_this_machine_and_named_ones() -> None:
    """Requests may name this machine, the bound address, and the hosts of the settings."""
    found = security(Settings(allowed_hosts="tools.example, polygon:8801"), "10.0.0.1")
    assert found.enable_dns_rebinding_protection
    assert {"127.0.0.1:*", "[::1]", "10.0.0.1", "tools.example:*", "polygon:8801"} <= set(found.allowed_hosts)
    assert "polygon:8801:*" not in found.allowed_hosts
    assert "https://tools.example" in found.allowed_origins
    assert not any("0.0.0.0" in name for name in security(Settings(), "0.0.0.0").allowed_hosts)
