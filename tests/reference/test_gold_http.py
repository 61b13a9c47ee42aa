"""The public benchmarks' tasks over the API: recorded observations, and rewards for gold and for less."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.domains.kit import Component
from tests.api.conftest import served
from tests.api.talk import Api
from tests.reference import vectors
from tests.reference.vectors import player, records, text, text_counts

pytestmark = pytest.mark.reference

Json = dict[str, Any]

SPLITS = [
    ("retail", "tau1", "train"),
    ("retail", "tau1", "dev"),
    ("retail", "tau2", "train"),
    ("airline", "tau2", "train"),
]
each_split = pytest.mark.parametrize(("domain", "pack", "split"), SPLITS)
each_telecom = pytest.mark.parametrize("split", ["train", "small"])
each_kind = pytest.mark.parametrize("kind", ["gold", "negative"])
LIMITS = {"max_turns": 1000, "max_calls": 10_000, "max_errors": 10_000}
EXTERNAL = {"strategy": "external", "first_message": "Hello."}
SOLO = {"strategy": "none"}
COMPONENTS = {"ENV_ASSERTION": "env_assertions", "ACTION": "actions"}
"""Upstream's names of telecom's components, and ours. No task there has the state in its basis."""


@pytest.fixture(scope="module")
def api(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server with the benchmarks' packs."""
    folder = tmp_path_factory.mktemp("reference")
    for client in served(folder, tau2_dir=vectors.DIRECTORY / "tau2", tau1_dir=vectors.DIRECTORY / "tau1"):
        yield Api(client)


def played(api: Api, domain: str, pack: str, recorded: list[Json]) -> Iterator[tuple[Json, list[str], Any]]:
    """Each record with the answers of its calls over the API, one per turn, and the last reply."""
    resets = [
        {"domain": domain, "pack": pack, "task_id": record["task_id"], "user": EXTERNAL, **LIMITS}
        for record in recorded
    ]
    begun = api.post("/batch/reset", {"items": resets})["results"]
    ids = [reply["episode_id"] for reply in begun]
    seen: dict[str, list[str]] = {episode: [] for episode in ids}
    last: dict[str, Any] = {}
    for turn in range(1, max(len(record["calls"]) for record in recorded) + 1):
        items = [
            {"episode_id": episode, "turn": turn, "action": {"tool_calls": [call]}}
            for episode, record in zip(ids, recorded, strict=True)
            if turn <= len(record["calls"]) and not last.get(episode, {}).get("done")
            for call in [named(record["calls"][turn - 1])]
        ]
        for reply in api.post("/batch/step", {"items": items})["results"]:
            last[reply["episode_id"]] = reply
            seen[reply["episode_id"]].append(reply["observation"][0]["content"])
    for episode, record in zip(ids, recorded, strict=True):
        if not last.get(episode, {}).get("done"):
            api.step(episode, "That is all.")
            last[episode] = api.say(episode, "###STOP###").model_dump(mode="json")
        yield record, seen[episode], last[episode]


def chunks(domain: str, pack: str, name: str, size: int = 200) -> Iterator[list[Json]]:
    """The records of a file, in portions."""
    found = list(records(pack, domain, name))
    yield from (found[at : at + size] for at in range(0, len(found), size))


def named(call: Json) -> Json:
    """A recorded call as it is sent."""
    return {"name": call["name"], "arguments": call["arguments"]}


def begin_telecom(api: Api, task_id: str, user: Json) -> Any:
    """Begin a telecom episode."""
    return api.begin(domain="telecom", pack="tau2", task_id=task_id, user=user, **LIMITS)


def play_alone(api: Api, episode: str, calls: list[Json]) -> tuple[list[str], Any]:
    """The answers to both sides' calls, all made by the agent, and the last reply."""
    seen = [str(api.calls(episode, named(call)).observation[0].content) for call in calls]
    return seen, api.calls(episode, {"name": "done", "arguments": {}})


def play_both(api: Api, episode: str, calls: list[Json]) -> tuple[list[str], Any]:
    """The answers to both sides' calls, each made by its own side, and the last reply.

    The agent has to speak before the user can act, and the user has to answer before the agent can go on.
    """
    seen, awaited = [], False
    for call in calls:
        if call["requestor"] == "user":
            if not awaited:
                awaited = api.step(episode, "Please do that.").info.awaiting_user
            reply = api.post(f"/episodes/{episode}/user", {"tool_calls": [named(call)]})
            assert reply["info"]["awaiting_user"]
            seen.append(reply["info"]["user_observation"][0]["content"])
        else:
            if awaited:
                awaited = api.say(episode, "Done.").info.awaiting_user
            seen.append(str(api.calls(episode, named(call)).observation[0].content))
    if not awaited:
        api.step(episode, "That is all.")
    return seen, api.say(episode, "###STOP###")


@each_split
def test_gold_is_answered_as_recorded_and_scores_one(api: Api, domain: str, pack: str, split: str) -> None:
    """Every observation is the recorded one, up to the call that ends the episode, and the state counts as gold's."""
    for chunk in chunks(domain, pack, f"gold_{split}"):
        for record, seen, last in played(api, domain, pack, chunk):
            calls = record["calls"][: len(seen)]
            assert len(seen) == len(record["calls"]) or last["stop_reason"] == "transfer", record["task_id"]
            for call, observation in zip(calls, seen, strict=True):
                assert observation == call["observation"] or not text_counts(call), (record["task_id"], call)
            assert last["info"]["reward_breakdown"]["state"]["value"] == 1.0, record["task_id"]


@each_split
def test_less_than_gold_scores_zero(api: Api, domain: str, pack: str, split: str) -> None:
    """A gold with one write dropped or altered ends in another state."""
    for chunk in chunks(domain, pack, f"negative_{split}"):
        for record, _, last in played(api, domain, pack, chunk):
            assert last["info"]["reward_breakdown"]["state"]["value"] == 0.0, record["task_id"]
            assert last["reward"] == 0.0


def check(record: Json, seen: list[str], last: Any) -> None:
    """Compare a whole telecom episode with its record: texts, components and reward."""
    task_id, recorded = record["task_id"], record["evaluation"]
    assert seen == [call["observation"] for call in record["calls"]], task_id
    assert last.reward == recorded["reward"], task_id
    values = {name: part["value"] for name, part in last.info.reward_breakdown.items()}
    assert values == {COMPONENTS[n]: recorded["components"][n] for n in recorded["reward_basis"]}, task_id
    failed = last.info.reward_breakdown[Component.ENV_ASSERTIONS]["failed"]
    assert len(failed) == recorded["env_assertions"].count(False), task_id


@each_telecom
@each_kind
def test_both_sides_of_telecom_are_answered_and_scored_as_recorded(api: Api, kind: str, split: str) -> None:
    """Agent and user each make their own recorded calls, with the recorded outcome."""
    for record in records("tau2", "telecom", f"{kind}_{split}"):
        check(record, *play_both(api, begin_telecom(api, record["task_id"], EXTERNAL).episode_id, record["calls"]))


@each_telecom
@each_kind
def test_an_agent_alone_is_answered_and_scored_as_recorded(api: Api, kind: str, split: str) -> None:
    """Without a user the agent makes all recorded calls itself and ends by `done`, with the recorded outcome."""
    for record in records("tau2", "telecom", f"{kind}_{split}"):
        episode = begin_telecom(api, record["task_id"], SOLO).episode_id
        seen, last = play_alone(api, episode, record["calls"])
        assert last.stop_reason == "completed"
        check(record, seen, last)


def test_an_agent_alone_reads_the_ticket_and_its_own_policy(api: Api, reference: Path) -> None:
    """The agent sees the solo policy, the task's ticket, and both sides' tools with `done` at the end."""
    task = json.loads((reference / "tau2" / "telecom" / "tasks.json").read_text(encoding="utf-8"))[0]
    begun = begin_telecom(api, task["id"], SOLO)
    system, first = begun.observation
    assert (first.role, first.content) == ("user", task["ticket"])
    for part in ("main_policy_solo.md", "tech_support_manual.md"):
        assert (reference / "tau2" / "telecom" / part).read_text(encoding="utf-8").strip() in str(system.content)
    assert (reference / "tau2" / "telecom" / "main_policy.md").read_text(encoding="utf-8") not in str(system.content)
    recorded = json.loads((reference / "tools" / "tau2_telecom.json").read_text(encoding="utf-8"))
    names = [tool["name"] for tool in sorted(recorded, key=lambda tool: tool["requestor"])]
    assert [tool["function"]["name"] for tool in begun.model_dump(mode="json")["tools"]] == [*names, "done"]


@each_telecom
def test_telecom_begins_as_its_task_was_set_up(api: Api, split: str) -> None:
    """At turn 0 the changed rows are the recorded ones; doing nothing from there scores as recorded."""
    base = player(domains()["telecom"], "tau2").pack.snapshot.tables
    for record in records("tau2", "telecom", f"gold_{split}"):
        episode = begin_telecom(api, record["task_id"], EXTERNAL).episode_id
        begun = api.get(f"/episodes/{episode}/state?turn=0")
        rows: dict[str, Json] = {}
        for row in begun["rows"]:
            if text(row["row"]) != text(base[row["table"]].rows.get(row["key"])):
                shown = {k: v for k, v in row["row"].items() if (row["table"], k) != ("user", "part")}
                rows.setdefault(row["table"], {})[row["key"]] = shown
        assert begun["deleted"] == []
        assert text(rows) == text(record["init_changed_rows"]), record["task_id"]
        _, last = play_both(api, episode, [])
        assert api.get(f"/episodes/{episode}/diff?since=0")["rows"] == []
        assert last.reward == record["evaluation_no_calls"]["reward"], record["task_id"]


@pytest.mark.parametrize(("domain", "pack"), sorted({split[:2] for split in SPLITS} | {("telecom", "tau2")}))
def test_a_reset_shows_the_benchmarks_tools(api: Api, domain: str, pack: str) -> None:
    """The agent gets exactly the benchmark's tools in their order, and so does a user who has any."""
    recorded = json.loads((vectors.DIRECTORY / "tools" / f"{pack}_{domain}.json").read_text(encoding="utf-8"))
    known = player(domains()[domain], pack).pack
    begun = api.begin(domain=domain, pack=pack, split="train", index=0, user=EXTERNAL).model_dump(mode="json")
    shown = {"agent": begun["tools"], "user": begun["info"].get("user_tools") or []}
    for side, schemas in shown.items():
        names = [tool["name"] for tool in recorded if tool.get("requestor", "agent") == side]
        assert [schema["function"]["name"] for schema in schemas] == names
    assert shown == {"agent": known.schemas, "user": known.user_schemas}
