"""Retail's tools, held against what the public benchmarks' own implementations answered."""

import json
from pathlib import Path
from typing import Any

import pytest

from env_server.domains.kit import Component
from env_server.domains.pack import Pack
from env_server.domains.packs import PUBLIC
from env_server.domains.retail import domain
from tests.reference.vectors import Player, changed_rows, records, text

pytestmark = pytest.mark.reference

LOADED: dict[str, Pack] = {}
GOLD = [("tau1", "gold_train"), ("tau1", "gold_dev"), ("tau2", "gold_train")]
NEGATIVE = [("tau1", "negative_train"), ("tau1", "negative_dev"), ("tau2", "negative_train")]
VERSIONS = ["tau1", "tau2"]


def player(version: str, reference: Path) -> Player:
    """A player of the pack, which is loaded once."""
    if version not in LOADED:
        LOADED[version] = PUBLIC[version].load(domain, reference / version)
    return Player(LOADED[version])


def upstream(pack: Pack, rows: dict[str, dict[str, Any]]) -> str:
    """Changed rows as upstream stores them: v1 keeps a user's id outside the row."""
    hidden = set() if pack.dialect.shows_user_id else {"user_id"}  # type: ignore[attr-defined]  # retail's dialect
    kept = dict(rows)
    if users := kept.get("users"):
        kept["users"] = {key: {k: v for k, v in row.items() if k not in hidden} for key, row in users.items()}
    return text(kept)


def lenient(call: dict[str, Any]) -> dict[str, Any]:
    """A malformed call: which check it fails at first, and so the text, is each implementation's own."""
    return call | {"error_kind": "python"} if call["error_kind"] == "tool" else call


@pytest.mark.parametrize(("version", "name"), GOLD)
def test_gold(reference: Path, version: str, name: str) -> None:
    """Every gold call of every task answers as recorded and leaves exactly the recorded rows."""
    playing = player(version, reference)
    for record in records(version, "retail", name):
        db = playing.play(record)
        assert upstream(playing.pack, changed_rows(db)) == text(record["changed_rows"]), record["task_id"]
        assert (db.state.hash != playing.fresh().state.hash) == record["state_changing"], record["task_id"]


@pytest.mark.parametrize(("version", "name"), NEGATIVE)
def test_negative(reference: Path, version: str, name: str) -> None:
    """A gold with one write dropped or altered ends in another state than the task's own gold."""
    playing = player(version, reference)
    for record in records(version, "retail", name):
        task = playing.pack.find(record["task_id"])
        gold = playing.fresh()
        for call in task.gold.actions:
            playing.call(gold, call.model_dump())
        assert playing.play(record).state.hash != gold.state.hash, record["task_id"]


@pytest.mark.parametrize("version", VERSIONS)
def test_fuzz(reference: Path, version: str) -> None:
    """Well-shaped calls at random answer as recorded, errors included, and leave exactly the recorded rows."""
    playing = player(version, reference)
    for record in records(version, "retail", "fuzz"):
        assert not any(call.get("partial_write") for call in record["calls"])
        db = playing.play(record)
        assert upstream(playing.pack, changed_rows(db)) == text(record["changed_rows"]), record["id"]


@pytest.mark.parametrize("version", VERSIONS)
def test_malformed(reference: Path, version: str) -> None:
    """No malformed call crashes; errors stay errors and change nothing; what succeeds answers as recorded."""
    playing = player(version, reference)
    for record in records(version, "retail", "malformed"):
        playing.play(record | {"calls": [lenient(call) for call in record["calls"]]})


@pytest.mark.parametrize("version", VERSIONS)
def test_tool_list(reference: Path, version: str) -> None:
    """The tools, their order, their parameters and which of these are required are the benchmark's."""
    recorded = json.loads((reference / "tools" / f"{version}_retail.json").read_text(encoding="utf-8"))
    functions = [schema["function"] for schema in player(version, reference).pack.schemas]
    assert [f["name"] for f in functions] == [tool["name"] for tool in recorded]
    for function, tool in zip(functions, recorded, strict=True):
        parameters = function["parameters"]
        required = [name for name, schema in tool["params"].items() if schema["required"]]
        told = {
            name: {k: v for k, v in schema.items() if k != "description"}
            for name, schema in parameters["properties"].items()
        }
        wanted = {name: {k: v for k, v in schema.items() if k != "required"} for name, schema in tool["params"].items()}
        assert list(told) == list(wanted)
        assert told == wanted, function["name"]
        assert parameters["required"] == required


@pytest.mark.parametrize("version", VERSIONS)
def test_reads_and_writes(reference: Path, version: str) -> None:
    """A tool may write here where it changes state in the benchmark, and nowhere else."""
    recorded = json.loads((reference / "tools" / f"{version}_retail.json").read_text(encoding="utf-8"))
    writes = {name for name, tool in player(version, reference).pack.agent_tools.items() if tool.kind == "write"}
    assert writes == {tool["name"] for tool in recorded if tool["mutates_state"]}


def test_tau2_tasks(reference: Path) -> None:
    """Tasks keep upstream's ids, split, gold and judged statements; texts are upstream's word for word."""
    pack = player("tau2", reference).pack
    recorded = json.loads((reference / "tau2" / "retail" / "tasks.json").read_text(encoding="utf-8"))
    assert pack.splits == {"train": len(recorded)}
    for index, obj in enumerate(recorded):
        task = pack.task_at("train", index)
        criteria = obj["evaluation_criteria"]
        assert (task.task_id, task.split, task.pack) == (obj["id"], "train", "tau2")
        assert pack.find(obj["id"]) == task
        assert [(c.name, c.arguments) for c in task.gold.actions] == [
            (a["name"], a["arguments"]) for a in criteria["actions"]
        ]
        assert task.assertions == tuple(criteria["nl_assertions"] or ())
        assert (Component.NL_ASSERTIONS in task.basis) == ("NL_ASSERTION" in criteria["reward_basis"])
        told = obj["user_scenario"]["instructions"]
        assert all(part in task.instruction for name, part in told.items() if part and name != "domain")


def test_tau1_tasks(reference: Path) -> None:
    """Tasks keep the reference's ids, instruction and gold."""
    pack = player("tau1", reference).pack
    for split in ("train", "dev"):
        recorded = json.loads((reference / "tau1" / "retail" / f"tasks_{split}.json").read_text(encoding="utf-8"))
        assert pack.splits[split] == len(recorded)
        for index, obj in enumerate(recorded):
            task = pack.task_at(split, index)
            assert (task.task_id, task.split, task.instruction) == (obj["id"], split, obj["instruction"])
            assert [c.model_dump(include={"name", "arguments"}) for c in task.gold.actions] == obj["actions"]
            assert task.gold.outputs == tuple(obj["outputs"])
