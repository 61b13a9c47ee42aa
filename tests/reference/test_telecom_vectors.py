"""Telecom's tools, set-up functions and assertions, compared with recorded answers of the public benchmark."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

from env_server.domains.kit import Component, EnvAssertion, ToolError
from env_server.domains.pack import Pack
from env_server.domains.telecom import domain
from env_server.domains.telecom.sync import sync
from env_server.rewards import match_call
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.reference.vectors import player, records, text, text_counts

pytestmark = pytest.mark.reference

Side = Literal["agent", "user"]
SIDES: dict[str, Side] = {"assistant": "agent", "agent": "agent", "user": "user"}
GOLD = ["gold_train", "gold_small"]
NEGATIVE = ["negative_train", "negative_small"]

Record = dict[str, Any]


def pack() -> Pack:
    """The public pack."""
    return player(domain, "tau2").pack


def tools(side: Side) -> dict[str, Any]:
    """A side's tools by name."""
    return dict(pack().agent_tools if side == "agent" else pack().user_tools)


@cache
def toolset(side: Side, *, syncs: bool = True) -> Toolset:
    """A side's tools, with or without the follow-ups of each call."""
    return Toolset(tools(side), pack().dialect, domain.after_call if syncs else None)


@cache
def begun(task_id: str) -> State:
    """The state in which a task begins; fork it before playing."""
    return State.at(pack().snapshot, pack().find(task_id).changes())


@dataclass
class Play:
    """Calls played on a state, and the gold calls that they matched."""

    state: State
    task_id: str = ""
    syncs: bool = True
    matched: list[int] = field(default_factory=list)

    @property
    def db(self) -> Db[Any]:
        """The tables."""
        return Db(self.state, pack().dialect)

    def function(self, call: Record) -> Callable[..., Any]:
        """The set-up function, assertion or tool that a step names."""
        side, name = SIDES[call["env_type"]], call["func_name"]
        found: Callable[..., Any] = {**tools(side), **domain.setups[side], **domain.assertions[side]}[name]
        return found

    def rows(self) -> dict[tuple[str, str], str]:
        """All rows as upstream has them, as JSON text."""
        hidden = {"user": "part"}
        return {
            (c.table, c.key): text({k: v for k, v in (c.row or {}).items() if k != hidden.get(c.table)})
            for c in self.state.dump()
        }

    def call(self, call: Record) -> tuple[str, bool]:
        """The answer of a call, and whether it failed."""
        side = SIDES[call["requestor"]]
        outcome = toolset(side, syncs=self.syncs).call(self.db, call["name"], call["arguments"])
        if self.task_id and outcome.fault is None:
            gold = pack().find(self.task_id).gold.actions
            self.matched += match_call(gold, outcome.name, outcome.arguments, pack().dialect, self.matched, side)
        return outcome.text, outcome.fault is not None

    def step(self, step: Record) -> tuple[Any, str | None]:
        """The result of a set-up function or assertion, or its error."""
        back = self.state.savepoint()
        try:
            result = self.function(step)(self.db, **step["arguments"])
            sync(self.db)
        except ToolError as e:
            back()
            return None, str(e)
        return result, None

    def holds(self, assertions: Iterable[EnvAssertion]) -> list[bool]:
        """Which assertions hold."""
        return [domain.assertions[a.requestor][a.name](self.db, **a.arguments) == a.expected for a in assertions]


def need(play: Play, call: Record, where: object) -> None:
    """Play a recorded call; it must have the recorded outcome, and change nothing if it fails."""
    before = play.state.hash
    if "name" in call:
        told, failed = play.call(call)
        assert failed == call["error"], (where, told)
        assert told == call["observation"] or not text_counts(call), where
    else:
        result, error = play.step(call)
        failed = error is not None
        assert failed == (call["error"] is not None), (where, error)
        assert error == call["error"] or call["error_kind"] != "tool", where
        assert text(result) == text(call["result"]), where
    if failed:
        assert play.state.hash == before, where


def played(record: Record) -> tuple[Play, bool]:
    """Play all calls of a record. Return False if the reference left one of them half done, which ends the record."""
    play = Play(begun(record.get("init_task_id") or record["task_id"]).fork())
    for at, call in enumerate(record["calls"]):
        if call.get("partial_write"):
            return play, False
        need(play, call, (record.get("id") or record["task_id"], at, call))
    return play, True


def changed(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> dict[str, dict[str, Any]]:
    """Changed rows in the shape of the recordings."""
    found: dict[str, dict[str, Any]] = {}
    for table, key in sorted(before.keys() | after.keys()):
        row = after.get((table, key))
        if row != before.get((table, key)):
            found.setdefault(table, {})[key] = None if row is None else json.loads(row)
    return found


def test_public_data_is_complete(reference: Path) -> None:
    """Fields that the data leave unset are as in upstream's models, so that changing one field changes no other."""
    device = pack().snapshot.tables["user"].rows["device"]
    assert (device["wifi_ssid"], device["vpn_details"]) == (None, None)
    assert device["active_apn_settings"]["reset_at_reboot"] is False


@pytest.mark.parametrize("name", GOLD)
def test_set_up(reference: Path, name: str) -> None:
    """Each task's set-up leaves exactly the recorded rows, and its assertions have the recorded results."""
    for record in records("tau2", "telecom", name):
        start = Play(begun(record["task_id"]).fork())
        before = Play(State.at(pack().snapshot)).rows()
        assert text(changed(before, start.rows())) == text(record["init_changed_rows"]), record["task_id"]
        asserted = pack().find(record["task_id"]).env_assertions
        assert start.holds(asserted) == [a["met"] for a in record["env_assertions_init"]], record["task_id"]


@pytest.mark.parametrize("name", GOLD)
def test_gold(reference: Path, name: str) -> None:
    """Every gold call of every task answers as recorded and leaves exactly the recorded rows."""
    for record in records("tau2", "telecom", name):
        play, _ = played(record)
        start = Play(begun(record["task_id"])).rows()
        assert text(changed(start, play.rows())) == text(record["changed_rows"]), record["task_id"]
        asserted = pack().find(record["task_id"]).env_assertions
        assert play.holds(asserted) == [a["met"] for a in record["env_assertions_gold"]], record["task_id"]


@pytest.mark.parametrize("name", [*GOLD, *NEGATIVE])
def test_evaluation(reference: Path, name: str) -> None:
    """State, assertions and matched gold calls are as upstream's evaluators found, also for less than gold."""
    for record in records("tau2", "telecom", name):
        check_evaluation(record["task_id"], record["calls"], record["evaluation"])
        if "evaluation_no_calls" in record:
            check_evaluation(record["task_id"], [], record["evaluation_no_calls"])


def check_evaluation(task_id: str, calls: Iterable[Record], recorded: Record) -> None:
    """Play `calls` with synchronising, and gold without (as upstream does), and compare the results."""
    task = pack().find(task_id)
    play, ideal = Play(begun(task_id).fork(), task_id), Play(begun(task_id).fork(), syncs=False)
    for call in calls:
        play.call(call)
    for gold in task.gold.actions:
        ideal.call(gold.model_dump())
    held = play.holds(task.env_assertions)
    done = [i in play.matched for i in range(len(task.gold.actions))]
    parts = {"DB": play.rows() == ideal.rows(), "ENV_ASSERTION": all(held), "ACTION": all(done)}
    assert held == recorded["env_assertions"], task_id
    assert done == recorded["actions"], task_id
    assert {name: float(worth) for name, worth in parts.items()} == recorded["components"], task_id
    assert float(all(parts[name] for name in recorded["reward_basis"])) == recorded["reward"], task_id


@pytest.mark.parametrize("name", ["fuzz", "envfunc"])
def test_fuzz(reference: Path, name: str) -> None:
    """Random calls, set-ups and assertions have the recorded outcomes and leave exactly the recorded rows."""
    for record in records("tau2", "telecom", name):
        play, whole = played(record)
        if whole:
            start = Play(begun(record["init_task_id"])).rows()
            assert text(changed(start, play.rows())) == text(record["changed_rows"]), record["id"]


def test_malformed(reference: Path) -> None:
    """No malformed call crashes; errors stay errors and change nothing; what succeeds answers as recorded."""
    for record in records("tau2", "telecom", "malformed"):
        played(record)


def plain(schema: Any) -> Any:
    """A schema without descriptions."""
    if isinstance(schema, dict):
        return {k: plain(v) for k, v in schema.items() if k != "description"}
    return [plain(v) for v in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("side", ["agent", "user"])
def test_tool_list(reference: Path, side: Side) -> None:
    """The tools, their order, their parameters, which of these are required, and which tools write are upstream's."""
    recorded = json.loads((reference / "tools" / "tau2_telecom.json").read_text(encoding="utf-8"))
    own = [tool for tool in recorded if tool["requestor"] == side]
    assert list(tools(side)) == [tool["name"] for tool in own]
    for wanted in own:
        tool = tools(side)[wanted["name"]]
        schema = pack().schema(tool)["function"]["parameters"]
        params = {name: {k: v for k, v in p.items() if k != "required"} for name, p in wanted["params"].items()}
        assert list(schema["properties"]) == list(params)
        assert plain(schema["properties"]) == params, tool.name
        assert schema["required"] == [name for name, p in wanted["params"].items() if p["required"]]
        assert plain(schema.get("$defs")) == wanted.get("$defs"), tool.name
        assert (tool.kind == "write") == wanted["mutates_state"], tool.name


def test_tasks(reference: Path) -> None:
    """Tasks keep upstream's ids, splits, gold and assertions; texts are upstream's word for word."""
    listed = json.loads((reference / "tau2" / "telecom" / "tasks.json").read_text(encoding="utf-8"))
    recorded = {task["id"]: task for task in listed}
    assert sum(pack().splits.values()) == len(recorded)
    for split, size in pack().splits.items():
        for task in (pack().task_at(split, i) for i in range(size)):
            public = recorded[task.task_id]
            criteria = public["evaluation_criteria"]
            assert (task.split, task.ticket) == (split, public["ticket"])
            assert [(c.requestor, c.name, c.arguments, c.compare) for c in task.gold.actions] == [
                (SIDES[a["requestor"]], a["name"], a["arguments"], compared(a)) for a in criteria["actions"]
            ]
            assert [(a.requestor, a.name, a.arguments, a.expected) for a in task.env_assertions] == [
                (SIDES[a["env_type"]], a["func_name"], a["arguments"], a["assert_value"])
                for a in criteria["env_assertions"]
            ]
            assert (Component.ACTIONS in task.basis) == ("ACTION" in criteria["reward_basis"])
            told = public["user_scenario"]["instructions"]
            assert all(part in task.instruction for name, part in told.items() if part and name != "domain")


def compared(action: Record) -> tuple[str, ...] | None:
    """The arguments of a gold call that are compared."""
    return tuple(action["compare_args"]) if action["compare_args"] is not None else None
