"""The public benchmarks' tasks played over the API: recorded observations, and rewards for gold and for less."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import served
from tests.api.talk import Api
from tests.reference import vectors
from tests.reference.vectors import records, text_counts

pytestmark = pytest.mark.reference

SPLITS = [
    ("retail", "tau1", "train"),
    ("retail", "tau1", "dev"),
    ("retail", "tau2", "train"),
    ("airline", "tau2", "train"),
]
each_split = pytest.mark.parametrize(("domain", "pack", "split"), SPLITS)
LIMITS = {"max_turns": 1000, "max_calls": 10_000, "max_errors": 10_000}
EXTERNAL = {"strategy": "external", "first_message": "Hello."}


@pytest.fixture(scope="module")
def api(reference: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server with the benchmarks' packs."""
    folder = tmp_path_factory.mktemp("reference")
    for client in served(folder, tau2_dir=vectors.DIRECTORY / "tau2", tau1_dir=vectors.DIRECTORY / "tau1"):
        yield Api(client)


def played(
    api: Api, domain: str, pack: str, recorded: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], list[str], Any]]:
    """Each record with what its calls, one per turn, were answered over the API, and its last reply."""
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
            for call in [{k: record["calls"][turn - 1][k] for k in ("name", "arguments")}]
        ]
        for reply in api.post("/batch/step", {"items": items})["results"]:
            last[reply["episode_id"]] = reply
            seen[reply["episode_id"]].append(reply["observation"][0]["content"])
    for episode, record in zip(ids, recorded, strict=True):
        if not last.get(episode, {}).get("done"):
            api.step(episode, "That is all.")
            last[episode] = api.say(episode, "###STOP###").model_dump(mode="json")
        yield record, seen[episode], last[episode]


def chunks(domain: str, pack: str, name: str, size: int = 200) -> Iterator[list[dict[str, Any]]]:
    """The records of a file, some at a time."""
    found = list(records(pack, domain, name))
    yield from (found[at : at + size] for at in range(0, len(found), size))


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
