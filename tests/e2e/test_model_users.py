"""Users that are language models, played over HTTP by real server processes that ask a stand-in endpoint."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx2
import pytest

from tests.api.conftest import served
from tests.api.talk import Api
from tests.e2e.conftest import Start
from tests.e2e.server import PATIENCE_S, Server
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

TASK = {"domain": "retail", "split": "test", "index": 0}
PHONE = {"domain": "telecom", "split": "test", "index": 14}
STATUS = "Please look at your status bar. What does it show?"
DOWN = Reply(status=500)


@pytest.fixture(scope="module", autouse=True)
def _key() -> Iterator[None]:
    """Servers find the key in their environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-the-servers-own")
        yield


def models(standin: StandIn) -> dict[str, str]:
    """Settings of a server whose models are the stand-in's."""
    return {
        "USER_BASE_URL": standin.url,
        "USER_MODEL": "standin",
        "USER_RETRIES": "0",
        "USER_TIMEOUT_S": str(PATIENCE_S),
    }


@pytest.fixture
def serve(start: Start, standin: StandIn) -> Start:
    """Start a server with settings of its own."""
    return lambda **settings: start(**(models(standin) | settings))


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[StandIn]:
    """Another endpoint, which callers may name."""
    with StandIn("Hi from elsewhere.") as another:
        yield another


@pytest.fixture(scope="module")
def shared(running: StandIn, elsewhere: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for tests that need no settings of their own."""
    allowed = f"http://models.example/v1, {elsewhere.url}/"
    settings = models(running) | {"DOMAINS": "retail,telecom", "USER_ALLOWED_URLS": allowed}
    server = Server(tmp_path_factory.mktemp("models") / "episodes.db", settings).start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def beside(shared: Server) -> Iterator[Server]:
    """Another process on its database, whose users may spend few tokens in one run."""
    server = Server(shared.database, shared.settings | {"USER_RUN_TOKENS": "200"}).start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def keeping(running: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that keeps the answers of models."""
    settings = models(running) | {"DOMAINS": "retail", "RESPONSE_CACHE": "true", "MODEL_PRICES": "standin=10/100"}
    server = Server(tmp_path_factory.mktemp("keeping") / "episodes.db", settings).start()
    yield server
    server.kill()


@pytest.fixture
def server(shared: Server, standin: StandIn) -> Server:
    """That server, its models answering as the test programs them."""
    return shared


def reset(server: Server, task: dict[str, Any] | None = None, strategy: str = "llm", **more: Any) -> dict[str, Any]:
    """A new episode."""
    return server.post("/reset", **(task or TASK), user={"strategy": strategy}, **more)


def step(server: Server, episode: str, turn: int = 1, action: Any = "How can I help?") -> httpx2.Response:
    """One try at a turn."""
    return server.call("POST", "/step", {"episode_id": episode, "turn": turn, "action": action})


def problem(response: httpx2.Response) -> tuple[int, str, bool]:
    """Status, code and whether to try again."""
    body = response.json()
    return response.status_code, body["code"], body["retryable"]


def test_an_episode_from_the_first_message_to_the_stop(server: Server, standin: StandIn) -> None:
    """The user's words are in the replies, what they cost in `info`, and what the model thought nowhere."""
    words = iter(["Hi.", "Ada.", "###STOP###"])
    standin.program = lambda _asked: f"Thought: SECRET\nUser Response: {next(words)}"
    begun = reset(server, strategy="react", seed=3, run="r")
    assert begun["observation"][-1] == {"role": "user", "content": "Hi."}
    usage = begun["info"]["user_usage"]
    assert (usage["model"], usage["calls"], usage["prompt_tokens"]) == ("standin", 1, 100)
    reply = step(server, begun["episode_id"]).json()
    assert reply["observation"] == [{"role": "user", "content": "Ada."}]
    assert reply["info"]["user_usage"]["calls"] == 1
    last = step(server, begun["episode_id"], 2).json()
    assert (last["stop_reason"], last["reward"], last["info"]["scored"]) == ("user_stop", 0.0, True)
    trajectory = server.get(f"/episodes/{begun['episode_id']}/trajectory")
    assert "SECRET" not in str((begun, reply, last, trajectory))
    assert trajectory["turns"][0]["parts"][0]["info"]["user_usage"]["calls"] == 1
    page = httpx2.get(f"{server.url}/page/run?name=r").text
    assert "User's model, per episode</dt><dd>200 + " in page, "two replies"
    assert [a.body["seed"] for a in standin.journal] == [3, 3, 3]
    metrics = server.call("GET", "/metrics").text
    assert 'env_server_user_calls_total{outcome="ok"}' in metrics
    assert 'env_server_user_tokens_total{kind="prompt"}' in metrics


def test_a_reset_whose_user_fails_begins_nothing(server: Server, standin: StandIn) -> None:
    """A reset whose user fails is a retryable problem. The same request, sent again, begins one group."""
    body = {
        **TASK,
        "user": {"strategy": "llm"},
        "idempotency_key": "k",
        "run": "group",
        "n": 4,
        "vary_user": True,
        "seed": 5,
    }
    standin.then("Hi.", Reply(status=429, headers={"retry-after": "7"}))
    refused = server.call("POST", "/reset", body)
    assert problem(refused) == (503, "user_unavailable", True)
    assert refused.headers["retry-after"] == "7"
    assert server.get("/episodes?run=group")["total"] == 0
    all_asked = Event()

    def greet(asked: Asked) -> Reply:
        """Answer once all four were asked, which takes requests side by side."""
        if len(standin.journal) == 4:
            all_asked.set()
        return Reply(f"Hi, {asked.body['seed']}.", held=all_asked)

    standin.begin_anew(greet)
    group = server.post("/reset", **body)
    assert [e["observation"][-1]["content"] for e in group["episodes"]] == [f"Hi, {seed}." for seed in (5, 6, 7, 8)]
    assert server.post("/reset", **body) == group
    assert server.get("/episodes?run=group")["total"] == 4
    assert len(standin.journal) == 4


def test_a_turn_whose_user_fails_did_not_happen(server: Server, standin: StandIn) -> None:
    """A failed turn that is sent again is played once, and from then on answered from the store."""
    episode = reset(server)["episode_id"]
    for reply in (DOWN, Reply(status=429), Reply(body=b"no json")):
        standin.then(reply)
        assert problem(step(server, episode)) == (503, "user_unavailable", True)
        assert server.get(f"/episodes/{episode}")["turn"] == 0
    answer = step(server, episode)
    assert answer.json()["turn"] == 1
    asked = len(standin.journal)
    assert step(server, episode).content == answer.content
    assert len(standin.journal) == asked
    assert [t["turn"] for t in server.get(f"/episodes/{episode}/trajectory")["turns"]] == [1]


def test_what_the_user_did_in_a_failed_turn_is_undone(server: Server, standin: StandIn) -> None:
    """A user with a phone acts, then fails: nothing is left of it, and the turn is played anew."""
    begun = reset(server, PHONE)
    episode = begun["episode_id"]
    toggle = Reply(calls=(Call("toggle_airplane_mode"),))
    standin.then(toggle, DOWN)
    assert problem(step(server, episode, action=STATUS))[1] == "user_unavailable"
    assert server.get(f"/episodes/{episode}")["state_hash"] == begun["state_hash"]
    standin.then(toggle, Reply(calls=(Call("check_status_bar"), Call("fly"))), "It is off now.")
    reply = step(server, episode, action=STATUS).json()
    assert [(c["name"], c["error"]) for c in reply["info"]["user_calls"]] == [
        ("toggle_airplane_mode", None),
        ("check_status_bar", None),
        ("fly", "unknown_tool"),
    ]
    assert reply["state_hash"] != begun["state_hash"]
    assert reply["observation"] == [{"role": "user", "content": "It is off now."}]
    offered = {tool["function"]["name"] for tool in standin.journal[-1].body["tools"]}
    assert {"toggle_airplane_mode", "check_status_bar"} <= offered
    assert server.verified()["ok"]


def test_a_turn_that_fails_again_and_again_ends_the_episode_unscored(serve: Start, standin: StandIn) -> None:
    """After USER_ATTEMPTS failures the reply ends the episode, and retries get the same. A late answer is a failure."""
    server = serve(USER_ATTEMPTS=4, USER_BREAKER_FAILURES=100, USER_TIMEOUT_S=2, DOMAINS="telecom")
    episode = reset(server, PHONE)["episode_id"]
    standin.program = lambda asked: (
        DOWN if asked.messages[-1]["role"] == "tool" else Reply(calls=(Call("run_speed_test"),))
    )
    standin.then(Reply("late", held=Event()))
    assert [step(server, episode).status_code for _ in range(3)] == [503] * 3
    last = step(server, episode)
    body = last.json()
    assert (body["stop_reason"], body["reward"], body["done"], body["truncated"]) == ("user_error", None, True, True)
    assert body["info"]["scored"] is False
    assert step(server, episode).content == last.content
    assert problem(step(server, episode, 2))[1] == "episode_over"


def test_an_endpoint_that_is_down_is_left_alone(serve: Start, standin: StandIn) -> None:
    """A turn that the breaker refuses does not count as a failure. Once the endpoint is back, the episode goes on."""
    server = serve(USER_ATTEMPTS=2, USER_BREAKER_FAILURES=1, USER_BREAKER_PAUSE_S=1)
    episode = reset(server)["episode_id"]
    standin.then(DOWN)
    assert problem(step(server, episode))[1] == "user_unavailable"
    for _ in range(3):
        refused = step(server, episode)
        assert problem(refused) == (503, "user_unavailable", True)
        assert refused.headers["retry-after"] == "1"
    assert len(standin.journal) == 2
    time.sleep(1.0)
    assert step(server, episode).json()["turn"] == 1


def test_two_processes_ask_the_user_once(server: Server, beside: Server, standin: StandIn) -> None:
    """While one process plays the turn, the other answers `turn_claimed`. Then both give the same bytes."""
    one, two = server, beside
    episode = reset(one)["episode_id"]
    answer = Event()
    standin.begin_anew(lambda _asked: Reply("Hi.", held=answer))
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(step, one, episode)
        while not standin.journal:
            time.sleep(0.01)
        assert problem(step(two, episode)) == (409, "turn_claimed", True)
        joined = pool.submit(step, one, episode)
        answer.set()
    assert step(two, episode).content == joined.result().content == playing.result().content
    assert len(standin.journal) == 1


def test_a_spent_run_asks_no_more(server: Server, beside: Server, standin: StandIn) -> None:
    """The tokens of a run's users are in the database and count in other processes. Other runs have their own."""
    episode = reset(server, run="small")["episode_id"]
    assert step(server, episode).status_code == 200
    assert problem(step(beside, episode, 2)) == (409, "spend_cap", False)
    body = {**TASK, "user": {"strategy": "llm"}, "run": "small"}
    assert problem(beside.call("POST", "/reset", body)) == (409, "spend_cap", False)
    assert len(standin.journal) == 2
    reset(beside, run="large")


def test_an_endpoint_of_the_callers(server: Server, standin: StandIn, elsewhere: StandIn) -> None:
    """A caller may name only an endpoint from the operator's list, and the endpoint gets no key."""
    user = {"strategy": "llm", "base_url": elsewhere.url, "model": "theirs", "temperature": 0.3}
    begun = server.post("/reset", **TASK, user=user)
    assert begun["observation"][-1]["content"] == "Hi from elsewhere."
    (asked,) = elsewhere.journal
    assert (asked.body["model"], asked.body["temperature"]) == ("theirs", 0.3)
    assert "sk-the-servers-own" not in str(asked.headers)
    assert standin.journal == []
    refused = server.call("POST", "/reset", {**TASK, "user": user | {"base_url": standin.url}})
    assert problem(refused) == (422, "invalid_request", False)
    step(server, begun["episode_id"])
    assert len(elsewhere.journal) == 2


def conversation(server: Server, **how: Any) -> list[str]:
    """What the users of a group of two say, turn by turn; the same agent each time."""
    group = server.post("/reset", **TASK, user={"strategy": "llm"}, n=2, **how)["episodes"]
    heard = [episode["observation"][-1]["content"] for episode in group]
    for turn in (1, 2):
        heard += [step(server, e["episode_id"], turn).json()["observation"][-1]["content"] for e in group]
    return heard


def test_kept_answers(keeping: Server, standin: StandIn) -> None:
    """A rerun in another process asks no model and hears the same. Other seeds, trials and members hear their own."""
    standin.program = lambda _asked: f"Please, {len(standin.journal)}."
    first = conversation(keeping, seed=4, run="one")
    assert len(set(first)) == len(standin.journal) == 6, "members of a group are independent"
    keeping.kill()
    again = keeping.start()
    assert conversation(again, seed=4, run="two") == first
    assert len(standin.journal) == 6
    third = again.post("/reset", **TASK, user={"strategy": "llm"}, seed=4, trial=1)["info"]["user_usage"]
    assert (third["calls"], third["cached"], third["cost"]) == (0, 1, 0.0), "the second member's"
    for other in ({"seed": 5}, {"seed": 4, "trial": 2}):
        assert not set(conversation(again, **other)) & set(first)
    fresh = again.post("/reset", **TASK, user={"strategy": "llm"}, seed=6)["info"]["user_usage"]
    assert (fresh["calls"], fresh["cached"], fresh["cost"]) == (1, 0, pytest.approx(0.002))


def test_an_answer_of_a_turn_that_failed_is_not_kept(keeping: Server, standin: StandIn) -> None:
    """The judge fails after the draft: the retry asks for both anew, and only its answers are kept."""
    server = keeping
    standin.program = lambda asked: "true" if asked.judging else f"Please, {len(standin.journal)}."
    begun = reset(server, strategy="verify")
    standin.then("A draft.", DOWN)
    assert problem(step(server, begun["episode_id"]))[1] == "user_unavailable"
    said = step(server, begun["episode_id"]).json()["observation"]
    assert said == [{"role": "user", "content": "Please, 5."}]
    asked = len(standin.journal)
    rerun = reset(server, strategy="verify")
    assert rerun["observation"] == begun["observation"]
    assert step(server, rerun["episode_id"]).json()["observation"] == said
    assert len(standin.journal) == asked


@pytest.mark.parametrize(
    ("user", "why"),
    [
        ({"strategy": "scripted", "model": "m"}, "user.model"),
        ({"strategy": "external", "base_url": "http://h/v1"}, "user.base_url"),
        ({"strategy": "llm", "first_message": "Hi."}, "first_message"),
        ({"strategy": "llm", "temperature": 3}, "temperature"),
        ({"strategy": "gpt"}, "llm, react, verify, reflection"),
        ({"strategy": "llm"}, "user.model"),
    ],
)
def test_what_a_reset_may_not_ask_for(user: dict[str, Any], why: str, quiet: Api) -> None:
    """A user that the server cannot provide is refused before anything is begun."""
    refused = quiet.problem("POST", "/reset", "invalid_request", json={**TASK, "user": user})
    assert refused.status == 422
    assert why in refused.detail


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server that names no model."""
    folder = tmp_path_factory.mktemp("quiet")
    for client in served(folder, user_base_url="http://127.0.0.1:9/v1", domains="retail"):
        yield Api(client)


TURNS, PLAYERS, STEPS = 3, 64, 10


async def test_many_users_at_once_hold_up_nobody(server: Server, standin: StandIn) -> None:
    """64 episodes wait for their users side by side, turn by turn, while another episode takes its steps."""
    words: dict[str, Any] = {**TASK, "user": {"strategy": "llm"}}
    many = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(base_url=server.url, timeout=PATIENCE_S, limits=many) as http:
        group = (await http.post("/reset", json={**words, "n": PLAYERS})).json()["episodes"]
        local = (await http.post("/reset", json={**TASK, "max_calls": 10_000, "max_turns": 1000})).json()["episode_id"]

        async def step(episode: str, action: Any) -> int:
            reply = await http.post("/step", json={"episode_id": episode, "action": action})
            assert reply.status_code == 200, reply.text
            turn: int = reply.json()["turn"]
            return turn

        for turn in range(1, TURNS + 1):
            answer = Event()
            standin.begin_anew(lambda _asked, held=answer: Reply("Go on.", held=held))  # type: ignore[misc]
            playing = asyncio.gather(*(step(e["episode_id"], "Yes?") for e in group))
            while len(standin.journal) < PLAYERS:
                await asyncio.sleep(0.01)
            for _ in range(STEPS):
                await step(local, {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]})
            assert not playing.done()
            answer.set()
            assert await playing == [turn] * PLAYERS
