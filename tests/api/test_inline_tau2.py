"""tau2-bench tasks given in a request: set up, asserted and scored, or refused with the name of what is wrong."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from env_server.domains.telecom import domain
from env_server.episodes.begin.choice import INLINE_BYTES, STORED_BYTES
from tests.api.conftest import served
from tests.api.talk import Api

Json = dict[str, Any]

EXTERNAL = {"strategy": "external", "first_message": "Hello."}
WORLD = {table: [dict(row) for row in rows] for table, rows in domain.world().items()}
LINE = next(line for line in WORLD["lines"] if line["status"] == "Active")
OWNER = next(c for c in WORLD["customers"] if LINE["line_id"] in c["line_ids"])
THEIRS = {"customer_id": OWNER["customer_id"], "line_id": LINE["line_id"]}


def function(func_name: str, env_type: str = "user", **arguments: Any) -> Json:
    """A call of a function of the environment, as tau2-bench writes it."""
    return {"env_type": env_type, "func_name": func_name, "arguments": arguments}


CALLER = function("set_user_info", name=OWNER["full_name"], phone_number=LINE["phone_number"])
GROUNDED = function("turn_airplane_mode_on")
FLYING = function("assert_airplane_mode_status", expected_status=True) | {"assert_value": False}
REFUELED = function("assert_data_refueling_amount", "assistant", **THEIRS, expected_amount=2.0)
GOLD = [
    {"name": "toggle_airplane_mode", "requestor": "user", "arguments": {}},
    {"name": "refuel_data", "requestor": "assistant", "arguments": {**THEIRS, "gb_amount": 2.0}},
]


def task(
    *set_up: Json,
    asserted: tuple[Json, ...] = (FLYING, REFUELED),
    actions: list[Json] = GOLD,
    **state: Any,
) -> Json:
    """A task whose world is prepared by `set_up`."""
    return {
        "id": "own",
        "user_scenario": {"instructions": "Your phone finds no network."},
        "ticket": "The phone of the user finds no network.",
        "initial_state": {"initialization_actions": list(set_up), **state},
        "evaluation_criteria": {
            "actions": actions,
            "env_assertions": list(asserted),
            "reward_basis": ["ENV_ASSERTION", "ACTION"],
        },
    }


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server whose tau2 pack of telecom holds the generated world, because the public one may be missing here."""
    folder = tmp_path_factory.mktemp("tau2")
    own = folder / "telecom"
    own.mkdir()
    (own / "db.json").write_text(json.dumps(WORLD), encoding="utf-8")
    listed = task(CALLER, message_history=[{"role": "user", "content": "Hi"}]) | {"id": "continued"}
    (own / "tasks.json").write_text(json.dumps([listed]), encoding="utf-8")
    (own / "main_policy.md").write_text("Help.", encoding="utf-8")
    (own / "main_policy_solo.md").write_text("Work.", encoding="utf-8")
    (own / "tech_support_manual.md").write_text("Look.", encoding="utf-8")
    for client in served(folder, tau2_dir=folder):
        yield Api(client)


def key_of(table: str, row: Json) -> str:
    """The key of a row of the world."""
    return next(t for t in domain.tables if t.name == table).key_of(row)


def begin(api: Api, given: Json, user: Json = EXTERNAL) -> Any:
    """Begin an episode of an inline task."""
    return api.begin(domain="telecom", pack="tau2", task=given, user=user)


def failed(last: Any) -> list[Json]:
    """The assertions that do not hold at the end."""
    found: list[Json] = last.info.reward_breakdown["env_assertions"]["failed"]
    return found


def refused(api: Api, given: Json) -> str:
    """The reason for which a reset with an inline task is refused; the status must blame the request."""
    body = {"domain": "telecom", "pack": "tau2", "task": given, "user": EXTERNAL}
    problem = api.problem("POST", "/reset", "invalid_request", json=body)
    assert problem.status == 422
    return str(problem.detail)


def test_an_own_task_is_set_up_played_and_scored(api: Api) -> None:
    """The episode begins in the state that the set-up made; gold of both sides scores 1, and doing nothing scores 0."""
    given = task(CALLER, GROUNDED, function("set_data_usage", "assistant", **THEIRS, data_used_gb=7.5))
    begun, idle = begin(api, given), begin(api, given)
    rows = {row["key"]: row["row"] for row in api.get(f"/episodes/{begun.episode_id}/state?turn=0")["rows"]}
    assert rows["device"]["airplane_mode"] is True
    assert rows["surroundings"]["phone_number"] == LINE["phone_number"]
    assert rows[LINE["line_id"]]["data_used_gb"] == 7.5
    api.step(begun.episode_id, "Please switch airplane mode off.")
    api.post(f"/episodes/{begun.episode_id}/user", {"tool_calls": [{"name": "toggle_airplane_mode", "arguments": {}}]})
    api.say(begun.episode_id, "Done.")
    api.calls(begun.episode_id, {"name": "refuel_data", "arguments": {**THEIRS, "gb_amount": 2.0}})
    for episode, reward in ((begun.episode_id, 1.0), (idle.episode_id, 0.0)):
        api.step(episode, "That is all.")
        last: Any = api.say(episode, "###STOP###")
        assert (last.reward, last.info.scored) == (reward, True), last.info.reward_breakdown
    assert [a["name"] for a in failed(last)] == [FLYING["func_name"], REFUELED["func_name"]]


def test_an_own_task_can_be_played_alone(api: Api) -> None:
    """Without a user the agent sees the ticket first and makes the user's calls itself."""
    begun = begin(api, task(CALLER, GROUNDED), {"strategy": "none"})
    assert [m.content for m in begun.observation][1] == "The phone of the user finds no network."
    calls = [{"name": call["name"], "arguments": call["arguments"]} for call in GOLD]
    assert api.calls(begun.episode_id, *calls, {"name": "done", "arguments": {}}).reward == 1.0


@pytest.mark.parametrize(
    "bad",
    [
        function("no_such_function"),
        function("__init__"),
        function("os.system", command="true"),
        function("http://localhost/set_up"),
        function("sync"),
        function("set_data_usage", **THEIRS, data_used_gb=1.0),
        function("turn_airplane_mode_on", "assistant"),
        function("turn_airplane_mode_on", db=1),
        function("turn_airplane_mode_on", command="true"),
        function("set_data_usage", "assistant", customer_id="C0", line_id="L0", data_used_gb=1.0),
        function("set_data_usage", "assistant", customer_id=[], line_id={}, data_used_gb=1.0),
        function("lock_sim_card", mode={}),
        function("set_user_info", name="Nobody", phone_number="000"),
        function("set_user_info", name="Nobody", phone_number=["000"]),
    ],
    ids=str,
)
def test_a_set_up_that_cannot_be_done_is_refused_by_name(api: Api, bad: Json) -> None:
    """An unknown function, one of the other side, wrong arguments or a failing one: 422, and the function is named."""
    assert bad["func_name"] in refused(api, task(CALLER, bad))


@pytest.mark.parametrize(
    "bad",
    [
        function("set_data_usage", "assistant", **THEIRS, data_used_gb="much"),
        function("set_data_usage", "assistant", **THEIRS, data_used_gb=None),
        function("set_user_location", abroad={"where": "France"}),
        function("set_wifi_calling", enabled=[]),
    ],
    ids=str,
)
def test_a_set_up_that_leaves_no_valid_row_is_refused(api: Api, bad: Json) -> None:
    """Rows that a function stores unchecked are checked against the table afterwards; the function is named."""
    assert bad["func_name"] in refused(api, task(CALLER, bad))


def test_a_set_up_is_bounded(api: Api) -> None:
    """A set-up may have 200 functions; more functions, too many assertions and too large a task are refused."""
    begin(api, task(CALLER, *[GROUNDED] * 199))
    assert "200" in refused(api, task(CALLER, *[GROUNDED] * 200))
    assert "200" in refused(api, task(CALLER, asserted=(FLYING,) * 201))
    padded = task(CALLER, GROUNDED) | {"ticket": "x" * INLINE_BYTES}
    assert str(INLINE_BYTES) in refused(api, padded)
    everything = {name: {key_of(name, row): Json() for row in WORLD[name]} for name in ("customers", "lines", "bills")}
    assert str(STORED_BYTES) in refused(api, task(initialization_data={"agent_data": everything}))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (task(CALLER, asserted=(function("assert_nothing"),)), "assert_nothing"),
        (task(CALLER, asserted=(function("assert_line_status", **THEIRS, expected_status="Active"),)), "assert_line"),
        (task(CALLER, actions=[{"name": "no_such_tool", "requestor": "user"}]), "no_such_tool"),
        (task(CALLER, message_history=[{"role": "user", "content": "Hi"}]), "message_history"),
        (task(initialization_data={"agent_data": {"lines": {"L1": 5}}}), "lines"),
        (
            task(initialization_data={"agent_data": {"lines": {LINE["line_id"]: {"data_used_gb": "much"}}}}),
            "data_used_gb",
        ),
        (task(initialization_data={"agent_data": {"planets": {}}}), "planets"),
        (task(initialization_data={"user_data": {"device": []}}), "device"),
        (task(CALLER) | {"initial_state": 5}, "initial_state"),
    ],
    ids=["assertion", "side", "tool", "history", "no-row", "bad-row", "table", "user-row", "state"],
)
def test_what_does_not_resolve_is_refused_by_name(api: Api, given: Json, told: str) -> None:
    """Names must be declared by the domain, and initial data must fit its tables."""
    assert told in refused(api, given)


def test_a_listed_task_that_this_server_does_not_offer_says_why(api: Api) -> None:
    """A public task with features that this server lacks is a documented refusal, whichever request names it."""
    body = {"domain": "telecom", "pack": "tau2", "task_id": "continued"}
    problems = [
        api.problem("POST", "/reset", "invalid_request", json=body),
        api.problem("GET", "/domains/telecom/tasks?pack=tau2", "invalid_request"),
        api.problem("GET", "/domains/telecom/tasks/continued?pack=tau2", "invalid_request"),
    ]
    assert all("message_history" in str(problem.detail) for problem in problems)


def test_an_assertion_that_cannot_be_answered_does_not_hold(api: Api) -> None:
    """An assertion whose arguments make no sense does not hold: the episode ends and is scored all the same."""
    senseless = (
        function("assert_internet_speed", expected_speed=0, expected_desc=5),
        function("assert_internet_speed", expected_speed="fast"),
        function("assert_line_status", "assistant", customer_id=[], line_id={}, expected_status="Active"),
    )
    begun = begin(api, task(CALLER, asserted=senseless))
    api.step(begun.episode_id, "That is all.")
    last = api.say(begun.episode_id, "###STOP###")
    assert last.reward == 0.0
    assert len(failed(last)) == len(senseless)


def test_an_assertion_that_cannot_be_asked_is_refused(api: Api) -> None:
    """An assertion with an unknown or a missing argument is refused: 422, and the function is named."""
    for bad in (function("assert_can_send_mms"), function("assert_can_send_mms", expected_status=True, zzz=1)):
        assert bad["func_name"] in refused(api, task(CALLER, asserted=(bad,)))


def test_nothing_of_a_refused_task_remains(api: Api) -> None:
    """A refused task leaves nothing behind: the next episode of the pack begins without its changes."""
    clean = begin(api, task(CALLER)).state_hash
    refused(api, task(CALLER, GROUNDED, function("no_such_function")))
    assert begin(api, task(CALLER)).state_hash == clean
