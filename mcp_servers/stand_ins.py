"""`python -m mcp_servers.stand_ins`: the offline world's APIs on a socket, for any client of those vendors.

Each API is below the name of its server. A Polygon client uses `http://127.0.0.1:8800/polygon`, an FMP client
`/fmp/stable`, a Tavily client `/tavily` and a Slack client `/slack/api`. Any key is accepted, except the keys that a
stand-in's own text names.
"""

import argparse
import importlib.util
import pkgutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
from pydantic_core import to_json

import mcp_servers
from mcp_servers.kit.serving.listening import listen, say, serve_on, url
from mcp_servers.kit.serving.main import add_world
from mcp_servers.kit.settings import Settings, settle
from mcp_servers.kit.stand_in import Home, StandIn

PORT = 8800


def stand_ins(home: Home) -> dict[str, StandIn]:
    """Return the stand-ins of all servers that have one.

    A stand-in is `stand_in(home)` in the module `stand_in` of a server's package.
    """
    found = {}
    for package in pkgutil.iter_modules(mcp_servers.__path__):
        module = f"{mcp_servers.__name__}.{package.name}.stand_in"
        if package.ispkg and package.name != "kit" and importlib.util.find_spec(module) is not None:
            found[package.name] = importlib.import_module(module).stand_in(home)
    return found


class Mounted:
    """An ASGI application that serves several applications, each below its name."""

    def __init__(self, apps: Mapping[str, Any]) -> None:
        """Serve `apps`."""
        self._apps = dict(apps)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request to the application that its path names; see the ASGI specification."""
        root = scope.get("root_path", "")
        name = scope["path"].removeprefix(root).lstrip("/").partition("/")[0]
        app = self._apps.get(name)
        if app is not None:
            await app({**scope, "root_path": f"{root}/{name}"}, receive, send)
            return
        body = to_json({"error": f"there are: {', '.join(f'/{known}' for known in self._apps)}"})
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def serve(app: Any, host: str, port: int) -> None:
    """Serve until the process is told to stop. Port 0 takes a free port and prints it."""
    listening = listen("stand-ins", host, port)
    say(f"stand-ins: listening on {url(listening, host)}")
    await serve_on(listening, app, lifespan="off")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="mcp_servers.stand_ins", description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=PORT, help=f"the port; 0 for a free one, {PORT} if left out")
    parser.add_argument("--host", default="127.0.0.1", help="the address to bind to")
    parser.add_argument("--only", metavar="NAME", help="serve this one, and without its name before its paths")
    add_world(parser)
    options = parser.parse_args()
    given = {"world_seed": options.world_seed, "world_now": options.world_now}
    home = settle("stand-ins", Settings, given).home()
    apps = stand_ins(home)
    if options.only is not None and options.only not in apps:
        sys.exit(f"stand-ins: no {options.only}; there are: {', '.join(apps)}")
    home()  # Generate the world before the first request.
    app: Any = Mounted(apps) if options.only is None else apps[options.only]
    with suppress(KeyboardInterrupt):
        anyio.run(partial(serve, app, options.host, options.port))


if __name__ == "__main__":
    main()
