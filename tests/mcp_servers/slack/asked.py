"""Requests to the stand-in as a client would send them, without a socket."""

from typing import Any
from urllib.parse import urlencode

from pydantic_core import from_json, to_json

from mcp_servers.kit.upstream.wire import InProcess, Reply, Request
from mcp_servers.slack.stand_in import stand_in
from mcp_servers.world.store import MemoryStore, Scope
from tests.mcp_servers.slack.team import NOW, team

TOKEN = "xoxp-anybody"


class Workspace:
    """A workspace of its own behind a stand-in."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        """Answer from `store`, or from a fresh copy of the small workspace."""
        self.store = store or team()
        self.app = stand_in(lambda: Scope(self.store, NOW))

    async def reply(self, method: str, as_: str | None = TOKEN, *, form: bool = False, **given: Any) -> Reply:
        """The whole answer to a POST of JSON, or of a form."""
        headers = {"content-type": "application/x-www-form-urlencoded" if form else "application/json"}
        if as_ is not None:
            headers["authorization"] = f"Bearer {as_}"
        body = urlencode(given).encode() if form else to_json(given)
        request = Request("POST", "http://slack.example", f"/api/{method}", "", headers, body)
        return await InProcess(self.app).send(request)

    async def post(self, method: str, as_: str | None = TOKEN, *, form: bool = False, **given: Any) -> Any:
        """The JSON of an answer to a POST."""
        return from_json((await self.reply(method, as_, form=form, **given)).body)

    async def get(self, method: str, **given: Any) -> Any:
        """The JSON of an answer to a GET."""
        headers = {"authorization": f"Bearer {TOKEN}"}
        request = Request("GET", "http://slack.example", f"/api/{method}", urlencode(given), headers)
        return from_json((await InProcess(self.app).send(request)).body)
