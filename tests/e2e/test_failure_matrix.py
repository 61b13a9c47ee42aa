"""Thirteen faults under which OpenEnv 0.10 was seen to lose or corrupt episodes, over the same protocol.

The name of each test is the fault, and the test asserts what this server does instead.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.api.sockets import Socket, resetting, stepping
from tests.e2e.installed import installed
from tests.e2e.server import PATIENCE_S, ROOT, Server
from tests.standin.protocol import Reply
from tests.standin.server import StandIn
from trainer_client import AsyncClient, Client, ServerError
from trainer_client.integrations.mcp_sdk import mcp_client

TASK = {"domain": "retail", "split": "test", "index": 0}
TASK_OPTIONS: Any = {"split": "test", "index": 0}
LENDING = {"domain": "lending", "split": "test", "index": 0}
SLOW_USER = {"strategy": "llm"}
LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
FIND: Any = {"type": "call_tool", "tool_name": "find_book", "arguments": {"title": "x"}}
WORDS = "Hello! What is your email address?"
FAULTY_TOOLS = '''

@tool(kind=WRITE)
def drop_book(db: Db[Dialect], book_id: str) -> Book:
    """Change a row, then fail.

    Args:
        book_id: The copy.
    """
    book = _book(db, book_id)
    book["lent_to"] = "m1"
    db[BOOKS].put(book)
    raise RuntimeError("secret=/etc/passwd")


@tool(kind=READ)
def pull_the_plug(db: Db[Dialect]) -> Book:
    """End the whole process."""
    __import__("os")._exit(3)
'''


@pytest.fixture(scope="module")
def standin() -> Iterator[StandIn]:
    """The endpoint of users that take their time."""
    with StandIn() as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-none")
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's packages, and beside them a domain with tools that fail."""
    folder = installed(ROOT / "tests" / "e2e" / "lending", tmp_path_factory.mktemp("matrix") / "site")
    with (folder / "lending" / "tools.py").open("a", encoding="utf-8") as tools:
        tools.write(FAULTY_TOOLS)
    return folder


@pytest.fixture(scope="module")
def running(site: Path, standin: StandIn) -> Iterator[Server]:
    """A server that evicts episodes that are idle for a second."""
    settings = {
        "USER_BASE_URL": standin.url,
        "USER_MODEL": "standin",
        "EVICT_AFTER_S": "1",
        "DOMAINS": "lending,retail",
    }
    started = Server(site.parent / "episodes.db", settings, site).start()
    yield started
    started.kill()


@pytest.fixture
def server(running: Server, standin: StandIn) -> Server:
    """That server, started again if an earlier test ended it."""
    standin.begin_anew()
    if running.process is None or running.process.poll() is not None:
        running.start()
    return running


@pytest.fixture
def other(running: Server) -> Iterator[Server]:
    """Another process on the same database."""
    started = Server(running.database, running.settings, running.tree).start()
    yield started
    started.kill()


def turns(server: Server, episode_id: str) -> list[int]:
    """The numbers of the turns on record."""
    return [turn["turn"] for turn in server.get(f"/episodes/{episode_id}/trajectory")["turns"]]


def begun(socket: Socket, **data: Any) -> str:
    """A new episode's id."""
    episode_id: str = socket.reset(**data)["observation"]["episode_id"]
    return episode_id


@pytest.mark.slow
def test_1_the_server_is_killed_in_mid_episode(server: Server) -> None:
    """A step on a new connection is an error and begins no episode. A reset with the episode's id goes on with it."""
    with Socket(server.url) as socket:
        episode_id = begun(socket, **TASK)
        played = socket.step(action=LOOK)
        with Client(server.url) as client:
            bystander = client.reset("retail", split="test", index=1)
            bystander.step(LOOK)
            server.kill()
            with pytest.raises(ConnectionClosed):
                socket.step(action=WORDS)
            server.start()
            assert bystander.step(WORDS).turn == 2  # over HTTP nothing is noticed at all
    with Socket(server.url) as socket:
        assert socket.refused(stepping(action=WORDS))[0] == "SESSION_ERROR"
        resumed = socket.reset(episode_id=episode_id)
        assert resumed["observation"]["messages"] == played["observation"]["messages"]
        assert resumed["metadata"]["state_hash"] == played["metadata"]["state_hash"]
        assert socket.step(action=WORDS)["observation"]["turn"] == 2
    assert turns(server, episode_id) == [1, 2]


def test_2_the_client_gives_up_waiting_and_tries_again(server: Server, standin: StandIn) -> None:
    """The second try joins the turn that runs: one turn, one call of the user's model, and no state is lost."""
    standin.then("Hi.", Reply("My name is Yusuf.", delay_s=1.0))
    with Socket(server.url) as socket:
        episode_id = begun(socket, **TASK, user=SLOW_USER)
        socket.send(stepping(action=WORDS))
    with Socket(server.url) as socket:
        resumed = socket.reset(episode_id=episode_id)
        assert resumed["observation"]["turn"] == 1
        assert resumed["observation"]["messages"][0]["content"] == "My name is Yusuf."
    standin.then("Hi.", Reply("My name is Yusuf.", delay_s=1.0))
    with Client(server.url, timeout=0.4) as client:
        episode = client.reset("retail", **TASK_OPTIONS, user=SLOW_USER)
        assert episode.step(WORDS).observation[0].content == "My name is Yusuf."
    assert turns(server, episode.id) == turns(server, episode_id) == [1]
    assert len(standin.journal) == 4


def test_3_a_step_is_sent_twice(server: Server) -> None:
    """A step that is sent twice with its turn number is played once, and both answers are the same."""
    with Socket(server.url) as socket:
        episode_id = begun(socket, **TASK)
        first, again = (socket.step(action=LOOK, turn=1) for _ in range(2))
    assert first == again
    call = {"episode_id": episode_id, "turn": 1, "action": LOOK}
    assert server.call("POST", "/step", call).content == server.call("POST", "/step", call).content
    assert turns(server, episode_id) == [1]


def test_4_the_client_vanishes_in_mid_step(server: Server, standin: StandIn) -> None:
    """The turn is committed all the same, and a new connection finds it."""
    standin.then("Hi.", Reply("Here I am.", delay_s=0.5))
    with Socket(server.url) as socket:
        episode_id = begun(socket, **TASK, user=SLOW_USER)
        socket.send(stepping(action=WORDS))
        while len(standin.journal) < 2:
            time.sleep(0.01)
        socket.vanish()
        with Socket(server.url, f"/ws?episode_id={episode_id}") as other:
            assert other.state()["turn"] == 1
            assert other.step(action=LOOK)["observation"]["turn"] == 2


def test_5_a_session_is_idle_for_long(server: Server) -> None:
    """The episode leaves memory while the connection stays open, and the next step finds it as it was."""
    with Socket(server.url) as socket:
        episode_id = begun(socket, **TASK)
        hashed = socket.step(action=LOOK)["metadata"]["state_hash"]
        deadline = time.monotonic() + PATIENCE_S
        while server.get("/readyz")["live_episodes"]:
            assert time.monotonic() < deadline, "nothing is forgotten"
            time.sleep(0.2)
        again = socket.step(action=LOOK)
    assert (again["observation"]["turn"], again["metadata"]["state_hash"]) == (2, hashed)
    assert turns(server, episode_id) == [1, 2]


@pytest.mark.slow
def test_6_one_environment_takes_the_process_down(server: Server) -> None:
    """The restarted server has every episode, the fatal one too, and the fatal turn did not happen."""
    with Socket(server.url) as one, Socket(server.url) as other:
        fatal, innocent = begun(one, **LENDING), begun(other, **TASK)
        other.step(action=LOOK)
        one.send(stepping(type="call_tool", tool_name="pull_the_plug"))
        for socket in (one, other):
            with pytest.raises(ConnectionClosed):
                socket.receive()
    server.wait_for_end()
    server.start()
    with Socket(server.url) as socket:
        assert socket.reset(episode_id=innocent)["observation"]["turn"] == 1
        assert socket.reset(episode_id=fatal)["observation"]["turn"] == 0
        assert (
            socket.step(type="call_tool", tool_name="find_book", arguments={"title": "x"})["observation"]["turn"] == 1
        )


def test_7_plain_http_holds_an_episode(server: Server) -> None:
    """Requests without a connection of their own play one episode: turns count, and the state is that episode's."""
    episode_id = server.post("/reset", **TASK)["episode_id"]
    replies = [server.post("/step", episode_id=episode_id, turn=turn, action=LOOK) for turn in (1, 2, 3)]
    assert [reply["turn"] for reply in replies] == [1, 2, 3]
    assert server.get(f"/episodes/{episode_id}/state")["state_hash"] == replies[-1]["state_hash"]


def test_8_a_step_comes_before_the_reset_or_after_the_end(server: Server) -> None:
    """A step before the reset and a new step after the end are errors. A retry still gets the last reply."""
    with Socket(server.url) as socket:
        assert socket.refused(stepping(action=LOOK)) == ("SESSION_ERROR", "episode_not_found")
        begun(socket, **TASK, max_turns=1)
        last = socket.step(action=LOOK)
        assert last["done"]
        assert socket.refused(stepping(action=LOOK)) == ("EXECUTION_ERROR", "episode_over")
        assert socket.step(action=LOOK, turn=1) == last


def test_9_a_seed_is_no_number(server: Server) -> None:
    """A seed that is no number is refused over WebSocket and HTTP, and the connection goes on."""
    with Socket(server.url) as socket:
        assert socket.refused(resetting(**TASK, seed="abc")) == ("VALIDATION_ERROR", "invalid_request")
        assert socket.reset(**TASK)["observation"]["turn"] == 0
    assert server.call("POST", "/reset", {**TASK, "seed": "abc"}).status_code == 422


def test_10_a_frame_is_no_object(server: Server) -> None:
    """A frame that is no object is refused, and the connection keeps its episode."""
    with Socket(server.url) as socket:
        begun(socket, **TASK)
        assert socket.refused("[1, 2]") == ("VALIDATION_ERROR", "invalid_request")
        assert socket.step(action=LOOK)["observation"]["turn"] == 1


def test_11_the_environment_raises(server: Server) -> None:
    """The client does not see the exception's text. The turn did not happen, and its changes are undone."""
    with Socket(server.url) as socket:
        before = socket.reset(**LENDING)["metadata"]["state_hash"]
        frame = socket.ask(stepping(type="call_tool", tool_name="drop_book", arguments={"book_id": "b0"}))
        assert frame["data"]["problem"]["code"] == "tool_crashed"
        assert "secret" not in str(frame)
        assert "secret=" in server.log.read_text(encoding="utf-8")
        assert (socket.state()["turn"], socket.state()["state_hash"]) == (0, before)
        found = socket.step(**FIND)
        assert (found["observation"]["turn"], found["metadata"]["state_hash"]) == (1, before)


@pytest.mark.slow
def test_12_requests_reach_different_processes(server: Server, other: Server) -> None:
    """Two processes on one database take turns at one episode, over HTTP and over their sockets."""
    episode_id = server.post("/reset", **TASK)["episode_id"]
    for turn in range(1, 7):
        where = (server, other)[turn % 2]
        if turn % 3:
            reply = where.post("/step", episode_id=episode_id, turn=turn, action=LOOK)
            assert reply["turn"] == turn
        else:
            with Socket(where.url, f"/ws?episode_id={episode_id}") as socket:
                assert socket.step(action=LOOK)["observation"]["turn"] == turn
    assert turns(other, episode_id) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
async def test_12_mcp_calls_reach_different_processes(server: Server, other: Server) -> None:
    """Thirty MCP calls that alternate between the processes are thirty turns of one episode."""
    async with AsyncClient(server.url) as client:
        episode = await client.reset("retail", max_turns=100, max_calls=100, **TASK_OPTIONS)
        for number in range(30):
            url = f"{(server, other)[number % 2].url}/episodes/{episode.id}/mcp"
            episode.reply = episode.reply.model_copy(update={"mcp_url": url})
            async with mcp_client(episode) as agent:
                assert not (await agent.call_tool("list_all_product_types", {})).is_error
        assert (await client.episode(episode.id)).turn == 30


def test_13_one_session_is_slow(server: Server, standin: StandIn) -> None:
    """While one step waits for its user, another session's step is answered."""
    back = Event()
    standin.then("Hi.", Reply("Sorry, I was away.", held=back))
    with Socket(server.url) as slow, Socket(server.url) as quick:
        begun(slow, **TASK, user=SLOW_USER)
        begun(quick, **TASK)
        slow.send(stepping(action=WORDS))
        while len(standin.journal) < 2:
            time.sleep(0.01)
        assert quick.step(action=LOOK)["observation"]["turn"] == 1
        back.set()
        assert slow.receive()["data"]["observation"]["messages"][0]["content"] == "Sorry, I was away."


def test_the_clients_error_says_what_went_wrong(server: Server) -> None:
    """The same faults over the HTTP client are typed: a step after the end is `episode_over`."""
    with Client(server.url) as client:
        episode = client.reset("retail", max_turns=1, **TASK_OPTIONS)
        episode.step(LOOK)
        with pytest.raises(ServerError, match="episode_over"):
            episode.step(LOOK)
