"""What every domain must hold to, whoever wrote it."""

import hashlib
import json
import re
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from env_server.domains.kit import Component, GoldCall, Task
from env_server.state import State
from tests.contract.acts import NAMES, Stage

ROOT = Path(__file__).parents[2]
SAMPLE = 200
AMOUNT = re.compile(r"\d+(\.\d+)?")

stage = cache(Stage)
each_domain = pytest.mark.parametrize("domain", NAMES)


def all_said(task: Task) -> range:
    """Every output was told."""
    return range(len(task.gold.outputs))


def test_there_are_domains() -> None:
    """Discovery finds some, or the tests below would test nothing."""
    assert NAMES


@each_domain
def test_gold_scores_one(domain: str) -> None:
    """Gold's calls succeed, in order, and with the outputs said the reward is 1."""
    on = stage(domain)
    for task in on.tasks(SAMPLE):
        assert on.gold(task).errors == (), task.task_id
        assert on.result(task, task.gold.actions, all_said(task)).reward == 1.0, task.task_id


@each_domain
def test_doing_nothing_scores_zero(domain: str) -> None:
    """An agent that only talks, whatever it says short of the outputs, earns nothing."""
    on = stage(domain)
    for task in on.tasks(SAMPLE):
        assert on.result(task, ()).reward == 0.0, task.task_id


@each_domain
def test_transferring_at_once_scores_zero(domain: str) -> None:
    """Handing over without a look is never the answer; where it is, gold looks first."""
    on = stage(domain)
    for task in on.tasks(SAMPLE):
        for name in on.transfers:
            handover = GoldCall(name=name, arguments={"summary": "x"})
            assert on.result(task, [handover]).reward == 0.0, task.task_id


@each_domain
def test_a_dropped_write_scores_zero(domain: str) -> None:
    """Each of gold's writes is needed: without it the state is another, though all else is done and said."""
    on, tried = stage(domain), 0
    for task in on.tasks(SAMPLE):
        calls = task.gold.actions
        for i in (i for i, call in enumerate(calls) if on.writes(call)):
            reward = on.result(task, [*calls[:i], *calls[i + 1 :]], all_said(task)).reward
            assert reward == 0.0, (task.task_id, calls[i].name)
            tried += 1
    assert tried


@each_domain
def test_the_writes_alone_are_enough_for_plain_changes_only(domain: str) -> None:
    """Where something has to be refused or told, guessing it is no solution: the look-ups behind it are needed too."""
    on, tried = stage(domain), 0
    for task in on.tasks(SAMPLE):
        writes = [call for call in task.gold.actions if on.writes(call)]
        if task.basis != (Component.STATE,):
            assert on.result(task, writes, all_said(task)).reward == 0.0, task.task_id
            tried += 1
    assert tried


@each_domain
def test_a_table_of_all_numbers_says_none_of_them(domain: str) -> None:
    """Nobody is told a value by a message that holds every value, however it is laid out."""
    on, tried = stage(domain), 0
    rest = [f"{n / 4:.2f}" for n in range(400)]
    for task in on.tasks(SAMPLE):
        amounts = [output for output in task.gold.outputs if AMOUNT.fullmatch(output)]
        for between in ("\n", " ", ", ", " | "):
            said = on.told(task, between.join([*amounts, *rest, *amounts]))
            assert not {task.gold.outputs[i] for i in said} & set(amounts), task.task_id
        tried += len(amounts)
    assert tried


@each_domain
@pytest.mark.parametrize("form", ["-${}", "$-{}", "\u2212${}", "+{}", "USD{}", "USD -{}", "{} USD", "${} less"])
def test_an_amount_may_carry_its_sign(domain: str, form: str) -> None:
    """A difference is told whether its direction is given by a sign or by words."""
    on = stage(domain)
    for task in on.tasks(SAMPLE):
        forms = [form.format(o) if AMOUNT.fullmatch(o) else o for o in task.gold.outputs]
        assert on.told(task, f"That makes {' and '.join(forms)}.") == list(all_said(task)), task.task_id


@each_domain
def test_an_output_left_unsaid_scores_zero(domain: str) -> None:
    """Each value that a task asks for has to be told."""
    on = stage(domain)
    for task in on.tasks(SAMPLE):
        for left in all_said(task):
            said = [i for i in all_said(task) if i != left]
            assert on.result(task, task.gold.actions, said).reward == 0.0, task.task_id


@each_domain
def test_a_task_id_leads_back_to_its_task(domain: str) -> None:
    """Ids are unique and never change their meaning."""
    pack = stage(domain).pack
    listed = [pack.task_at(split, i) for split, size in pack.splits.items() for i in range(min(size, SAMPLE))]
    assert len({task.task_id for task in listed}) == len(listed)
    assert all(pack.find(task.task_id) == task for task in listed[::7])


@each_domain
def test_the_policy_names_only_tools_that_exist(domain: str) -> None:
    """Every name in code type or snake case in the policy is a tool, an argument or a table."""
    pack = stage(domain).pack
    arguments = chain.from_iterable(tool.arguments.model_fields for tool in pack.agent_tools.values())
    known = {*pack.agent_tools, *pack.user_tools, *arguments, *pack.snapshot.tables}
    named = {*re.findall(r"`([a-z_]+)`", pack.policy), *re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", pack.policy)}
    assert named <= known


def fingerprint(domain: str) -> str:
    """A digest of everything a pack is made of: version, tasks and what their gold comes to."""
    on = Stage(domain)
    tasks = [(task.model_dump_json(), on.gold(task).hash) for task in on.tasks(40)]
    seen = [on.pack.version, on.pack.snapshot.digest, on.pack.tools_digest, tasks]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


@each_domain
def test_another_process_makes_the_same(domain: str) -> None:
    """World, tasks, gold and versions are the same bytes in every process, however it hashes strings."""
    code = f"from tests.contract.test_domains import fingerprint; print(fingerprint({domain!r}))"
    for seed in ("1", "2"):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == fingerprint(domain)


@cache
def words(domain: str) -> list[str]:
    """Strings that occur in the world: ids, names, states, and a few that do not."""
    found: dict[str, None] = dict.fromkeys(["", "x", "#", "no longer needed", "0"])

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found[value] = None
        elif isinstance(value, dict):
            found.update(dict.fromkeys(value))
            for v in value.values():
                collect(v)
        elif isinstance(value, list | tuple):
            for v in value:
                collect(v)

    rows = [json.loads(json.dumps(row)) for _, _, row in stage(domain).pack.snapshot]
    for row in rows[:: max(1, len(rows) // 60)]:
        collect(row)
    return list(found)


def values(schema: dict[str, Any], domain: str) -> st.SearchStrategy[Any]:
    """Arguments of a JSON schema's type, made of the world's own words."""
    kinds = {
        "string": st.sampled_from(words(domain)),
        "integer": st.integers(-3, 10**6),
        "number": st.floats(-1e6, 1e6) | st.integers(-3, 500),
        "boolean": st.booleans(),
        "object": st.dictionaries(st.sampled_from(words(domain)), st.sampled_from(words(domain)), max_size=3),
        "null": st.none(),
    }
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(choice, domain) for choice in schema["anyOf"]])
    if schema.get("type") == "array":
        return st.lists(values(schema.get("items", {}), domain), max_size=3)
    return kinds.get(schema.get("type", ""), st.sampled_from(words(domain)))


@st.composite
def calls(draw: st.DrawFn, domain: str) -> GoldCall:
    """A call of some tool, well-formed, about things that exist."""
    pack = stage(domain).pack
    side = draw(st.sampled_from(["agent", "user"] if pack.user_tools else ["agent"]))
    tools = pack.agent_tools if side == "agent" else pack.user_tools
    tool = tools[draw(st.sampled_from(list(tools)))]
    properties = tool.schema["function"]["parameters"]["properties"]
    arguments = {name: draw(values(schema, domain)) for name, schema in properties.items()}
    return GoldCall.model_validate({"name": tool.name, "arguments": arguments, "requestor": side})


@each_domain
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_only_a_write_that_succeeds_changes_the_state(domain: str, data: st.DataObject) -> None:
    """Reads and failed calls leave the hash as it was, and the hash is always that of the rows."""
    on = stage(domain)
    task = data.draw(st.sampled_from(on.tasks(20)))
    state = on.beginning(task)
    played = data.draw(st.lists(calls(domain) | st.sampled_from(task.gold.actions), max_size=6))
    for call in played:
        before = state.hash
        outcome = on.call(state, call)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert state.hash == before, call
    again = State.at(on.pack.snapshot, [*task.changes(), *state.take_changes()])
    assert again.hash == state.hash
