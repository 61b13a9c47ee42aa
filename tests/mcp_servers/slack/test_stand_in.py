from typing import Any

import pytest

from tests.mcp_servers.slack.asked import Workspace
from tests.mcp_servers.slack.team import ANA, BEN, BOT, CLOSED, DEALS, DESK, GENERAL, PARENT, REPLY, SECOND


@pytest.fixture
def workspace() -> Workspace:
    """A workspace of its own behind a stand-in."""
    return Workspace()


@pytest.mark.parametrize(
    ("token", "error"), [(None, "not_authed"), ("bad-key", "invalid_auth"), ("xoxb-1", "not_allowed_token_type")]
)
async def test_tokens_are_refused_under_200(workspace: Workspace, token: str | None, error: str) -> None:
    """A missing, wrong or unfit token is an answer that is not ok, with status 200."""
    reply = await workspace.reply("search.messages", token, query="earnings")
    assert reply.status == 200
    assert (await workspace.post("search.messages", token, query="earnings"))["error"] == error


async def test_a_token_may_stand_in_the_form(workspace: Workspace) -> None:
    """Old clients send the token among the arguments."""
    assert (await workspace.post("auth.test", None, form=True, token="xoxp-old"))["user_id"] == BOT


async def test_too_many_calls(workspace: Workspace) -> None:
    """The rate limit is the one error with a status of its own, and says how long to wait."""
    reply = await workspace.reply("users.list", "busy-key")
    assert (reply.status, reply.headers["retry-after"]) == (429, "2")
    assert (await workspace.post("users.list", "busy-key"))["error"] == "ratelimited"


async def test_scopes(workspace: Workspace) -> None:
    """A token that may only read is told which scope it lacks, and nothing is written."""
    refused = await workspace.post("chat.postMessage", "reader-key", channel=GENERAL, text="Hello")
    assert (refused["error"], refused["needed"]) == ("missing_scope", "chat:write")
    assert (await workspace.post("conversations.list", "reader-key"))["ok"]


async def test_unknown_methods(workspace: Workspace) -> None:
    """A method that is not offered is an answer, whatever its path."""
    assert (await workspace.post("files.upload"))["error"] == "unknown_method"
    assert (await workspace.post("a/b"))["error"] == "unknown_method"


@pytest.mark.parametrize("way", ["json", "form", "get"])
async def test_arguments_come_in_three_ways(workspace: Workspace, way: str) -> None:
    """JSON, forms and queries say the same."""
    given: dict[str, Any] = {"channel": GENERAL, "limit": 1}
    if way == "get":
        answer = await workspace.get("conversations.history", **given)
    else:
        answer = await workspace.post("conversations.history", form=way == "form", **given)
    assert answer["messages"][0]["text"] == "Earnings of TERN are late."


async def test_channels_are_listed_by_type(workspace: Workspace) -> None:
    """Public channels by default; private ones of the bot where they are asked for."""
    names = [channel["name"] for channel in (await workspace.get("conversations.list"))["channels"]]
    assert names == ["general", "desk"]
    private = await workspace.get("conversations.list", types="private_channel")
    assert [channel["id"] for channel in private["channels"]] == [DEALS]
    assert private["channels"][0]["topic"]["value"] == "All about deals"
    assert (await workspace.get("conversations.list", types="public"))["error"] == "invalid_types"
    assert (await workspace.get("conversations.info", channel=DESK))["channel"]["is_member"] is False


async def test_history_leaves_replies_out(workspace: Workspace) -> None:
    """The newest message comes first; a thread's beginning says how many replies there are and whose."""
    answer = await workspace.get("conversations.history", channel=GENERAL)
    assert [message["ts"] for message in answer["messages"]] == [
        f"{SECOND - 1800}.000300",
        PARENT,
        f"{SECOND - 90000}.000100",
    ]
    parent = answer["messages"][1]
    assert (parent["reply_count"], parent["reply_users"], parent["latest_reply"]) == (1, [BEN], REPLY)
    assert not answer["has_more"]


@pytest.mark.parametrize("ts", [PARENT, REPLY])
async def test_a_thread_begins_with_its_parent(workspace: Workspace, ts: str) -> None:
    """The replies of a thread come after the message that began it, asked for by any message of it."""
    answer = await workspace.get("conversations.replies", channel=GENERAL, ts=ts)
    assert [message["ts"] for message in answer["messages"]] == [PARENT, REPLY]
    begins, reply = answer["messages"]
    assert "parent_user_id" not in begins
    assert reply["parent_user_id"] == begins["user"]
    alone = await workspace.get("conversations.replies", channel=GENERAL, ts=f"{SECOND - 1800}.000300")
    assert len(alone["messages"]) == 1


@pytest.mark.parametrize(
    ("method", "given", "key"),
    [
        ("conversations.list", {"types": "public_channel,private_channel"}, "channels"),
        ("conversations.history", {"channel": GENERAL}, "messages"),
        ("users.list", {}, "members"),
    ],
)
async def test_cursors_lead_through_lists(workspace: Workspace, method: str, given: dict[str, Any], key: str) -> None:
    """Page by page a list gives what it gives at once, and the last page has an empty cursor."""
    whole = (await workspace.get(method, **given))[key]
    parts, cursor = [], ""
    for _ in whole:
        page = await workspace.get(method, **given, limit=1, cursor=cursor)
        parts += page[key]
        cursor = page["response_metadata"]["next_cursor"]
    assert parts == whole
    assert len(whole) == 3
    assert cursor == ""


@pytest.mark.parametrize("cursor", ["x", "bmV4dF90czoxMg==", "Y2hhbm5lbDpD", "ü"])
async def test_foreign_cursors_are_refused(workspace: Workspace, cursor: str) -> None:
    """A cursor that this list did not hand out is an error."""
    assert (await workspace.get("users.list", cursor=cursor))["error"] == "invalid_cursor"


async def test_a_post_comes_back_in_history(workspace: Workspace) -> None:
    """A post, by the channel's id or name, is the newest message; a reply stands in its thread."""
    posted = await workspace.post("chat.postMessage", channel="#general", text="12.50")
    assert (posted["ok"], posted["channel"], posted["ts"]) == (True, GENERAL, f"{SECOND}.000100")
    reply = await workspace.post("chat.postMessage", form=True, channel=GENERAL, text="Here", thread_ts=PARENT)
    assert reply["message"]["thread_ts"] == PARENT
    history = await workspace.get("conversations.history", channel=GENERAL, limit=1)
    assert history["messages"][0]["text"] == "12.50"
    thread = await workspace.get("conversations.replies", channel=GENERAL, ts=PARENT)
    assert thread["messages"][-1]["text"] == "Here"


async def test_a_reaction_is_counted(workspace: Workspace) -> None:
    """A reaction appears on the message; the same one again is refused."""
    given: dict[str, Any] = {"channel": GENERAL, "timestamp": PARENT, "name": "eyes"}
    assert await workspace.post("reactions.add", **given) == {"ok": True}
    assert (await workspace.post("reactions.add", **given))["error"] == "already_reacted"
    message = (await workspace.get("conversations.replies", channel=GENERAL, ts=PARENT))["messages"][0]
    assert message["reactions"] == [{"name": "eyes", "users": [BOT], "count": 1}]


async def test_members(workspace: Workspace) -> None:
    """Members have profiles; without a name the profile is the bot's own."""
    members = (await workspace.get("users.list"))["members"]
    assert [member["id"] for member in members] == [ANA, BOT, BEN]
    assert (await workspace.get("users.info", user=ANA))["user"]["profile"]["title"] == "Head of research"
    assert (await workspace.get("users.profile.get", user=ANA))["profile"]["email"] == "ana@desk.example"
    assert (await workspace.get("users.profile.get"))["profile"]["real_name"] == "Research Bot"


async def test_search_has_pages(workspace: Workspace) -> None:
    """A search says how many messages there are and gives one page of them."""
    first = (await workspace.get("search.messages", query="earnings", count=1, sort="timestamp"))["messages"]
    second = (await workspace.get("search.messages", query="earnings", count=1, page=2))["messages"]
    assert (first["total"], first["paging"]["pages"]) == (2, 2)
    assert first["matches"][0]["channel"]["name"] == "general"
    assert first["matches"][0]["ts"] != second["matches"][0]["ts"]
    assert second["pagination"] == {
        "total_count": 2,
        "page": 2,
        "per_page": 1,
        "page_count": 2,
        "first": 2,
        "last": 2,
    }


@pytest.mark.parametrize(
    ("method", "given", "error"),
    [
        ("conversations.history", {"channel": DESK}, "not_in_channel"),
        ("conversations.history", {"channel": CLOSED}, "channel_not_found"),
        ("conversations.history", {}, "channel_not_found"),
        ("conversations.history", {"channel": GENERAL, "limit": 1000}, "invalid_limit"),
        ("conversations.history", {"channel": GENERAL, "limit": "many"}, "invalid_limit"),
        ("conversations.history", {"channel": GENERAL, "oldest": "x"}, "invalid_ts_oldest"),
        ("conversations.history", {"channel": GENERAL, "latest": "x"}, "invalid_ts_latest"),
        ("conversations.replies", {"channel": GENERAL, "ts": "1.000000"}, "thread_not_found"),
        ("conversations.replies", {"channel": GENERAL}, "thread_not_found"),
        ("users.info", {"user": "U0"}, "user_not_found"),
        ("users.profile.get", {"user": "U0"}, "user_not_found"),
        ("users.list", {"limit": 0}, "invalid_limit"),
        ("search.messages", {}, "no_query"),
        ("chat.postMessage", {"channel": GENERAL}, "no_text"),
        ("chat.postMessage", {"channel": GENERAL, "text": "x" * 40_001}, "msg_too_long"),
        ("chat.postMessage", {"channel": DESK, "text": "x"}, "not_in_channel"),
        ("chat.postMessage", {"channel": "nowhere", "text": "x"}, "channel_not_found"),
        ("chat.postMessage", {"channel": GENERAL, "text": "x", "thread_ts": "1.0"}, "thread_not_found"),
        ("reactions.add", {"channel": GENERAL, "name": "eyes"}, "no_item_specified"),
        ("reactions.add", {"channel": GENERAL, "timestamp": PARENT, "name": ":eyes:"}, "invalid_name"),
        ("reactions.add", {"channel": GENERAL, "timestamp": "noon", "name": "eyes"}, "bad_timestamp"),
        ("reactions.add", {"channel": GENERAL, "timestamp": "1.000000", "name": "eyes"}, "message_not_found"),
    ],
)
async def test_errors(workspace: Workspace, method: str, given: dict[str, Any], error: str) -> None:
    """Each mistake is answered with Slack's code for it, under status 200."""
    reply = await workspace.reply(method, **given)
    assert reply.status == 200
    answer = await workspace.post(method, **given)
    assert (answer["ok"], answer["error"]) == (False, error)
