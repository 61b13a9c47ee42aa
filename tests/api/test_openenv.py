"""OpenEnv's protocol over a real socket."""

from collections.abc import Iterator
from socket import create_connection
from typing import Any

import pytest
from starlette.testclient import WebSocketDenialResponse
from websockets.exceptions import ConnectionClosed, InvalidStatus

from agent_env_schemas import OpenEnvObservation, OpenEnvState
from tests.api.sockets import Socket, resetting, stepping
from tests.api.talk import Api
from tests.e2e.server import Server

TASK = {"domain": "retail", "split": "test", "index": 0}
EXTERNAL = {"strategy": "external", "first_message": "Hi, please help."}
LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
WORDS = "Hello! What is your email address?"
HANDSHAKE = (
    b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without keys."""
    running = Server(tmp_path_factory.mktemp("openenv") / "env.db", {"DOMAINS": "airline,retail"}).start()
    yield running
    running.kill()


@pytest.fixture
def socket(server: Server) -> Iterator[Socket]:
    """A connection to it."""
    with Socket(server.url) as opened:
        yield opened


def test_an_episode_is_played_to_its_reward(server: Server, socket: Socket) -> None:
    """Gold's calls, the agent's words and the user's farewell are played: the last frame says done and reward 1."""
    begun = socket.reset(**TASK, user=EXTERNAL)
    assert begun["metadata"]["mcp_url"] == f"{server.url}/episodes/{begun['observation']['episode_id']}/mcp"
    assert (begun["reward"], begun["done"], begun["observation"]["turn"]) == (None, False, 0)
    assert [m["role"] for m in begun["observation"]["messages"]] == ["system", "user"]
    task = server.get(f"/domains/retail/tasks/{begun['metadata']['info']['task_id']}?gold=true")
    for number, call in enumerate(task["gold"]["actions"], 1):
        seen = socket.step(type="call_tool", tool_name=call["name"], arguments=call["arguments"])
        assert (seen["reward"], seen["observation"]["turn"], seen["observation"]["error"]) == (0.0, number, None)
    waiting = socket.step(action="All of it is done.")["observation"]
    assert waiting["awaiting_user"]
    server.post(f"/episodes/{waiting['episode_id']}/user", content="###STOP###")
    ended = socket.reset(episode_id=waiting["episode_id"])
    assert (ended["reward"], ended["done"], ended["metadata"]["resumed"]) == (1.0, True, True)


def test_a_reset_chooses_by_difficulty(server: Server, socket: Socket) -> None:
    """A reset over the socket takes the same fields as `/reset` and chooses the same task."""
    place = {"domain": "retail", "split": "val", "difficulty": "3-5", "seed": 4}
    begun = socket.reset(**place)
    assert begun["metadata"]["info"]["task_id"] == server.post("/reset", **place)["info"]["task_id"]
    task = server.get(f"/domains/retail/tasks/{begun['metadata']['info']['task_id']}")
    assert task["difficulty"] >= 3


def test_it_is_the_same_episode_as_over_step(server: Server, socket: Socket) -> None:
    """The same actions give the same observations, hashes and state over the socket and over /step."""
    begun = socket.reset(**TASK)
    twin = server.post("/reset", **TASK)
    assert begun["observation"]["messages"] == twin["observation"]
    assert begun["observation"]["tools"] == twin["tools"]
    for turn, action in enumerate((LOOK, WORDS, "<tool_call>{broken"), 1):
        one = socket.step(action=action)
        other = server.post("/step", episode_id=twin["episode_id"], turn=turn, action=action)
        assert one["observation"]["messages"] == other["observation"]
        assert one["metadata"] == {k: other[k] for k in one["metadata"]}
    state = socket.state()
    OpenEnvState.model_validate(state)
    OpenEnvObservation.model_validate(socket.step(type="list_tools")["observation"])
    assert state["step_count"] == 3
    assert state["state_hash"] == server.get(f"/episodes/{twin['episode_id']}")["state_hash"]


def test_tools_are_listed_and_failures_told_in_openenvs_words(socket: Socket) -> None:
    """`list_tools` is no turn; an unknown tool and bad arguments are errors of the call, and are turns."""
    socket.reset(**TASK)
    listed = socket.step(type="list_tools")["observation"]
    assert {"name", "description", "input_schema"} == set(listed["tools"][0])
    unknown = socket.step(type="call_tool", tool_name="fly", arguments={})["observation"]
    assert (unknown["error"]["error_type"], unknown["turn"]) == ("tool_not_found", 1)
    wrong = socket.step(type="call_tool", tool_name="get_order_details", arguments={"order": 1})["observation"]
    assert (wrong["error"]["error_type"], wrong["turn"]) == ("invalid_args", 2)
    missing = socket.step(type="call_tool", tool_name="get_order_details", arguments={"order_id": "#W0"})
    assert missing["observation"]["error"] is None
    assert missing["observation"]["result"] == missing["observation"]["messages"][0]["content"]


def test_the_user_is_spoken_to_by_a_tool_too(socket: Socket) -> None:
    """`respond` is listed, and a call of it does the same as `{"action": text}`."""
    socket.reset(**TASK)
    assert socket.step(type="list_tools")["observation"]["tools"][-1]["name"] == "respond"
    words = "Hello! What is your email address?"
    called = socket.step(type="call_tool", tool_name="respond", arguments={"message": words})["observation"]
    socket.reset(**TASK)
    said = socket.step(action=words)["observation"]
    assert (called["messages"], called["result"]) == (said["messages"], said["messages"][0]["content"])
    wrong = socket.step(type="call_tool", tool_name="respond", arguments={"text": words})["observation"]
    assert wrong["error"]["error_type"] == "tool_not_found"


@pytest.mark.parametrize(
    "reply",
    [
        {"tool_calls": [{"name": "get_order_details", "arguments": {"order_id": "#W0"}}]},
        {"name": "get_order_details", "arguments": {"order_id": "#W0"}},
        {"content": "Let me look.", "tool_calls": [{"name": "get_order_details", "arguments": {"order_id": "#W0"}}]},
        {"type": "call_tool", "tool_name": "get_order_details", "arguments": {"order_id": "#W0"}},
    ],
)
def test_a_models_json_is_an_action(socket: Socket, reply: dict[str, Any]) -> None:
    """Some clients parse a model's reply as JSON and send the result: it is read as the action."""
    socket.reset(**TASK)
    seen = socket.step(**reply)["observation"]
    assert (seen["messages"][0]["role"], seen["turn"]) == ("tool", 1)


@pytest.mark.parametrize("value", [5, 1.5, True, ["a", 1]])
def test_other_json_values_are_words(socket: Socket, value: Any) -> None:
    """Some clients parse a reply such as `5` as JSON: such a value is read as the model's words."""
    socket.reset(**TASK)
    assert socket.step(action=value)["observation"]["turn"] == 1


def test_clients_find_the_field_for_plain_text(server: Server) -> None:
    """A client that reads `required` in the schema finds the one field for a reply that is no JSON object."""
    assert server.get("/schema")["action"]["required"] == ["action"]


def test_a_domains_own_address_needs_no_domain(server: Server) -> None:
    """A client that can only call `reset()` plays the domain that its base URL names."""
    with Socket(server.url, "/domains/airline/ws") as socket:
        assert socket.reset(seed=4)["metadata"]["info"]["domain"] == "airline"
    about = server.get("/domains/airline/metadata")
    assert about["name"] == "airline"
    assert server.get("/domains/airline/schema") == server.get("/schema")
    assert server.get("/domains/airline/health") == server.get("/health") == {"status": "healthy"}
    assert server.call("GET", "/domains/nowhere/metadata").status_code == 404


def test_the_schemas_say_what_is_sent(server: Server) -> None:
    """`/schema` describes actions, observations and state; `/metadata` names the server."""
    found = server.get("/schema")
    assert {"action", "type", "tool_name", "arguments", "turn"} <= set(found["action"]["properties"])
    assert "messages" in found["observation"]["properties"]
    assert "step_count" in found["state"]["properties"]
    assert server.get("/metadata")["name"] == "agent-env-server"


def test_a_reconnect_that_names_its_episode_resumes_it(server: Server) -> None:
    """A reset by id, the address, or the client's own name resumes an episode: the newest observation comes again."""
    with Socket(server.url) as first:
        begun = first.reset(**TASK, episode_id="EP-A")
        seen = first.step(action=LOOK)
    episode_id = begun["observation"]["episode_id"]
    for data in ({"episode_id": episode_id}, {**TASK, "episode_id": "EP-A"}):
        with Socket(server.url) as again:
            resumed = again.reset(**data)
            assert resumed["metadata"]["resumed"]
            assert resumed["observation"]["messages"] == seen["observation"]["messages"]
            assert resumed["observation"]["turn"] == again.state()["turn"] == 1
            assert resumed["metadata"]["mcp_url"] == begun["metadata"]["mcp_url"]
            assert resumed["metadata"]["agent_token"].startswith(f"agt_{episode_id}.")
    for turn, named in enumerate((episode_id, "EP-A"), 2):
        with Socket(server.url, f"/ws?episode_id={named}") as attached:
            assert attached.step(action=WORDS)["observation"]["turn"] == turn
    for unknown in ("ep_aaaaaaaaaaaaaaaa", ""):
        with Socket(server.url, f"/ws?episode_id={unknown}") as lost:
            assert lost.receive()["data"]["code"] == "SESSION_ERROR"
            with pytest.raises(ConnectionClosed):
                lost.receive()


def test_a_reset_by_name_shows_what_the_user_opened_with(server: Server) -> None:
    """A user's opening is turn 0: no turn of the agent, but newer than what the reset showed.

    A resumed client sees it.
    """
    data = {**TASK, "user": {"strategy": "external"}, "episode_id": "EP-O"}
    for _ in range(2):
        with Socket(server.url) as first:
            begun = first.reset(**data)
            assert (begun["metadata"]["resumed"], begun["observation"]["awaiting_user"]) == (False, True)
    server.post(f"/episodes/{begun['observation']['episode_id']}/user", content="Hi, help me.")
    with Socket(server.url) as again:
        seen = again.reset(**data)
        assert (seen["metadata"]["resumed"], seen["observation"]["awaiting_user"]) == (True, False)
        assert [m["content"] for m in seen["observation"]["messages"]] == ["Hi, help me."]
        assert again.step(action=WORDS)["observation"]["turn"] == 1


def test_a_name_means_one_episode(socket: Socket) -> None:
    """Another reset under a used name and a reset with an unknown id are refused, and then no step is played."""
    socket.reset(**TASK, episode_id="EP-B")
    assert socket.refused(resetting(**TASK | {"index": 1}, episode_id="EP-B")) == ("EXECUTION_ERROR", "key_conflict")
    assert socket.refused(stepping(action=WORDS)) == ("SESSION_ERROR", "episode_not_found")
    for unknown in ("ep_aaaaaaaaaaaaaaaa", "ep_cut", "ep_NotOurs", "ep_"):
        refused = socket.refused(resetting(**TASK, episode_id=unknown))
        assert refused == ("SESSION_ERROR", "episode_not_found")
    assert socket.refused(resetting(**TASK, episode_id="ep_\0"))[0] == "VALIDATION_ERROR"
    assert socket.refused(stepping(action=WORDS)) == ("SESSION_ERROR", "episode_not_found")


def test_a_name_is_its_callers_own(keyed: Api) -> None:
    """Another caller's name finds no episode, also not in the address."""
    owner, other = ({"Authorization": f"Bearer {name}-key"} for name in ("alice", "bob"))
    with keyed.client.websocket_connect("ws://localhost/ws", headers=owner) as begun:
        begun.send_json(resetting(**TASK, episode_id="EP-C"))
        episode_id = begun.receive_json()["data"]["observation"]["episode_id"]
    address = "ws://localhost/ws?episode_id=EP-C"
    with keyed.client.websocket_connect(address, headers=owner) as again:
        again.send_json({"type": "state"})
        assert again.receive_json()["data"]["episode_id"] == episode_id
    with keyed.client.websocket_connect(address, headers=other) as lost:
        assert lost.receive_json()["data"]["problem"]["code"] == "episode_not_found"


def test_a_reset_without_a_domain_is_told_which_there_are(server: Server, socket: Socket) -> None:
    """The error lists the domains, as it does for an unknown domain."""
    missing, wrong = (socket.ask(resetting(**data))["data"]["message"] for data in ({}, {"domain": "nowhere"}))
    there = ", ".join(known["name"] for known in server.get("/domains")["domains"])
    how = "domain: name a domain, in the reset or by the base URL (`.../domains/DOMAIN`)"
    assert missing == f"{how}; there are: {there}"
    assert wrong.endswith(f"; there are: {there}")


@pytest.mark.parametrize("name", ["", 7, 0, False, ["EP"], {"a": 1}, "x" * 193, "EP\0"], ids=repr)
def test_what_is_no_name_begins_nothing(server: Server, socket: Socket, name: Any) -> None:
    """Empty text or a number names no episode: the error says what a name may be, and no step is played."""
    before = server.get("/episodes")["total"]
    frame = socket.ask(resetting(**TASK, episode_id=name))
    assert (frame["type"], frame["data"]["code"]) == ("error", "VALIDATION_ERROR")
    assert frame["data"]["message"] == "episode_id: a name is text of 1 to 192 characters, none of them NUL"
    assert socket.refused(stepping(action=WORDS)) == ("SESSION_ERROR", "episode_not_found")
    assert server.get("/episodes")["total"] == before


def test_a_name_may_be_long(socket: Socket) -> None:
    """A name of the greatest length begins an episode, and finds it again."""
    begun, again = (socket.reset(**TASK, episode_id="y" * 192)["observation"] for _ in range(2))
    assert begun["episode_id"] == again["episode_id"]


def test_a_seat_that_was_overtaken_is_told(server: Server, socket: Socket) -> None:
    """If another client has played the turn, a step is refused and not played after that turn; a reset catches up."""
    episode_id = socket.reset(**TASK)["observation"]["episode_id"]
    server.post("/step", episode_id=episode_id, turn=1, action=LOOK)
    assert socket.refused(stepping(action=WORDS)) == ("EXECUTION_ERROR", "turn_conflict")
    assert socket.reset(episode_id=episode_id)["observation"]["turn"] == 1
    assert socket.step(action=WORDS)["observation"]["turn"] == 2


@pytest.mark.parametrize("wrong", [{"episode_id": "ep_aaaaaaaaaaaaaaaa"}, {**TASK, "n": 2}, {**TASK, "typo": 1}])
def test_after_a_reset_that_failed_nothing_is_played(socket: Socket, wrong: dict[str, Any]) -> None:
    """A step after a failed reset is refused: the caller believes that the earlier episode is over."""
    socket.reset(**TASK)
    socket.refused(resetting(**wrong))
    assert socket.refused(stepping(action=WORDS))[0] == "SESSION_ERROR"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{{{", "INVALID_JSON"),
        ("[1, 2]", "VALIDATION_ERROR"),
        ("null", "VALIDATION_ERROR"),
        ({"type": "step", "data": 7}, "VALIDATION_ERROR"),
        ({"type": "fly"}, "UNKNOWN_TYPE"),
        ({"type": "mcp", "data": {}}, "UNKNOWN_TYPE"),
        (resetting(), "VALIDATION_ERROR"),
        (resetting(domain="nowhere"), "VALIDATION_ERROR"),
        (resetting(**TASK, n=2), "VALIDATION_ERROR"),
        (resetting(**TASK, typo=1), "VALIDATION_ERROR"),
        (resetting(domain="retail", seed="abc"), "VALIDATION_ERROR"),
    ],
)
def test_what_is_no_message_leaves_the_connection_open(socket: Socket, message: Any, code: str) -> None:
    """Each malformed message is answered with its error, and the next message is answered as usual."""
    assert socket.refused(message)[0] == code
    assert socket.refused({"type": "state"})[0] == "SESSION_ERROR"


@pytest.mark.parametrize("action", [{}, {"action": "x", "type": "list_tools"}, {"type": "call_tool"}, {"zzz": 1}])
def test_what_is_no_action_is_no_turn(socket: Socket, action: dict[str, Any]) -> None:
    """A malformed action is an error, and the episode stays where it was."""
    socket.reset(**TASK)
    assert socket.refused(stepping(**action))[0] == "VALIDATION_ERROR"
    assert socket.state()["turn"] == 0


def test_a_models_mistakes_are_observed(socket: Socket) -> None:
    """Half a surrogate pair and NaN, which strict parsers refuse, make turns; too deep nesting is an error."""
    socket.reset(**TASK)
    socket.send('{"type": "step", "data": {"action": "\\ud83d hello"}}')
    assert socket.receive()["data"]["observation"]["turn"] == 1
    socket.send('{"type": "step", "data": {"type": "call_tool", "tool_name": "think", "arguments": {"thought": NaN}}}')
    assert socket.receive()["data"]["observation"]["turn"] == 2
    deep = '{"type": "step", "data": {"action": ' + "[" * 5000 + "]" * 5000 + "}}"
    assert socket.refused(deep)[0] in {"VALIDATION_ERROR", "INVALID_JSON"}


def test_the_gate_guards_the_socket_too(keyed: Api) -> None:
    """A missing or wrong key, an agent's token, another Host or page gets no connection, and a problem says why."""
    key = {"Authorization": "Bearer alice-key"}
    with keyed.client.websocket_connect("ws://localhost/ws", headers=key) as open_socket:
        open_socket.send_json(resetting(**TASK))
        token = open_socket.receive_json()["data"]["metadata"]["agent_token"]
    for status, headers in (
        (401, {}),
        (401, {"Authorization": "Bearer wrong"}),
        (403, {"Authorization": f"Bearer {token}"}),
        (421, {**key, "Host": "evil.example"}),
        (421, {**key, "Origin": "http://evil.example"}),
    ):
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            keyed.client.websocket_connect("ws://localhost/ws", headers=headers),
        ):
            pass
        assert (refused.value.status_code, refused.value.json()["status"]) == (status, status)
    assert keyed.client.get("/health").status_code == 200


def test_a_refusal_reaches_a_real_client(server: Server) -> None:
    """The handshake is answered with the status of the refusal."""
    with pytest.raises(InvalidStatus) as refused, Socket(server.url, host="evil.example"):
        pass
    assert refused.value.response.status_code == 421


def test_a_refusal_is_no_defect_in_the_log(server: Server) -> None:
    """A refused handshake logs nothing, whether the client reads the answer or has left."""
    before = server.log.read_text()
    for stays in (True, False):
        with create_connection(("127.0.0.1", server.port)) as pipe:
            pipe.sendall(HANDSHAKE % b"/ws?episode_id=%00")
            if stays:
                assert pipe.recv(100).startswith(b"HTTP/1.1 422 ")
    assert server.get("/health") == {"status": "healthy"}  # once this is answered, the handshakes are over
    assert server.log.read_text() == before
