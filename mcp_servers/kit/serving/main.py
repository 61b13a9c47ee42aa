"""The command of every server: `python -m mcp_servers.NAME`. It serves stdio, or Streamable HTTP with --http."""

import argparse
import gc
import logging
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import anyio
import stamina.instrumentation
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from mcp_servers.kit.serving.listening import listen, say, serve_on, url
from mcp_servers.kit.serving.stdio import serve_stdio
from mcp_servers.kit.settings import Settings, option, settle
from mcp_servers.kit.text import inline

S = TypeVar("S", bound=Settings)

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def main(name: str, build: Callable[[S], MCPServer[Any]], settings: type[S], argv: Sequence[str] | None = None) -> None:
    """Run the server `name`.

    Args:
        name: The server's name, for messages.
        build: Builds the server.
        settings: The settings class. Values come from the environment and from the command line.
        argv: The command line. None uses the process's command line.
    """
    options = option_parser(name).parse_args(argv)
    # A world has many rows that stay alive. Frequent collections would scan them in vain.
    gc.set_threshold(50_000, 50, 100)
    stamina.instrumentation.set_on_retry_hooks([])  # The HTTP client reports its own retries.
    logging.basicConfig(level=options.log_level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    if options.http is None:
        for only_http in ("host", "allow_anonymous"):
            if getattr(options, only_http):
                sys.exit(
                    f"mcp-{name}: {option(only_http)} has no effect without --http PORT; add that, or leave it out"
                )
    given = {field: getattr(options, field) for field in ("profile", "world_now", "world_seed", "allow_live_writes")}
    found = settle(f"mcp-{name}", settings, given)
    server = build(found)
    if found.offline:
        say(f"mcp-{name}: no key is set; answering from the offline world")
    serve = partial(serve_stdio, name, server)
    if options.http is not None:
        serve = partial(
            serve_http, name, server, found, options.host or LOOPBACK[0], options.http, options.allow_anonymous
        )
    with suppress(KeyboardInterrupt):
        anyio.run(serve)


async def serve_http(
    name: str, server: MCPServer[Any], settings: Settings, host: str, port: int, anonymous: bool = False
) -> None:
    """Serve Streamable HTTP on /mcp until the process is told to stop. Port 0 takes a free port and prints it."""
    token = settings.http_token.get_secret_value() if settings.http_token is not None else None
    if token is None and not anonymous and host not in ("127.0.0.1", "localhost", "::1"):
        sys.exit(f"mcp-{name}: others can reach {host}: set MCP_SERVERS_HTTP_TOKEN, or pass --allow-anonymous")
    app: Any = server.streamable_http_app(json_response=True, transport_security=security(settings, host))
    listening = listen(f"mcp-{name}", host, port)
    say(f"mcp-{name}: listening on {url(listening, host)}/mcp")
    served = app if token is None else guarded(app, token)
    # h11 accepts white space around header values, as the standard allows. httptools does not.
    await serve_on(listening, served, http="h11")


def security(settings: Settings, host: str) -> TransportSecuritySettings:
    """Return the names that requests may carry as Host and Origin: this machine's, `host`, and the settings' names."""
    others = [part.strip() for part in settings.allowed_hosts.split(",") if part.strip()]
    names = [*LOOPBACK, *([] if host in ("0.0.0.0", "::") else [host]), *others]
    hosts = [form for part in names for form in (part, *([] if _has_port(part) else [f"{part}:*"]))]
    origins = [f"{scheme}://{part}" for part in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins)


def guarded(app: Any, token: str) -> Any:
    """Return the application behind a check of the bearer token."""
    expected = f"Bearer {token}".encode()

    async def check(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] != "http" or secrets.compare_digest(given, expected):
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"error": "a bearer token is needed"}'})

    return check


def add_world(parser: argparse.ArgumentParser) -> None:
    """Add the options of the offline world. `--now` and `--seed` are older names of them, which help does not show."""
    now = "the time that counts as now in the offline world: 2026-03-02T21:00Z say, UTC if it names no zone"
    parser.add_argument("--world-now", metavar="TIME", help=now)
    parser.add_argument("--world-seed", type=int, metavar="N", help="the seed of the offline world")
    parser.add_argument("--now", dest="world_now", help=argparse.SUPPRESS)
    parser.add_argument("--seed", dest="world_seed", type=int, help=argparse.SUPPRESS)


def _has_port(name: str) -> bool:
    return name.rpartition(":")[2].isdigit() and not name.endswith("]")


def option_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of the options of the server `name`."""
    parser = argparse.ArgumentParser(prog=f"mcp-{name}", description=inline(f"The MCP server {name}."))
    add = parser.add_argument
    add(
        "--http", type=int, metavar="PORT", help="serve Streamable HTTP on this port instead of stdio; 0 for a free one"
    )
    add("--host", metavar="ADDRESS", help="the address to bind to with --http; 127.0.0.1 if left out")
    add("--allow-anonymous", action="store_true", help="with --http, serve others without MCP_SERVERS_HTTP_TOKEN")
    add("--profile", choices=("limited", "full"), help="which tools there are")
    add_world(parser)
    add("--allow-live-writes", action="store_true", default=None, help="let tools change something outside")
    add("--log-level", default="warning", choices=("debug", "info", "warning", "error"), help="of the lines on stderr")
    return parser
