"""A small service that counts its requests, and a client of it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from mcp_servers.kit.errors import ErrorKind
from mcp_servers.kit.stand_in import Answer, Ask, StandIn
from mcp_servers.kit.upstream.http import Service, Upstream
from mcp_servers.kit.upstream.wire import InProcess
from mcp_servers.world.store import MemoryStore, Scope
from tests.mcp_servers.faults import Fault, Faulty

KEY = "s3cr3t/key+1"
BASE = "https://things.example/api"


class Things:
    """The service."""

    def __init__(self) -> None:
        """Start with nothing written."""
        self.asked: list[Ask] = []
        self.written: list[Any] = []
        self.app = StandIn(
            "things", lambda: Scope(MemoryStore({}), datetime(2026, 1, 2, tzinfo=UTC)), self.admit, self.lost
        )
        self.app.route("GET", "/api/things/{thing}")(self.thing)
        self.app.route("GET", "/api/pages/{page}/rows")(self.rows)
        self.app.route("POST", "/api/things")(self.write)

    def admit(self, ask: Ask) -> Answer | None:
        """Let requests with the key in."""
        self.asked.append(ask)
        return None if ask.bearer == KEY else Answer({"error": "no"}, 401)

    def lost(self, ask: Ask) -> Answer:
        """Answer what no route takes."""
        return Answer({"error": f"nothing at {ask.url_path}"}, 404)

    def thing(self, ask: Ask) -> Answer:
        """Say what was asked."""
        return Answer({"thing": ask.path["thing"], "query": ask.query, "said": ask.headers.get("accept")})

    def rows(self, ask: Ask) -> Answer:
        """Give a page, and the address of the next."""
        following = f"{ask.base}/api/pages/2/rows?from=7&apiKey={KEY}"
        return Answer({"page": ask.path["page"], "query": ask.query, "next_url": following})

    def write(self, ask: Ask) -> Answer:
        """Write."""
        self.written.append(ask.body)
        return Answer({"ok": True}, 201)


def explain(status: int, body: Any) -> tuple[ErrorKind, str] | None:
    """Read the service's errors."""
    said = body.get("error") if isinstance(body, dict) and 400 <= status < 500 and status != 429 else None
    return (ErrorKind.UNAUTHORIZED if status == 401 else ErrorKind.BAD_REQUEST, said) if isinstance(said, str) else None


def service(**given: Any) -> Service:
    """The settings of requests to the service."""
    return Service(**{"name": "things", "base_url": BASE, "headers": {"Authorization": f"Bearer {KEY}"}, **given})


def client(
    things: Things, faults: Sequence[Fault | None] = (), *, always: Fault | None = None, **given: Any
) -> tuple[Upstream, Faulty]:
    """A client that meets faults before it reaches the service, and the application that counts its requests."""
    faulty = Faulty(things.app, faults, always=always)
    return Upstream(service(explain=explain, **given), InProcess(faulty)), faulty
