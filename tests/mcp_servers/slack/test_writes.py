from collections.abc import Iterator

import pytest
import stamina
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import SecretStr

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.upstream.wire import Cut, InProcess, NotSent, Reply, Request, Slow, WireError
from mcp_servers.slack import Settings, build
from mcp_servers.slack.api import Slack
from mcp_servers.world.rows import MESSAGES, USERS
from mcp_servers.world.store import Scope, within
from tests.mcp_servers.slack.asked import Workspace
from tests.mcp_servers.slack.team import GENERAL, MESSAGE_ROWS, NOW, PARENT, team

JSON = {"content-type": "application/json"}
LIMITED = Reply(429, {**JSON, "retry-after": "0"}, b'{"ok": false, "error": "ratelimited"}')
FAILED = Reply(500, JSON, b'{"ok": false, "error": "internal_error"}')
HALF = Reply(200, JSON, b'{"ok": tr')
PAGE = Reply(200, {"content-type": "text/html"}, b"<html>")
ODD = Reply(200, JSON, b'{"ok": true}')
FATAL = Reply(200, JSON, b'{"ok": false, "error": "fatal_error"}')


class Troubled:
    """A wire on which the first requests are met by trouble, before or after they reach the stand-in."""

    def __init__(self, workspace: Workspace, *trouble: WireError | Reply, arrives: bool) -> None:
        """Meet each request with the next of `trouble`; `arrives` says whether the stand-in got it nevertheless."""
        self._within = InProcess(workspace.app)
        self._trouble = list(trouble)
        self._arrives = arrives
        self.sent = 0

    async def send(self, request: Request) -> Reply:
        """See `Wire`."""
        self.sent += 1
        trouble = self._trouble.pop(0) if self._trouble else None
        reply = await self._within.send(request) if trouble is None or self._arrives else None
        if isinstance(trouble, WireError):
            raise trouble
        return trouble or reply or ODD

    async def aclose(self) -> None:
        """See `Wire`."""


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Retries come without a pause."""
    with stamina.set_testing(True, attempts=3):
        yield


@pytest.fixture
def workspace() -> Workspace:
    """A workspace of its own behind a stand-in."""
    return Workspace()


def slack(wire: Troubled, *, writes: bool = True) -> Slack:
    """A client of the stand-in over `wire`."""
    return Slack(Settings(api_key=SecretStr("xoxp-1"), allow_live_writes=writes), wire)


def posts(workspace: Workspace) -> int:
    """How many messages were posted."""
    return len(list(workspace.store.rows(MESSAGES))) - len(MESSAGE_ROWS)


@pytest.mark.parametrize("trouble", [Slow("s"), Cut("c"), FAILED, HALF, PAGE, ODD, FATAL])
async def test_a_lost_answer_is_an_unknown_outcome(workspace: Workspace, trouble: WireError | Reply) -> None:
    """Where the answer to a post is lost, the post is not repeated: the stand-in sees exactly one."""
    wire = Troubled(workspace, trouble, arrives=True)
    with pytest.raises(UpstreamError, match="may have taken place") as failed:
        await slack(wire).post(channel=GENERAL, text="12.50")
    assert failed.value.kind is ErrorKind.OUTCOME_UNKNOWN
    assert (wire.sent, posts(workspace)) == (1, 1)


@pytest.mark.parametrize("trouble", [NotSent("n"), LIMITED])
async def test_a_post_that_did_not_happen_is_tried_again(workspace: Workspace, trouble: WireError | Reply) -> None:
    """Where Slack was not reached, or turned the call away, it is made again: the stand-in sees exactly one."""
    wire = Troubled(workspace, trouble, trouble, arrives=False)
    posted = await slack(wire).post(channel=GENERAL, text="12.50")
    assert posted.channel == GENERAL
    assert (wire.sent, posts(workspace)) == (3, 1)


@pytest.mark.parametrize(
    ("trouble", "kind"), [(NotSent("n"), ErrorKind.UNAVAILABLE), (LIMITED, ErrorKind.RATE_LIMITED)]
)
async def test_a_post_that_never_happens_says_so(
    workspace: Workspace, trouble: WireError | Reply, kind: ErrorKind
) -> None:
    """After the last attempt the error says that nothing was posted."""
    with pytest.raises(UpstreamError) as failed:
        await slack(Troubled(workspace, *[trouble] * 3, arrives=False)).post(channel=GENERAL, text="12.50")
    assert failed.value.kind is kind
    assert posts(workspace) == 0


async def test_a_reaction_is_as_careful(workspace: Workspace) -> None:
    """If the answer to a reaction is lost, its outcome is unknown too."""
    with pytest.raises(UpstreamError) as failed:
        await slack(Troubled(workspace, Cut("c"), arrives=True)).react(channel=GENERAL, timestamp=PARENT, name="eyes")
    assert failed.value.kind is ErrorKind.OUTCOME_UNKNOWN


async def test_reads_are_tried_again(workspace: Workspace) -> None:
    """A read is repeated after a timeout or a failure of the service."""
    wire = Troubled(workspace, Slow("s"), FAILED, arrives=False)
    assert (await slack(wire).history(channel=GENERAL, limit=1)).messages
    assert wire.sent == 3


async def test_without_leave_nothing_is_sent(workspace: Workspace) -> None:
    """Where writes are off, a post is refused before anything is sent."""
    wire = Troubled(workspace, arrives=True)
    with pytest.raises(UpstreamError, match="--allow-live-writes") as failed:
        await slack(wire, writes=False).post(channel=GENERAL, text="12.50")
    assert failed.value.kind is ErrorKind.REFUSED
    assert wire.sent == 0


async def test_a_token_alone_allows_no_writes() -> None:
    """A server with a token reads only, unless the operator allows writes."""
    server = build(Settings(api_key=SecretStr("xoxb-1"), base_url="http://127.0.0.1:9/api"))
    for name, given in (
        ("slack_post_message", {"channel_id": GENERAL, "text": "x"}),
        ("send_slack_message", {"channel": GENERAL, "message": "x"}),
        ("slack_reply_to_thread", {"channel_id": GENERAL, "thread_ts": PARENT, "text": "x"}),
        ("slack_add_reaction", {"channel_id": GENERAL, "timestamp": PARENT, "reaction": "eyes"}),
    ):
        with pytest.raises(ToolError, match=r"\[refused\].*--allow-live-writes"):
            await server.call_tool(name, given)


async def test_names_are_remembered_of_a_live_workspace_only(workspace: Workspace) -> None:
    """A live client asks for a member once; the offline one, which meets many workspaces, looks anew each time."""
    wire = Troubled(workspace, arrives=True)
    live = slack(wire)
    for _ in range(2):
        names = await live.names(["U0ANA0001", "U0NOBODY1"])
        assert names == {"U0ANA0001": "Ana Ruiz", "U0NOBODY1": "U0NOBODY1"}
    assert wire.sent == 2
    offline, other = Slack(Settings(api_key=None)), team()
    row = other.rows(USERS).get("U0ANA0001")
    assert row
    other.rows(USERS).put({**row, "real_name": "Ana Silva"})
    for store, name in ((workspace.store, "Ana Ruiz"), (other, "Ana Silva")):
        with within(Scope(store, NOW)):
            assert await offline.names(["U0ANA0001"]) == {"U0ANA0001": name}


async def test_a_name_that_could_not_be_had_is_asked_for_again() -> None:
    """A passing failure leaves the id in place of the name, and the next call asks anew."""
    wire = Troubled(Workspace(team()), *[FAILED] * 3, arrives=False)
    client = slack(wire)
    assert (await client.names(["U0ANA0001"])).get("U0ANA0001", "U0ANA0001") == "U0ANA0001"
    assert (await client.names(["U0ANA0001"]))["U0ANA0001"] == "Ana Ruiz"
