"""Rows of the original format: how they are recognised, what is read from them, and errors about unreadable ones."""

import json
from typing import Any

import pytest

from agent_env_schemas import ResetRequest
from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.skyrl.original import is_original, messages, task_of
from trainer_client.skyrl.own_task import SourceCall, SourceTask
from trainer_client.skyrl.row import domain_of, normal, opening, overridden, reset_options

SYSTEM, USER = {"role": "system", "content": "Be kind."}, {"role": "user", "content": "Cancel my order."}
CALLS = [{"name": "cancel_pending_order", "arguments": {"order_id": "#W1"}}]
ROW: dict[str, Any] = {
    "data_source": "tau_bench",
    "env_class": "tau_bench",
    "prompt": {"messages": [SYSTEM, USER]},
    "reward_spec": {"method": "tau_bench_reward", "ground_truth_actions": CALLS},
    "extra_info": {
        "domain": "retail",
        "instruction": "You cancel #W1.",
        "max_turns": 12,
        "user": "yusuf_1",
        "index": 3,
    },
}
TASK = SourceTask(0, "retail", "You cancel #W1.", (SourceCall("cancel_pending_order", {"order_id": "#W1"}),), (), 12)


def changed(**columns: Any) -> dict[str, Any]:
    """The row with other columns; None takes one away."""
    return {name: value for name, value in {**ROW, **columns}.items() if value is not None}


def spec(**fields: Any) -> dict[str, Any]:
    """The row with another `reward_spec`."""
    return changed(reward_spec={"method": "tau_bench_reward", **fields})


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        {name: value if isinstance(value, str) else json.dumps(value) for name, value in ROW.items()},
        changed(prompt=[SYSTEM, USER]),
        spec(ground_truth=CALLS),
        spec(ground_truth=json.dumps(CALLS)),
        spec(ground_truth={"actions": CALLS, "domain": "airline"}),
        spec(ground_truth_actions=[{"name": "cancel_pending_order", "kwargs": '{"order_id": "#W1"}'}]),
        changed(domain="retail", extra_info={"instruction": "You cancel #W1.", "max_turns": 12}),
        changed(domain="retail", instruction="You cancel #W1.", extra_info='{"max_turns": 12}'),
        changed(extra_info={**ROW["extra_info"], "max_turns": 12.0}),
        spec(ground_truth_actions=[{**CALLS[0], "arguments": {"order_id": "#W1", "thought": None}}]),
        changed(extra_info={"domain": "retail", "instruction": "You cancel #W1."}, max_turns=12),
        changed(extra_info={**ROW["extra_info"], "max_turns": 14}, max_turns=12.0),
        spec(ground_truth={"actions": CALLS, "max_turns": 12})
        | {"extra_info": {"domain": "retail", "instruction": "You cancel #W1."}},
        changed(reward_spec=None, extra_info={**ROW["extra_info"], "actions": CALLS}),
        changed(reward_spec=None, env_class=None, extra_info=json.dumps({**ROW["extra_info"], "actions": CALLS})),
        changed(reward_spec={"method": "rule"}, extra_info={**ROW["extra_info"], "actions": json.dumps(CALLS)}),
        changed(reward_spec=None, actions=CALLS),
        changed(extra_info={**ROW["extra_info"], "actions": CALLS}),
        changed(extra_info=None, reward_spec={"ground_truth_actions": json.dumps(CALLS)})
        | {"domain": "retail", "instruction": "You cancel #W1.", "extra_info": {"max_turns": 12}, "env_class": None},
    ],
)
def test_all_ways_to_write_a_row_are_one_task(row: dict[str, Any]) -> None:
    """Columns, `extra_info` and gold may each have the domain and the instruction, and each value may be JSON text."""
    assert is_original(row)
    assert task_of(row) == TASK


def test_a_row_becomes_one_of_ours() -> None:
    """Gold becomes an inline task that `/reset` takes; the user is a language model; reading again changes nothing."""
    row = normal(ROW)
    assert row["env_class"] == "agent_env"
    assert row["prompt"] == [], "policy and tools stand in the episode, and what the user says is said there"
    assert row["reward_spec"]["ground_truth"]["actions"][0]["arguments"] == '{"order_id":"#W1"}'
    options = reset_options(row, 30)
    ResetRequest.model_validate(options)
    assert options["task"] == {
        "instruction": "You cancel #W1.",
        "gold": {"actions": [{**CALLS[0], "requestor": "agent"}], "outputs": []},
    }
    assert (options["domain"], options["pack"], options["max_turns"]) == ("retail", "builtin", 12)
    assert options["user"] == {"strategy": "llm"}
    assert domain_of(ROW) == "retail"
    assert normal(row) == row
    extras = {name: value for name, value in ROW.items() if name not in ("prompt", "env_class")}
    assert reset_options(normal(extras), 30) == options, "as SkyRL gives it to an environment"


@pytest.mark.parametrize("form", [None, "json"])
def test_the_policy_reads_of_every_tool(server: Server, form: str | None) -> None:
    """In text the episode's own system message names every tool; with native tools it has no schemas."""
    call = {"name": "think", "arguments": {"thought": "x"}}
    row = normal(spec(ground_truth=CALLS) | {"extra_info": {"domain": "retail", "instruction": "Think."}})
    task = {"instruction": "Think.", "gold": {"actions": [call]}, "basis": ["actions"]}
    job = {"user": {"strategy": "none"}, "task": task} | ({} if form is None else {"tool_prompt": form})
    with Client(server.url, "secret") as client:
        with client.reset(**overridden(reset_options(row, 9), job, "train")) as episode:
            (first, *others) = opening(row["prompt"], episode.messages)
            names = [tool["function"]["name"] for tool in episode.tools]
        assert first["role"] == "system"
        assert [name for name in names if name not in first["content"]] == []
        assert len(names) > 9
        assert ("<tool_call>" in first["content"]) == (form is None)
        assert "Be kind." not in first["content"]
        assert [each["role"] for each in others] == ["user"]
        with client.reset(**overridden(reset_options(row, 9), job, "train", native=form is None)) as episode:
            told = opening(row["prompt"], episode.messages, native=True)[0]["content"]
        assert ('"parameters"' in told) == (form is not None)


def test_the_words_of_the_prompt_are_the_last_resort() -> None:
    """Without an instruction the user's messages are the task; outputs are told, and the pack has its own form."""
    info = {"domain": "retail", "pack": "tau1", "outputs": ["5"]}
    options = reset_options(normal(changed(extra_info=info)), 30)
    assert options["task"] == {"instruction": "Cancel my order.", "actions": CALLS, "outputs": ["5"]}
    assert normal(changed(prompt=[USER]))["prompt"] == [], "the episode has a system message of its own"


@pytest.mark.parametrize(
    "fields",
    [
        {"ground_truth_actions": CALLS, "ground_truth": {"outputs": ["5"]}},
        {"ground_truth_actions": CALLS, "ground_truth": {"actions": CALLS, "outputs": ["5"]}},
        {"ground_truth_actions": CALLS, "ground_truth_outputs": ["5"], "outputs": []},
        {"ground_truth_actions": "[]", "ground_truth": json.dumps(CALLS), "ground_truth_outputs": '["5"]'},
        {"ground_truth_actions": {"actions": [], "outputs": ["5"]}, "ground_truth": CALLS},
    ],
)
def test_no_part_of_gold_hides_another(fields: dict[str, Any]) -> None:
    """Calls and outputs are read from every place; an empty list counts as none."""
    task = task_of(spec(**fields))
    assert (task.actions, task.outputs) == (TASK.actions, ("5",))


@pytest.mark.parametrize(
    ("given", "level"),
    [(3, 3), (3.0, 3), ("4", 4), ("medium", None), (7, None), (2.5, None), ("1-3", None), (True, None), (None, None)],
)
def test_complexity_is_the_difficulty_where_it_is_a_level(given: Any, level: int | None) -> None:
    """A word or another number says nothing, and a difficulty beside it goes first."""
    info = {**ROW["extra_info"], "complexity": given}
    assert normal(changed(extra_info=info))["extra_info"]["difficulty"] == level
    assert normal(changed(extra_info={**info, "difficulty": 2}))["extra_info"]["difficulty"] == 2


def test_our_rows_stay_as_they_are() -> None:
    """Only the prompt may be an object; what a row of ours has for information is no gold."""
    info = {"domain": "retail", "task_id": "7"}
    row = {"prompt": [SYSTEM], "env_class": "agent_env", "extra_info": info}
    for given in ({}, {"method": "env_server", "ground_truth": {"actions": None}}, "{}"):
        assert normal({**row, "reward_spec": given}) == {**row, "reward_spec": given}
    assert normal({**row, "prompt": {"messages": [SYSTEM]}}) == row
    assert normal({"extra_info": info}) == {"extra_info": info}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (changed(prompt="Be kind."), "prompt: expected a list of messages, or an object with `messages`"),
        (changed(prompt={"text": "Be kind."}), "prompt: expected a list of messages"),
        (changed(prompt=[SYSTEM, "Hello"]), "prompt: message 1 has no role: 'Hello'"),
        (changed(extra_info={"instruction": "x"}), "domain: it stands neither in the column, nor in extra_info"),
        (changed(extra_info={"domain": "retail"}, prompt=[SYSTEM]), "instruction: it stands neither in the column"),
        (changed(extra_info="retail"), "extra_info: it is text, but no JSON"),
        (changed(extra_info=[1]), "extra_info: expected an object"),
        (changed(reward_spec=None), "reward_spec: expected an object, found None"),
        (spec(), "reward_spec: it has neither ground_truth_actions nor ground_truth, and extra_info no actions"),
        (spec(ground_truth={"tool_sequence": []}), "reward_spec.ground_truth: it has no list `actions`"),
        (spec(ground_truth_actions="cancel()"), "reward_spec.ground_truth_actions: it is text, but no JSON"),
        (spec(ground_truth_actions=[*CALLS, {}]), "reward_spec.ground_truth_actions: its action 1 names no tool"),
        (
            spec(ground_truth_actions=CALLS, ground_truth=[{"name": "think"}]),
            "reward_spec.ground_truth_actions and reward_spec.",
        ),
        (
            changed(extra_info={**ROW["extra_info"], "actions": [{"name": "think"}]}),
            "reward_spec.ground_truth_actions and",
        ),
        (changed(reward_spec=None, actions="cancel()"), "actions: it is text, but no JSON"),
        (changed(max_turns="x"), "max_turns: expected a whole number from 1 to 1000, found 'x'"),
        (changed(extra_info={**ROW["extra_info"], "max_turns": 1.5}), "extra_info.max_turns: expected a whole number"),
        (changed(extra_info={**ROW["extra_info"], "max_turns": 0}), "extra_info.max_turns: expected a whole number"),
        (spec(ground_truth={"actions": CALLS, "max_turns": "x"}), "reward_spec.max_turns: expected a whole number"),
    ],
)
def test_what_cannot_be_read_is_named(row: dict[str, Any], told: str) -> None:
    """The message begins with the field."""
    with pytest.raises(ValueError, match=r".") as error:
        normal(row)
    assert str(error.value).startswith(told)


def test_a_prompt_is_checked_before_it_is_used() -> None:
    """A list stays, also one of other mappings."""
    assert messages([SYSTEM]) == messages({"messages": [SYSTEM]}) == messages(json.dumps([SYSTEM])) == [SYSTEM]
