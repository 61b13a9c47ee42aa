"""`convert`, against a real server: what is kept, what is dropped and why, and how the rest is divided."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.trainer_client.dataset.rows import begin, sound_tasks, system
from trainer_client import Client
from trainer_client.dataset import Conversion, DataError, convert
from trainer_client.dataset.audit import Reason
from trainer_client.dataset.command import show_conversion
from trainer_client.dataset.source import read_file
from trainer_client.skyrl.own_task import nested
from trainer_client.skyrl.row import normal, overridden, reset_options

ALONE = Conversion(user={"strategy": "none"}, train_ratio=0.5)


@pytest.fixture(scope="module", autouse=True)
def open_before(server: Any) -> int:
    """How many episodes other files' tests have left open on this server."""
    with Client(server.url, "secret") as client:
        return client.episodes(done=False, limit=1).total


@pytest.fixture(scope="module")
def sound(server: Any) -> list[dict[str, Any]]:
    """Four tasks of retail that cancel an order."""
    with Client(server.url, "secret") as client:
        return sound_tasks(client, "retail", 4, "cancel")


def reasons(report: dict[str, Any]) -> dict[int, str]:
    """Position -> why the task there is dropped."""
    return {drop["position"]: drop["reason"] for drop in report["drops"]}


def test_tasks_without_signal_are_dropped_with_the_reason(client: Client, sound: list[dict[str, Any]]) -> None:
    """One useless task of each kind is among good ones. Only the useless are dropped, each for its own reason."""
    good = sound[0]
    look = {"name": "list_all_product_types", "arguments": {}}
    fails = {"name": "get_order_details", "arguments": {"order_id": "#W0"}}
    useless: list[tuple[Any, Reason]] = [
        ("no task", Reason.UNREADABLE),
        ({**good, "domain": "resale"}, Reason.UNKNOWN_DOMAIN),
        ({**good, "actions": [{"name": "launch_rocket"}]}, Reason.REFUSED),
        ({**good, "actions": [fails, *good["actions"]], "instruction": "one fails"}, Reason.GOLD_FAILS),
        ({**good, "actions": [fails]}, Reason.GOLD_FAILS),
        ({**good, "actions": [{"name": "get_order_details", "arguments": {"id": 1}}]}, Reason.GOLD_FAILS),
        ({**good, "actions": [look]}, Reason.GOLD_CHANGES_NOTHING),
        ({**good, "actions": []}, Reason.GOLD_CHANGES_NOTHING),
        ({**good, "actions": [look], "outputs": ["50"]}, Reason.GOLD_CHANGES_NOTHING),
        ({**good, "instruction": f"  {good['instruction'].upper()}"}, Reason.DUPLICATE),
    ]
    listed = [*sound, *(task for task, _ in useless)]
    made = convert(client, listed, ALONE)
    assert reasons(made.report) == {i: reason.value for i, (_, reason) in enumerate(useless, 4)}
    assert (made.report["tasks"], made.report["sound"]) == (14, 4)
    assert sum(made.report["dropped"].values()) == len(useless)
    details = {drop["position"]: drop["detail"] for drop in made.report["drops"]}
    assert "launch_rocket" in details[6]
    assert details[7].startswith("call 1, get_order_details: Error: there is no order '#W0'")
    assert details[13] == "the task at position 0 has the same instruction"


def test_told_values_may_be_let_through(client: Client, sound: list[dict[str, Any]]) -> None:
    """On request, gold with values to tell may leave the state as it is. A failing call still drops its task here."""
    fails = {"name": "get_order_details", "arguments": {"order_id": "#W0"}}
    look = {"name": "list_all_product_types", "arguments": {}}
    listed = [
        {**sound[0], "actions": [fails, *sound[0]["actions"]]},
        {**sound[1], "actions": [fails]},
        {**sound[2], "actions": [look], "outputs": ["50 types"]},
        {**sound[3], "actions": [look]},
    ]
    nothing = Reason.GOLD_CHANGES_NOTHING.value
    failing = dataclasses.replace(ALONE, allow_failing_calls=True)
    fail = dict.fromkeys((0, 1), Reason.GOLD_FAILS.value)
    assert reasons(convert(client, listed, failing).report) == {**fail, 2: nothing, 3: nothing}
    told = dataclasses.replace(failing, keep_told=True)
    assert reasons(convert(client, listed, told).report) == {**fail, 3: nothing}


def test_a_handover_may_be_the_end_of_gold(client: Client, sound: list[dict[str, Any]]) -> None:
    """A call that ends the episode is played like any other; gold cannot have calls after it."""
    over = {"name": "transfer_to_human_agents", "arguments": {"summary": "All else is for people."}}
    made = convert(client, [{**sound[0], "actions": [*sound[0]["actions"], over], "outputs": ["done so"]}], ALONE)
    assert made.report["drops"] == []
    early = convert(client, [{**sound[0], "actions": [over, *sound[0]["actions"]]}], ALONE)
    assert reasons(early.report) == {0: Reason.GOLD_CHANGES_NOTHING.value}


def test_a_row_is_played_to_its_reward(client: Client, sound: list[dict[str, Any]]) -> None:
    """A row's own task begins an episode in which gold earns 1 and doing nothing 0. Its ground truth is in lists."""
    made = convert(client, sound, ALONE)
    (row, *_) = [*made.train, *made.val]
    assert row["data_source"] == "retail/builtin/own"
    actions = row["reward_spec"]["ground_truth"]["actions"]
    calls = [{"name": a["name"], "arguments": json.loads(a["arguments"])} for a in actions]
    done = {"tool_calls": [{"name": "done", "arguments": {}}]}
    with begin(client, row, tool_prompt="hermes") as episode, begin(client, row) as idle:
        assert episode.messages[0]["content"] == system(row)
        episode.step({"tool_calls": calls})
        episode.step(done)
        idle.step(done)
    assert (episode.reward, idle.reward) == (1.0, 0.0)


def test_the_prompt_is_that_of_the_user_who_will_play(client: Client, sound: list[dict[str, Any]]) -> None:
    """With a model as user (not called now) the agent has no tool `done`; an agent alone has it."""
    with_user = convert(client, sound[:2], Conversion(user={"strategy": "llm", "model": "m"}))
    alone = convert(client, sound[:2], ALONE)
    assert ['"done"' in system(made.train[0]) for made in (with_user, alone)] == [False, True]
    assert json.loads(with_user.train[0]["extra_info"]["user"]) == {"strategy": "llm", "model": "m"}


def test_each_domain_is_divided_by_itself(client: Client, sound: list[dict[str, Any]]) -> None:
    """The ratio holds within each domain; limits apply to one or all; the seed decides, and not the file's order."""
    listed = [*sound, *sound_tasks(client, "healthcare", 3)]
    made = convert(client, listed, ALONE)

    def sizes(report: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
        return {name: (n["train"], n["val"], n["over_limit"]) for name, n in report["domains"].items()}

    assert sizes(made.report) == {"healthcare": (2, 1, 0), "retail": (2, 2, 0)}
    assert {r["extra_info"]["purpose"] for r in made.train} == {"train"}
    assert {r["extra_info"]["purpose"] for r in made.val} == {"eval"}
    assert convert(client, listed[::-1], ALONE).train == made.train
    others = {json.dumps(convert(client, listed, dataclasses.replace(ALONE, seed=s)).train) for s in range(1, 5)}
    assert others != {json.dumps(made.train)}
    limited = dataclasses.replace(ALONE, limit=1, limits={"retail": 3}, train_ratio=0.99)
    assert sizes(convert(client, listed, limited).report) == {"healthcare": (1, 0, 2), "retail": (2, 1, 1)}
    everything = dataclasses.replace(ALONE, train_ratio=1)
    assert sizes(convert(client, listed, everything).report) == {"healthcare": (3, 0, 0), "retail": (4, 0, 0)}


def original(task: dict[str, Any]) -> dict[str, Any]:
    """The task as a row of the original training environment, as its parquet files have it."""
    return {
        "data_source": "tau_bench",
        "prompt": {"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello."}]},
        "env_class": "tau_bench",
        "reward_spec": {"method": "tau_bench_reward", "ground_truth_actions": json.dumps(task["actions"])},
        "extra_info": json.dumps({"domain": task["domain"], "instruction": task["instruction"]}),
    }


def test_rows_of_the_original_format_are_tasks(client: Client, sound: list[dict[str, Any]], tmp_path: Path) -> None:
    """A parquet file of them gives the same rows as their tasks; an unreadable one is reported with its field."""
    rows = [*map(original, sound), {**original(sound[0]), "extra_info": "{}"}]
    path = tmp_path / "theirs.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path)
    made = convert(client, read_file(path), ALONE)
    plain = convert(client, sound, ALONE)
    assert (made.train, made.val) == (plain.train, plain.val)
    (dropped,) = made.report["drops"]
    assert (dropped["position"], dropped["reason"]) == (4, Reason.UNREADABLE.value)
    assert dropped["detail"].startswith("domain: it stands neither in the column")
    path.write_text("no parquet")
    with pytest.raises(DataError, match=r"theirs\.parquet cannot be read"):
        read_file(path)


@pytest.mark.parametrize(
    ("info", "kept"), [({"complexity": 3}, 3), ({"difficulty": 2.0}, 2), ({"difficulty": "1-3"}, None), ({}, None)]
)
def test_difficulty_goes_along(client: Client, sound: list[dict[str, Any]], info: dict[str, Any], kept: Any) -> None:
    """The level of a task, or of a row of the original format, is kept, so that a job can choose by it."""
    theirs = original(sound[0])
    row = {**theirs, "extra_info": {**nested(theirs["extra_info"]), **info}}
    for listed in ([{**sound[0], **info}], [row]):
        made = convert(client, listed, dataclasses.replace(ALONE, train_ratio=1))
        assert [each["extra_info"]["difficulty"] for each in made.train] == [kept]


def test_a_row_of_another_pack_is_no_task_of_this_one(client: Client, sound: list[dict[str, Any]]) -> None:
    """A row that names another pack is dropped, and not played on this pack's world."""
    theirs = original(sound[0])
    rows = [{**theirs, "extra_info": {**nested(theirs["extra_info"]), "pack": pack}} for pack in ("builtin", "tau1")]
    report = convert(client, rows, ALONE).report
    assert (report["sound"], reasons(report)) == (1, {1: Reason.UNREADABLE.value})
    assert report["drops"][0]["detail"] == "it is a task of the pack 'tau1', and not of 'builtin': --pack says which"


def test_a_row_of_the_original_format_is_played_to_its_reward(client: Client, sound: list[dict[str, Any]]) -> None:
    """As the training side reads the row, its gold earns 1 and doing nothing 0."""
    options = overridden(reset_options(normal(original(sound[0])), 30), {"user": {"strategy": "none"}}, "train")
    calls = [{"name": call["name"], "arguments": call["kwargs"]} for call in sound[0]["actions"]]
    done = {"tool_calls": [{"name": "done", "arguments": {}}]}
    with client.reset(**options) as episode, client.reset(**options) as idle:
        episode.step({"tool_calls": calls})
        assert (episode.step(done).reward, idle.step(done).reward) == (1.0, 0.0)


def test_what_is_solved_alike_is_on_one_side(client: Client, sound: list[dict[str, Any]]) -> None:
    """Copies of a task in other words are all for training or all for validation."""
    copies = [{**task, "instruction": f"{word}. {task['instruction']}"} for task in sound for word in ("A", "B", "C")]
    made = convert(client, copies, ALONE)
    train, val = (
        {json.dumps(row["reward_spec"]["ground_truth"]["actions"]) for row in rows} for rows in (made.train, made.val)
    )
    assert (len(made.train), len(made.val), train & val) == (6, 6, set())


def test_a_solution_that_most_tasks_share_is_trained_on(client: Client, sound: list[dict[str, Any]]) -> None:
    """It is not in the smaller part; if that is impossible, the report says how far off the ratio is."""
    copies = [{**sound[0], "instruction": f"{word}. {sound[0]['instruction']}"} for word in "ABCDEFGHIJ"]
    nine_tenths = dataclasses.replace(ALONE, train_ratio=0.9)
    for seed in range(3):
        made = convert(client, [*copies, sound[1]], dataclasses.replace(nine_tenths, seed=seed))
        assert (len(made.train), len(made.val)) == (10, 1)
        assert "ratio" not in show_conversion({**made.report, "files": []})
    uneven = convert(client, copies, ALONE).report
    assert uneven["domains"]["retail"]["missed"] == 5
    assert "5 more or fewer are for training than the ratio asks for" in show_conversion({**uneven, "files": []})


def test_a_limit_of_turns_is_the_tasks_the_domains_or_the_default(client: Client, sound: list[dict[str, Any]]) -> None:
    """The most particular limit counts, and the server holds the episode to the row's limit."""
    listed = [{**sound[0], "max_turns": 1}, *sound[1:3], *sound_tasks(client, "healthcare", 1)]
    wanted = dataclasses.replace(ALONE, max_turns=9, turns={"retail": 7}, train_ratio=1)
    rows = convert(client, listed, wanted).train
    found = sorted((r["extra_info"]["domain"], r["extra_info"]["max_turns"]) for r in rows)
    assert found == [("healthcare", 9), ("retail", 1), ("retail", 7), ("retail", 7)]
    (short,) = (r for r in rows if r["extra_info"]["max_turns"] == 1)
    with begin(client, short) as episode:
        assert episode.step("I am thinking.").stop_reason == "max_turns"


def test_many_tasks_are_played_in_pieces(client: Client, sound: list[dict[str, Any]]) -> None:
    """More tasks than one request takes are still returned in order."""
    listed = [{**sound[i % 4], "instruction": f"Number {i}."} for i in range(70)]
    listed[66] = {**listed[66], "actions": []}
    report = convert(client, listed, ALONE).report
    assert (report["sound"], reasons(report)) == (69, {66: Reason.GOLD_CHANGES_NOTHING.value})


def test_nothing_is_left_open(client: Client, open_before: int) -> None:
    """Every episode that was begun here has ended."""
    assert client.episodes(done=False, limit=1).total == open_before


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"limits": {"reteil": 3}}, "--limit reteil=...: no task here is of that domain; there are: retail"),
        ({"turns": {"telecom": 60}}, "--max-turns telecom=...: no task here is of that domain; there are: retail"),
        ({"pack": "nopack"}, "no domain of this server has a pack 'nopack'; there are: builtin"),
        ({"limit": 0}, "the limit is 0"),
    ],
)
def test_what_is_not_there_is_said_once(
    client: Client, sound: list[dict[str, Any]], changes: dict[str, Any], says: str
) -> None:
    """An unknown name is one error that lists the known ones, and not an error for each task."""
    with pytest.raises(DataError, match=re.escape(says)):
        convert(client, sound, dataclasses.replace(ALONE, **changes))


def test_a_ratio_beyond_1_is_refused(client: Client) -> None:
    """The ratio of training tasks is between 0 and 1."""
    with pytest.raises(DataError, match="between 0 and 1"):
        convert(client, [], Conversion(train_ratio=90))
