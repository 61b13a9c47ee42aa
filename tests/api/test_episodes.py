"""Groups, batches, forks, inline tasks, and what can be read about episodes."""

from itertools import chain, pairwise
from time import time
from typing import Any

import pytest

from agent_env_schemas import GroupReply, StepReply
from env_server.domains.kit import GeneratedTasks, Task
from tests.api.talk import THINK, Api

EXTERNAL = {"strategy": "external", "first_message": "Hello."}


GOOD = {"instruction": "x", "gold": {}, "allow_no_effect": True}
"""The smallest valid inline task."""


def gold_of(api: Api, task_id: str) -> Any:
    """A task's gold."""
    return api.get(f"/domains/{api.domain}/tasks/{task_id}", params={"gold": True})["gold"]


def call(action: dict[str, Any]) -> dict[str, Any]:
    """A gold action as an agent's call."""
    return {"name": action["name"], "arguments": action["arguments"]}


def play_gold(api: Api, episode: str, task_id: str, *, skip: int = 0) -> StepReply:
    """Play gold from its call number `skip` on, say the outputs, and have the external user stop."""
    gold = gold_of(api, task_id)
    for action in gold["actions"][skip:]:
        reply = api.calls(episode, call(action))
        if reply.done:
            return reply
    api.step(episode, "; ".join(gold["outputs"]) or "Done.")
    return api.say(episode, "###STOP###")


def test_a_group_shares_task_and_seed(api: Api) -> None:
    """The episodes of a group begin alike under one group id; a group may have a single episode."""
    group = api.group(4, split="test", index=1, seed=3)
    assert len({e.episode_id for e in group.episodes}) == len({e.agent_token for e in group.episodes}) == 4
    assert {e.info.group_id for e in group.episodes} == {group.group_id}
    assert all(e.observation == group.episodes[0].observation for e in group.episodes)
    assert {e.info.seed for e in group.episodes} == {3}
    assert len(api.group(1, group_id="my-group").episodes) == 1
    listed = api.get("/episodes", params={"group_id": group.group_id})
    assert listed["total"] == 4


def test_a_group_may_vary_its_user(api: Api) -> None:
    """Episode i gets seed + i, and all get the same task."""
    group = api.group(3, seed=10, vary_user=True)
    assert [e.info.seed for e in group.episodes] == [10, 11, 12]
    assert len({e.info.task_id for e in group.episodes}) == 1


def test_a_group_is_begun_once_for_its_key(api: Api) -> None:
    """A retry of the whole group is answered byte for byte."""
    body = {"domain": api.domain, "n": 8, "idempotency_key": "group-key"}
    first = api.send("POST", "/reset", json=body)
    assert api.send("POST", "/reset", json=body).content == first.content
    assert len(GroupReply.model_validate_json(first.content).episodes) == 8


def test_a_batch_answers_each_item_in_order(api: Api) -> None:
    """Each item gets a reply or a problem, in order; a bad item does not affect the others."""
    resets = [
        {"domain": api.domain, "split": "test", "index": 2},
        {"domain": "nowhere"},
        {"domain": api.domain, "n": 2},
        {"domain": api.domain, "task": {"instruction": "x", "gold": {"actions": [{"name": "nothing"}]}}},
    ]
    results = api.post("/batch/reset", {"items": resets})["results"]
    assert [r.get("code") for r in results] == [None, "not_found", None, "invalid_request"]
    assert results[1]["status"] == 404
    first, group = results[0]["episode_id"], [e["episode_id"] for e in results[2]["episodes"]]
    think = {"tool_calls": [THINK]}
    steps = [
        {"episode_id": first, "turn": 1, "action": think},
        {"episode_id": "ep_none", "turn": 1, "action": think},
        {"episode_id": group[0], "turn": 2, "action": think},
        {"episode_id": group[1], "turn": 1, "action": think},
        {"episode_id": first, "turn": 1, "action": think},
    ]
    answers = api.post("/batch/step", {"items": steps})["results"]
    assert [a.get("code") for a in answers] == [None, "episode_not_found", "turn_ahead", None, None]
    assert answers[0] == answers[4]
    assert api.post("/batch/step", {"items": []}) == {"results": []}


def test_latest_in_a_batch_is_an_items_own_matter(keyed: Api) -> None:
    """If the caller has begun nothing, only the item that says `latest` fails; the other one gets its own problem."""
    headers = {"Authorization": "Bearer bob-key"}
    items = [{"episode_id": e, "turn": 1, "action": "x"} for e in ("latest", "ep_none")]
    results = keyed.post("/batch/step", {"items": items}, headers=headers)["results"]
    assert len(results) == 2


def test_a_large_batch_plays_every_episode(api: Api) -> None:
    """A thousand steps at once, each committed."""
    group = [e.episode_id for e in api.group(256).episodes]
    items = [{"episode_id": e, "turn": 1, "action": {"tool_calls": [THINK]}} for e in group * 4]
    results = api.post("/batch/step", {"items": items})["results"]
    assert {r["turn"] for r in results} == {1}
    assert [r["episode_id"] for r in results] == group * 4
    too_many = [*items, items[0]]
    api.problem("POST", "/batch/step", "invalid_request", json={"items": too_many})


def test_gold_scores_one_and_explains_itself(api: Api) -> None:
    """The last reply has the value of each component, and no row differs."""
    begun = api.begin(user=EXTERNAL, index=0, split="test")
    last = play_gold(api, begun.episode_id, begun.info.task_id)
    assert (last.reward, last.info.scored, last.info.row_diff) == (1.0, True, [])
    assert last.info.reward_breakdown
    assert all(part["value"] == 1.0 for part in last.info.reward_breakdown.values() if part.get("counts", True))
    assert api.get(f"/episodes/{begun.episode_id}/diff", params={"since": "gold"})["rows"] == []


def test_nothing_done_scores_zero_with_the_difference(api: Api) -> None:
    """The explanation names the rows that should have changed."""
    begun = api.begin(user=EXTERNAL, index=0, split="test")
    api.step(begun.episode_id, "Bye.")
    last = api.say(begun.episode_id, "###STOP###")
    assert (last.reward, last.info.scored) == (0.0, True)
    assert last.info.row_diff
    diff = api.get(f"/episodes/{begun.episode_id}/diff", params={"since": "gold"})["rows"]
    told = [(row["table"], row["key"], row["expected"], row["actual"]) for row in last.info.row_diff]
    assert [(row["table"], row["key"], row["before"], row["after"]) for row in diff] == told


def test_a_fork_goes_its_own_way(api: Api) -> None:
    """A fork has the parent's history and state; afterwards neither changes the other."""
    begun = api.begin(user=EXTERNAL, split="test", index=0, max_turns=40)
    parent, gold = begun.episode_id, gold_of(api, begun.info.task_id)["actions"]
    for turn, action in enumerate(gold, 1):
        api.calls(parent, call(action), turn=turn)
    forks = [api.post(f"/episodes/{parent}/fork", {"turn": turn}) for turn in range(len(gold) + 1)]
    assert len({f["agent_token"] for f in forks}) == len(forks)
    for turn, fork in enumerate(forks):
        assert fork["turn"] == turn
        assert fork["info"]["parent"] == {"episode_id": parent, "turn": turn}
        roles = [m["role"] for m in fork["observation"]]
        assert roles == ["system", "user", *["assistant", "tool"] * turn]
        at = api.get(f"/episodes/{parent}/state", params={"turn": turn})
        assert fork["state_hash"] == at["state_hash"]
        assert play_gold(api, fork["episode_id"], begun.info.task_id, skip=turn).reward == 1.0
    assert api.get(f"/episodes/{parent}")["turn"] == len(gold)
    tree = api.get("/episodes", params={"forks": False, "limit": 500})["episodes"]
    assert not {f["episode_id"] for f in forks} & {e["episode_id"] for e in tree}


@pytest.mark.parametrize("fake", [{"$blob": "0" * 64}, "\x01" + "0" * 64, {"\x01" + "0" * 64: 1}], ids=str)
def test_nothing_a_model_writes_passes_for_a_shared_text(api: Api, fake: Any) -> None:
    """Replies are stored with references to shared texts; arguments that look like one come back as they were."""
    episode = api.begin().episode_id
    call = {"name": "think", "arguments": {"thought": fake}}
    api.calls(episode, call)
    fork = api.post(f"/episodes/{episode}/fork", {"turn": 1, "idempotency_key": f"fork {fake}"})
    assert fork["observation"][2]["tool_calls"] == [call]
    for name in (episode, fork["episode_id"]):
        record = api.get(f"/episodes/{name}/trajectory")
        assert record["turns"][0]["parts"][0]["action"] == {"tool_calls": [call]}


def test_metadata_is_kept_and_exported(api: Api) -> None:
    """The trajectory holds the caller's metadata of a turn; a retry is recognised without it."""
    episode = api.begin(metadata={"policy": 3}).episode_id
    odd = {"tokens": 12, "deep": {"a": [1, None, "é"]}, "big": 2**63}
    first = api.step(episode, {"tool_calls": [THINK]}, 1, metadata=odd)
    assert api.step(episode, {"tool_calls": [THINK]}, 1, metadata={"other": 1}) == first
    record = api.get(f"/episodes/{episode}/trajectory")
    assert record["turns"][0]["parts"][0]["metadata"] == odd
    assert record["episode"]["episode_id"] == episode


def test_the_trajectory_is_what_was_played(api: Api) -> None:
    """The trajectory has what the reset showed, and every turn with both parts as they were answered."""
    begun = api.begin(user={"strategy": "external"})
    episode = begun.episode_id
    replies = [api.say(episode, "Hi"), api.calls(episode, THINK), api.step(episode, "So?"), api.say(episode, "No.")]
    record = api.get(f"/episodes/{episode}/trajectory")
    assert record["observation"] == [m.model_dump(exclude_unset=True) for m in begun.observation]
    assert record["tools"] == begun.tools
    parts = [(t["turn"], p) for t in record["turns"] for p in t["parts"]]
    assert [(turn, part["part"]) for turn, part in parts] == [(0, "user"), (1, "agent"), (2, "agent"), (2, "user")]
    for reply, (turn, part) in zip(replies, parts, strict=True):
        assert (turn, part["state_hash"], part["reward"]) == (reply.turn, reply.state_hash, reply.reward)
        assert part["observation"] == [m.model_dump(exclude_unset=True) for m in reply.observation]
        assert part["info"] == reply.info.model_dump(exclude_unset=True)
    assert parts[1][1]["action"] == {"tool_calls": [THINK]}


def test_episodes_are_paged_and_filtered(api: Api) -> None:
    """Pages go from the newest to the oldest without gap or repetition; each filter keeps only what fits."""
    begun = [e.episode_id for e in api.group(7, run="paging").episodes]
    for episode in begun[:3]:
        api.post(f"/episodes/{episode}/close")
    pages: list[list[str]] = []
    while not pages or pages[-1]:
        before = {"before": pages[-1][-1]} if pages else {}
        page = api.get("/episodes", params={"run": "paging", "limit": 3, **before})
        assert page["total"] == 7
        pages.append([e["episode_id"] for e in page["episodes"]])
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert sorted(chain.from_iterable(pages)) == sorted(begun)
    made = [e["created_at"] for e in api.get("/episodes", params={"limit": 100})["episodes"]]
    assert all(newer >= older for newer, older in pairwise(made))
    counts = {
        "done=true": 3,
        "done=false": 4,
        f"domain={api.domain}": 7,
        "domain=nowhere": 0,
        "group_id=nothing": 0,
    }
    for query, count in counts.items():
        assert api.get(f"/episodes?run=paging&{query}")["total"] == count
    api.problem("GET", "/episodes?before=ep_none", "episode_not_found")
    api.problem("GET", "/episodes?run=%00", "invalid_request")
    api.problem("GET", "/episodes/%00", "invalid_request")


def test_tasks_are_paged(api: Api) -> None:
    """Pages join without gap, an id finds its task, and gold is only there on request."""
    (domain,) = (d for d in api.get("/domains")["domains"] if d["name"] == api.domain)
    (pack,) = domain["packs"]
    url = f"/domains/{api.domain}/tasks"
    whole = api.get(url, params={"split": "test", "limit": 20})
    parts = [api.get(url, params={"split": "test", "limit": 5, "offset": at})["tasks"] for at in (0, 5, 10, 15)]
    assert list(chain.from_iterable(parts)) == whole["tasks"]
    assert whole["total"] == pack["splits"]["test"]
    assert api.get(url)["total"] == sum(pack["splits"].values())
    assert api.get(url, params={"offset": 10**9})["tasks"] == []
    first = whole["tasks"][0]
    assert {**api.get(f"{url}/{first['task_id']}"), **first}["gold"] is None
    assert gold_of(api, first["task_id"])["actions"]
    for bad in ("?pack=none", "?split=none", "/none", "/test-0-00000000", "/x%2Fy"):
        api.problem("GET", url + bad, "not_found")
    api.problem("GET", "/domains/nowhere/tasks", "not_found")
    for bad in ("?limit=0", "?limit=1001", "?offset=-1", "?offset=x"):
        api.problem("GET", url + bad, "invalid_request")


def test_an_inline_task_is_played_like_a_listed_one(api: Api) -> None:
    """A listed task's own content, given inline, begins in the same state and scores its gold 1."""
    listed = api.begin(user=EXTERNAL, split="test", index=0)
    gold = gold_of(api, listed.info.task_id)
    task = {"instruction": "Do it.", "gold": gold}
    begun = api.begin(user=EXTERNAL, task=task)
    assert begun.state_hash == listed.state_hash
    assert begun.info.task_id.startswith("inline-")
    assert api.begin(user=EXTERNAL, task=task).info.task_id == begun.info.task_id
    assert play_gold(api, begun.episode_id, listed.info.task_id).reward == 1.0


def test_an_inline_task_may_change_the_base(api: Api) -> None:
    """An inline task adds or deletes rows for its own episodes only."""
    everything = api.get(f"/episodes/{api.begin().episode_id}/state", params={"everything": True})
    row = next(row for row in everything["rows"] if row["table"] == "orders")
    buyer = next(r["row"] for r in everything["rows"] if r["table"] == "users" and r["key"] == row["row"]["user_id"])
    kept = buyer | {"orders": [key for key in buyer["orders"] if key != row["key"]]}
    initial = {"orders": {row["key"]: None}, "users": {buyer["user_id"]: kept}}
    begun = api.begin(user=EXTERNAL, task=GOOD | {"initial": initial})
    state = api.get(f"/episodes/{begun.episode_id}/state", params={"everything": True})
    assert len(state["rows"]) == len(everything["rows"]) - 1
    assert state["deleted"] == [{"table": "orders", "key": row["key"]}]
    assert state["state_hash"] == begun.state_hash != everything["state_hash"]
    assert api.get(f"/episodes/{begun.episode_id}/diff")["rows"] == []
    same = {row["table"]: {row["key"]: row["row"]}}
    again = api.begin(user=EXTERNAL, task=GOOD | {"initial": same})
    assert again.state_hash == everything["state_hash"]


@pytest.mark.parametrize(
    "task",
    [
        {},
        {"instruction": "x"},
        {"gold": {}},
        GOOD | {"instruction": ""},
        GOOD | {"instruction": "x" * 20_001},
        GOOD | {"unknown": 1},
        GOOD | {"task_id": "test-0"},
        GOOD | {"basis": ["charm"]},
        GOOD | {"basis": []},
        GOOD | {"user": {"unknown_field": 1}},
        GOOD | {"user": "scripted"},
        GOOD | {"user": {"requests": [{"ask": "x", "until": {"name": "nope", "says": "a"}}]}},
        GOOD | {"basis": ["env_assertions"]},
        GOOD | {"gold": {"actions": [{"name": "no_such_tool"}]}},
        GOOD | {"gold": {"actions": [{"name": "think", "requestor": "user"}]}},
        GOOD | {"gold": {"actions": [{"name": "think", "url": "http://localhost"}]}},
        GOOD | {"gold": {"actions": [{"name": "think"}] * 101}},
        GOOD | {"gold": {"outputs": ["x"] * 101}},
        GOOD | {"gold": {"outputs": [1]}},
        GOOD | {"initial": {"no_such_table": {"a": None}}},
        GOOD | {"initial": {"orders": {"a": {"unknown": 1}}}},
        GOOD | {"initial": {"orders": []}},
        GOOD | {"env_assertions": [{"func": "os.system"}]},
    ],
    ids=lambda task: str(task)[:99],
)
def test_an_inline_task_that_does_not_resolve_is_refused(api: Api, task: dict[str, Any]) -> None:
    """A task may name only declared tools, tables, components and fields, within the size limits."""
    api.problem("POST", "/reset", "invalid_request", json={"domain": api.domain, "task": task})
    assert api.begin(user=EXTERNAL, task=GOOD).turn == 0


def test_an_inline_task_that_breaks_the_world_is_refused(api: Api) -> None:
    """A customer is deleted but their orders stay: the refusal names the first row that is wrong."""
    rows = api.get(f"/episodes/{api.begin().episode_id}/state", params={"everything": True})["rows"]
    buyer = next(row["row"]["user_id"] for row in rows if row["table"] == "orders")
    task = GOOD | {"initial": {"users": {buyer: None}}}
    problem = api.problem("POST", "/reset", "invalid_request", json={"domain": api.domain, "task": task})
    assert "is not listed by its user" in problem.detail


@pytest.mark.parametrize("error", [KeyError("m9"), IndexError("list index out of range"), ZeroDivisionError("by 0")])
def test_a_task_that_cannot_be_made_is_no_task_that_is_not_there(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A task whose generator fails is an error of the server that names the task; all other tasks are played."""
    before = api.get(f"/domains/{api.domain}/tasks/{api.begin().info.task_id}")

    def stumbling(*_: object) -> Task:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(GeneratedTasks, "task", stumbling)
        place = {"domain": api.domain, "split": "train", "index": 4_711_000}
        problem = api.problem("POST", "/reset", "internal", json=place)
        assert all(word in problem.detail for word in ("4711000", "'train'", "retail", type(error).__name__))
        api.problem("GET", f"/domains/{api.domain}/tasks/train-4711000-00000000", "internal")
        api.problem("POST", "/reset", "not_found", json=place | {"split": "best"})
        batch = api.post("/batch/reset", {"items": [place, {"domain": "airline", "split": "test", "index": 0}]})
    assert [result.get("code") for result in batch["results"]] == ["internal", None]
    assert api.get(f"/domains/{api.domain}/tasks/{before['task_id']}") == before


def test_an_inline_row_under_a_wrong_key_is_refused(api: Api) -> None:
    """A row must stand under its own key."""
    row = api.get(f"/episodes/{api.begin().episode_id}/state", params={"everything": True})["rows"][0]
    task = GOOD | {"initial": {row["table"]: {"another": row["row"]}}}
    api.problem("POST", "/reset", "invalid_request", json={"domain": api.domain, "task": task})


def test_health_and_metrics(api: Api) -> None:
    """The probes and the metrics of a supervisor answer."""
    assert api.get("/healthz") == {"status": "ok"}
    assert api.get("/readyz")["status"] == "ready"
    text = api.send("GET", "/metrics").text
    assert "env_server_live_episodes" in text


def test_another_token_can_be_had_for_an_episode(api: Api) -> None:
    """An episode gets another token by its id or as `latest`, also after its end; an unknown episode gets none."""
    begun = api.begin()
    for name in (begun.episode_id, "latest"):
        found = api.post(f"/episodes/{name}/token")
        assert (found["episode_id"], found["mcp_url"]) == (begun.episode_id, begun.mcp_url)
        assert api.app.state.tokens.episode_of(found["agent_token"], time()) == begun.episode_id
    api.post(f"/episodes/{begun.episode_id}/close")
    assert api.post(f"/episodes/{begun.episode_id}/token")["episode_id"] == begun.episode_id
    api.problem("POST", "/episodes/ep_aaaaaaaaaaaaaaaa/token", "episode_not_found")
