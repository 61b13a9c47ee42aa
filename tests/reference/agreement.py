"""The agreement of a domain's tools with the recordings: one check for each kind of file, for every domain."""

import json
from typing import Any

from env_server.domains.kit import Component
from tests.reference import vectors
from tests.reference.vectors import Player, records

Json = dict[str, Any]


def gold(playing: Player, name: str) -> None:
    """Every gold call of every task answers as recorded and leaves exactly the recorded rows."""
    for record in records(playing.pack.name, playing.pack.domain.name, name):
        db = playing.play(record)
        assert playing.changed(db) == playing.recorded(record["changed_rows"]), record["task_id"]
        assert (db.state.hash != playing.fresh().state.hash) == record["state_changing"], record["task_id"]


def negative(playing: Player, name: str) -> None:
    """A gold with one write dropped or altered ends in another state than the task's own gold."""
    for record in records(playing.pack.name, playing.pack.domain.name, name):
        task = playing.pack.find(record["task_id"])
        ends = playing.fresh()
        for call in task.gold.actions:
            playing.call(ends, call.model_dump())
        assert playing.play(record).state.hash != ends.state.hash, record["task_id"]


def fuzz(playing: Player) -> None:
    """Random well-formed calls are answered as recorded, errors included, and leave exactly the recorded rows."""
    for record in records(playing.pack.name, playing.pack.domain.name, "fuzz"):
        db = playing.play(record)
        if not any(call.get("partial_write") for call in record["calls"]):
            assert playing.changed(db) == playing.recorded(record["changed_rows"]), record["id"]


def malformed(playing: Player) -> None:
    """No malformed call crashes; errors stay errors and change nothing; what succeeds answers as recorded."""
    for record in records(playing.pack.name, playing.pack.domain.name, "malformed"):
        playing.play(record | {"calls": [_lenient(call) for call in record["calls"]]})


def tool_list(playing: Player) -> None:
    """The tools, their order, their parameters and which of these are required are the benchmark's."""
    recorded = _tools(playing)
    functions = [schema["function"] for schema in playing.pack.schemas]
    assert [f["name"] for f in functions] == [tool["name"] for tool in recorded]
    for function, tool in zip(functions, recorded, strict=True):
        parameters = function["parameters"]
        wanted = {name: {k: v for k, v in schema.items() if k != "required"} for name, schema in tool["params"].items()}
        assert list(parameters["properties"]) == list(wanted)
        assert {name: _bare(schema) for name, schema in parameters["properties"].items()} == wanted, function["name"]
        assert parameters["required"] == [name for name, schema in tool["params"].items() if schema["required"]]
        told = {name: _bare(schema) for name, schema in parameters.get("$defs", {}).items()}
        assert told == tool.get("$defs", {}), function["name"]


def reads_and_writes(playing: Player) -> None:
    """A tool may write exactly if it changes state in the benchmark."""
    writes = {name for name, tool in playing.pack.agent_tools.items() if tool.kind == "write"}
    assert writes == {tool["name"] for tool in _tools(playing) if tool["mutates_state"]}


def tau2_tasks(playing: Player) -> None:
    """Tasks keep upstream's ids, split, gold and judged statements; texts are upstream's word for word."""
    pack = playing.pack
    path = vectors.DIRECTORY / "tau2" / pack.domain.name / "tasks.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert pack.splits == {"train": len(recorded)}
    for index, obj in enumerate(recorded):
        task = pack.task_at("train", index)
        criteria = obj["evaluation_criteria"]
        assert (task.task_id, task.split, task.pack) == (obj["id"], "train", "tau2")
        assert pack.find(obj["id"]) == task
        assert [(c.name, c.arguments) for c in task.gold.actions] == [
            (a["name"], a["arguments"]) for a in criteria["actions"] or ()
        ]
        assert task.gold.outputs == tuple(criteria["communicate_info"] or ())
        assert task.assertions == tuple(criteria["nl_assertions"] or ())
        assert (Component.NL_ASSERTIONS in task.basis) == ("NL_ASSERTION" in criteria["reward_basis"])
        told = obj["user_scenario"]["instructions"]
        assert all(part in task.instruction for name, part in told.items() if part and name != "domain")


def _tools(playing: Player) -> list[Json]:
    """The benchmark's tools as recorded."""
    path = vectors.DIRECTORY / "tools" / f"{playing.pack.name}_{playing.pack.domain.name}.json"
    listed: list[Json] = json.loads(path.read_text(encoding="utf-8"))
    return listed


def _lenient(call: Json) -> Json:
    """A malformed call: the failed check, and so the text, differs between implementations."""
    return call | {"error_kind": "python"} if call["error_kind"] == "tool" else call


def _bare(schema: Any) -> Any:
    """A schema without descriptions, which differ between implementations."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {k: _bare(v) for k, v in schema.items() if not (k == "description" and isinstance(v, str))}
