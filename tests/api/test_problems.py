"""Every bad request ends in a documented problem document, never in a 5xx."""

import json
from typing import Any

import pytest

from agent_env_schemas import ErrorCode
from env_server.errors import status_of
from tests.api.talk import THINK, Api

MB = 1_048_576
DEEP = b"[" * 100_000 + b"]" * 100_000

WRITES = ("/reset", "/step", "/episodes/latest/user", "/episodes/latest/fork", "/episodes/latest/close")
BATCHES = ("/batch/reset", "/batch/step")
READS = ("", "/trajectory", "/state", "/diff")


def nested(depth: int) -> Any:
    """Lists in lists."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("path", [*WRITES, *BATCHES])
@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"[]",
        b"3",
        b'"text"',
        b"{",
        b"{}x",
        b'{"a": NaN}',
        b"\xff\xfe\x00",
        b'{"action": "\xc3\x28"}',
        b'{"unknown": 1}',
        b'{"\\ud800": 1}',
        b'{"a": "\\ud800"}',
        DEEP,
        b'{"a":' + DEEP + b"}",
        b'{"metadata": {"a": ' * 60 + b"1" + b"}}" * 60,
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_a_body_that_does_not_fit_is_refused(api: Api, path: str, body: bytes) -> None:
    """Any other value where the document wants an object with known fields: 422."""
    api.begin()
    api.problem("POST", path, "invalid_request", content=body)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("domain", None),
        ("domain", 3),
        ("domain", ""),
        ("domain", "x" * 300),
        ("index", -1),
        ("index", 1.5),
        ("index", "one"),
        ("index", 10**12),
        ("seed", 2**60),
        ("n", 0),
        ("n", 2000),
        ("max_turns", 0),
        ("max_calls", 10**9),
        ("deadline_s", 0),
        ("deadline_s", 1e300),
        ("tool_prompt", "xml"),
        ("observation_role", "system"),
        ("max_observation_chars", 1),
        ("purpose", "play"),
        ("user", {"strategy": "telepathic"}),
        ("user", {"strategy": "scripted", "first_message": "Hello"}),
        ("user", {"unknown": 1}),
        ("user", "external"),
        ("metadata", {"a": "x" * 20_000}),
        ("metadata", [1]),
        ("idempotency_key", ""),
        ("expect", {}),
        ("task_id", "x" * 500),
        ("task", {"instruction": ""}),
        ("task", 3),
    ],
)
def test_a_reset_field_of_the_wrong_kind_is_refused(api: Api, field: str, value: Any) -> None:
    """Types, ranges and names are checked before anything begins."""
    body = {"domain": api.domain, field: value}
    problem = api.problem("POST", "/reset", "invalid_request", json=body)
    assert problem.detail


@pytest.mark.parametrize(
    "named", [{"task_id": "a", "index": 0}, {"index": 0, "task": {"instruction": "x", "gold": {}}}]
)
def test_a_task_named_in_two_ways_is_refused(api: Api, named: dict[str, Any]) -> None:
    """A reset names its task once."""
    api.problem("POST", "/reset", "invalid_request", json={"domain": api.domain, **named})


@pytest.mark.parametrize(
    "unknown",
    [
        {"domain": "nowhere"},
        {"pack": "none"},
        {"pack": "tau2"},
        {"split": "none"},
        {"split": "test", "index": 10**9},
        {"task_id": "no such task"},
        {"task_id": "\u0000"},
        {"task_id": "../../etc/passwd"},
        {"task_id": "test-0-00000000"},
        {"task_id": "test-٣-e7c45fec"},
    ],
    ids=str,
)
def test_what_there_is_not_is_not_found(api: Api, unknown: dict[str, Any]) -> None:
    """Unknown domains, packs, splits and tasks are 404."""
    api.problem("POST", "/reset", "not_found", json={"domain": api.domain, **unknown})


@pytest.mark.parametrize("episode", ["ep_aaaaaaaaaaaaaaaa", "x", "%F0%9F%98%80", "a" * 64])
def test_an_unknown_episode_is_not_found(api: Api, episode: str) -> None:
    """Every endpoint of an episode says 404 for one that does not exist."""
    for path in READS:
        api.problem("GET", f"/episodes/{episode}{path}", "episode_not_found")
    for path, body in (("user", {"content": "x"}), ("fork", {"turn": 0}), ("close", {})):
        api.problem("POST", f"/episodes/{episode}/{path}", "episode_not_found", json=body)
    if "%" not in episode:
        found = api.problem("POST", "/step", "episode_not_found", json={"episode_id": episode, "action": "x"})
        assert found.episode_id == episode


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=501", "limit=x", "done=maybe", "forks=3.5", "limit=99999999999999999999999999"],
)
def test_a_bad_query_is_refused(api: Api, query: str) -> None:
    """Paging parameters out of their bounds are refused."""
    api.problem("GET", f"/episodes?{query}", "invalid_request")


@pytest.mark.parametrize("query", ["turn=-1", "turn=x", "turn=99999999999999999999"])
def test_a_bad_turn_is_refused(api: Api, query: str) -> None:
    """The state and the difference can be asked for only at a turn that can exist."""
    episode = api.begin().episode_id
    for path in ("state", "diff"):
        api.problem("GET", f"/episodes/{episode}/{path}?{query}", "invalid_request")
    api.problem("GET", f"/episodes/{episode}/diff?since=yesterday", "invalid_request")
    api.problem("GET", f"/episodes/{episode}/state?turn=1", "turn_ahead")
    api.problem("GET", f"/episodes/{episode}/diff?turn=1", "turn_ahead")
    api.problem("GET", f"/episodes/{episode}/diff?since=1", "turn_ahead")


def test_turns_out_of_order(api: Api) -> None:
    """A future turn is 409 turn_ahead, another action 409 turn_conflict, a turn after the end 409 episode_over."""
    episode = api.begin().episode_id
    body = {"episode_id": episode, "action": {"tool_calls": [THINK]}}
    api.problem("POST", "/step", "turn_ahead", json=body | {"turn": 2})
    api.post("/step", body | {"turn": 1})
    api.problem("POST", "/step", "turn_conflict", json={"episode_id": episode, "turn": 1, "action": "else"})
    api.problem("POST", "/step", "invalid_request", json=body | {"turn": 0})
    api.post(f"/episodes/{episode}/close")
    for over in ({}, {"turn": 2}, {"turn": 3}):
        problem = api.problem("POST", "/step", "episode_over", json=body | over)
        assert problem.episode_id == episode
        assert not problem.retryable


def test_the_users_part_out_of_order(api: Api) -> None:
    """The user may speak only when it is their turn, and then the agent has to wait."""
    scripted = api.begin().episode_id
    api.problem("POST", f"/episodes/{scripted}/user", "not_awaiting_user", json={"content": "Hi"})
    waiting = api.begin(user={"strategy": "external"}).episode_id
    api.problem("POST", "/step", "awaiting_user", json={"episode_id": waiting, "turn": 1, "action": "Hi"})
    silent: list[dict[str, Any]] = [{"turn": 0}, {}, {"tool_calls": []}]
    for body in silent:
        api.problem("POST", f"/episodes/{waiting}/user", "invalid_request", json=body)
    api.problem("POST", f"/episodes/{waiting}/user", "turn_ahead", json={"turn": 1, "content": "Hi"})
    api.say(waiting, "Hi", turn=0)
    api.problem("POST", f"/episodes/{waiting}/user", "turn_conflict", json={"turn": 0, "content": "Ho"})
    api.post(f"/episodes/{waiting}/close")
    api.problem("POST", f"/episodes/{waiting}/user", "episode_over", json={"turn": 1, "content": "Hi"})


def test_forks_that_cannot_be(api: Api) -> None:
    """A fork needs a turn that was played and did not end the episode."""
    episode = api.begin().episode_id
    fork = f"/episodes/{episode}/fork"
    api.problem("POST", fork, "turn_ahead", json={"turn": 1})
    api.problem("POST", fork, "invalid_request", json={"turn": -1})
    api.problem("POST", fork, "invalid_request", json={})
    api.post(f"/episodes/{episode}/close")
    api.problem("POST", fork, "episode_over", json={"turn": 1})
    assert api.post(fork, {"turn": 0})["info"]["parent"] == {"episode_id": episode, "turn": 0}


def test_a_key_belongs_to_one_body(api: Api) -> None:
    """The same key with another body, or at another endpoint, is refused."""
    key = {"idempotency_key": "problems-1"}
    episode = api.begin(**key).episode_id
    assert api.begin(**key).episode_id == episode
    reset = {"domain": api.domain, "split": "test", "index": 0}
    for other in (reset | {"index": 1}, reset | {"seed": 1}, reset | {"n": 1}, {"domain": api.domain}):
        api.problem("POST", "/reset", "key_conflict", json=other | key)
    api.problem("POST", f"/episodes/{episode}/fork", "key_conflict", json={"turn": 0, **key})


def test_an_expectation_that_does_not_hold_is_refused(api: Api) -> None:
    """A reset that expects another pack version is refused and begins nothing."""
    version = api.begin().info.pack_version
    assert api.begin(expect={"pack_version": version}).info.pack_version == version
    body = {"domain": api.domain, "expect": {"pack_version": "other"}}
    assert version in api.problem("POST", "/reset", "pack_changed", json=body).detail


@pytest.mark.parametrize("path", WRITES)
def test_a_body_over_the_limit_is_refused(api: Api, path: str) -> None:
    """A body of 2 MB is refused, whether its length is announced or it comes in pieces."""
    body = json.dumps({"action": "x" * 2 * MB}).encode()
    api.problem("POST", path, "body_too_large", content=body)
    api.problem("POST", path, "body_too_large", content=iter([body[:MB], body[MB:]]))


@pytest.mark.parametrize("path", BATCHES)
def test_a_batch_has_a_limit_of_its_own(api: Api, path: str) -> None:
    """A batch may have 2 MB, but not 40 MB. Each item has the limit of a single request."""
    sent = {"items": ["x" * (MB // 2), "y" * 2 * MB, "é" * (MB // 2), "z" * (MB // 2), "é" * (MB // 2 - 1)]}
    told = ["invalid_request", "body_too_large", "body_too_large", "invalid_request", "invalid_request"]
    assert [result["code"] for result in api.post(path, sent)["results"]] == told
    text = json.dumps(sent, ensure_ascii=False).encode()
    parts = iter([text[:MB], text[MB:]])
    streamed = api.send("POST", path, content=parts).json()
    assert [result["code"] for result in streamed["results"]] == told
    api.problem("POST", path, "body_too_large", content=b" " * 40 * MB)


def test_what_is_not_served(api: Api) -> None:
    """Unknown paths and methods are problems too."""
    for method, path in (
        ("GET", "/nowhere"),
        ("POST", "/nowhere"),
        ("GET", "/episodes/a/b/c"),
        ("GET", "/docs/static/x"),
    ):
        api.problem(method, path, "not_found")
    for method, path in (("GET", "/reset"), ("PUT", "/step"), ("DELETE", "/episodes"), ("PATCH", "/batch/step")):
        problem = api.send(method, path)
        assert (problem.status_code, problem.json()["code"]) == (405, "method_not_allowed")
        assert problem.headers["allow"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[::2]", "localhost.", "@"]
)
def test_a_foreign_host_is_refused(api: Api, host: str) -> None:
    """A foreign name that resolves to this machine (DNS rebinding) reaches no endpoint."""
    for path in ("/episodes", "/docs"):
        api.problem("GET", path, "host_not_allowed", headers={"Host": host})
    api.problem("POST", "/reset", "host_not_allowed", headers={"Host": host}, json={"domain": api.domain})


@pytest.mark.parametrize("host", ["10.0.0.7:8000", "pod.example", "", "@"])
def test_probes_may_name_any_host(api: Api, host: str) -> None:
    """An orchestrator probes a pod by its address, which no setting can list. A browser's page may not."""
    for path in ("/healthz", "/readyz", "/health"):
        assert api.send("GET", path, headers={"Host": host}).status_code == 200
        api.problem("GET", path, "host_not_allowed", headers={"Host": host, "Origin": "https://evil.example"})


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
def test_loopback_names_are_answered(api: Api, host: str) -> None:
    """Each name of this machine, with or without port."""
    assert api.send("GET", "/episodes", headers={"Host": host}).status_code == 200


def test_every_code_has_a_status() -> None:
    """Each code has a status of a client's or a server's error."""
    assert all(400 <= int(status_of(code)) < 600 for code in ErrorCode)
