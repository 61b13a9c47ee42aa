"""The `tau2` pack, from a checkout made for a small domain."""

from pathlib import Path
from typing import Any

import pytest

from env_server.domains.kit import Component
from env_server.domains.packs import tau2
from env_server.episodes.turn.ending import holds
from env_server.errors import PackError
from env_server.state import State, thaw
from tests.domains.packs.library import LIBRARY, TAU2_TASK, tau2_checkout, write

WEAR = {"env_type": "user", "func_name": "wear", "arguments": {"book_id": "b1"}}
WORN = {"env_type": "user", "func_name": "is_worn", "arguments": {"book_id": "b1"}}
STORY = TAU2_TASK | {"id": "2", "user_scenario": {"instructions": "Ask for Emma."}, "evaluation_criteria": None}


def test_a_checkout_is_read_from_its_root_or_any_folder_on_the_way(tmp_path: Path) -> None:
    """The setting may name the checkout, its data folders, or the domain's folder."""
    own = tau2_checkout(tmp_path, TAU2_TASK)
    for directory in (tmp_path, tmp_path / "data", tmp_path / "data" / "tau2", own.parent, own):
        assert tau2.folder("library", directory) == own
    assert tau2.folder("zoo", tmp_path) is None
    with pytest.raises(PackError, match="zoo"):
        tau2.load(LIBRARY, tmp_path / "zoo")


def test_rows_show_every_field_in_the_models_order(tmp_path: Path) -> None:
    """Values are coerced, fields are in the models' order, unset ones are null, at every depth."""
    tau2_checkout(tmp_path, TAU2_TASK)
    books = tau2.load(LIBRARY, tmp_path).snapshot.tables["books"].rows
    assert repr(thaw(books["b1"])) == repr(
        {
            "book_id": "b1",
            "title": "Dune",
            "price": 9.0,
            "copies": {"c1": {"shelf": "A", "lent_to": None}},
            "note": None,
        }
    )
    assert books["b2"]["book_id"] == "b2"


def test_a_test_task_is_one_in_every_split(tmp_path: Path) -> None:
    """A task of `test` counts as one in every split, in any order, so that training under `base` leaves it out."""
    own = tau2_checkout(tmp_path, TAU2_TASK, STORY)
    write(own / "split_tasks.json", {"base": [TAU2_TASK["id"], "2"], "test": ["2"]})
    pack = tau2.load(LIBRARY, tmp_path)
    assert [pack.task_at("base", i).split for i in range(2)] == ["base", "test"]


def test_a_task_keeps_all_that_upstream_says(tmp_path: Path) -> None:
    """Id, first split, texts, gold calls of both sides, what is compared, outputs and basis."""
    tau2_checkout(tmp_path, TAU2_TASK, STORY)
    pack = tau2.load(LIBRARY, tmp_path)
    assert pack.policy == "Lend books."
    assert pack.splits == {"train": 1, "base": 2}
    task = pack.task_at("base", 0)
    assert (task.task_id, task.split) == (TAU2_TASK["id"], "train")
    assert task == pack.find(TAU2_TASK["id"])
    assert [text in task.instruction for text in ("In a hurry.", "You want Dune.", "You are Jo.", "Be brief.")]
    assert [(c.name, c.requestor, c.compare) for c in task.gold.actions] == [
        ("lend", "agent", ("book_id",)),
        ("carry", "user", None),
    ]
    assert task.gold.outputs == ("9",)
    assert task.basis == (
        Component.STATE,
        Component.ACTIONS,
        Component.COMMUNICATE,
        Component.NL_ASSERTIONS,
    )


def test_a_task_without_criteria_has_an_empty_basis(tmp_path: Path) -> None:
    """A task without criteria scores 1, as upstream: a product of nothing. A plain instruction is served unchanged."""
    tau2_checkout(tmp_path, TAU2_TASK, STORY)
    task = tau2.load(LIBRARY, tmp_path).find("2")
    assert (task.basis, task.instruction, task.split) == ((), "Ask for Emma.", "base")


def test_an_unknown_split_index_or_task_is_a_lookup_error(tmp_path: Path) -> None:
    """The error says that the split, index or task does not exist."""
    tau2_checkout(tmp_path, TAU2_TASK)
    pack = tau2.load(LIBRARY, tmp_path)
    for split, index in (("test", 0), ("train", 1), ("train", -1)):
        with pytest.raises(LookupError):
            pack.task_at(split, index)
    with pytest.raises(LookupError):
        pack.find("kept back")


def test_initial_data_is_merged_into_the_rows(tmp_path: Path) -> None:
    """A patch changes only the fields that it names."""
    data = {"agent_data": {"books": {"b1": {"price": 3, "copies": {"c2": {"shelf": "B"}}}}}}
    tau2_checkout(tmp_path, TAU2_TASK | {"initial_state": {"initialization_data": data}})
    row = tau2.load(LIBRARY, tmp_path).task_at("train", 0).initial["books"]["b1"]
    assert row == {
        "book_id": "b1",
        "title": "Dune",
        "price": 3.0,
        "copies": {"c1": {"shelf": "A", "lent_to": None}, "c2": {"shelf": "B", "lent_to": None}},
        "note": None,
    }


def test_a_set_up_is_a_layer_under_the_task(tmp_path: Path) -> None:
    """Set-up functions run once, after the initial data and with their follow-ups; what they wrote is initial data."""
    data = {"agent_data": {"books": {"b1": {"title": "Dune II"}}}}
    state = {"initialization_data": data, "initialization_actions": [WEAR]}
    tau2_checkout(tmp_path, TAU2_TASK | {"initial_state": state, "ticket": "Repair Dune."})
    pack = tau2.load(LIBRARY, tmp_path)
    task = pack.task_at("train", 0)
    row = task.initial["books"]["b1"]
    assert row is not None
    assert (row["title"], row["note"], row["price"]) == ("Dune II", "worn", 1.0)
    assert task.ticket == "Repair Dune."
    assert pack.find(task.task_id).initial == task.initial


def test_assertions_on_the_environment_hold_or_not(tmp_path: Path) -> None:
    """The domain's function checks the final state; an assertion that cannot be checked does not hold."""
    asserted = [WORN, WORN | {"assert_value": False}, WORN | {"arguments": {"book_id": "b9"}}]
    criteria = {"env_assertions": asserted, "reward_basis": ["ENV_ASSERTION"]}
    set_up = {"initialization_actions": [WEAR]}
    tau2_checkout(tmp_path, TAU2_TASK | {"evaluation_criteria": criteria, "initial_state": set_up})
    pack = tau2.load(LIBRARY, tmp_path)
    task = pack.task_at("train", 0)
    assert task.basis == (Component.ENV_ASSERTIONS,)
    before, after = State.at(pack.snapshot), State.at(pack.snapshot, task.changes())
    assert [holds(pack, a, after) for a in task.env_assertions] == [True, False, False]
    assert [holds(pack, a, before) for a in task.env_assertions] == [False, True, False]


def test_without_a_user_the_policy_may_be_another(tmp_path: Path) -> None:
    """A policy in two parts comes in both forms, with and without a user."""
    folder = tau2_checkout(tmp_path, TAU2_TASK)
    (folder / "policy.md").unlink()
    for name in ("main_policy", "main_policy_solo", "tech_support_manual"):
        write(folder / f"{name}.md", f"This is {name}.")
    pack = tau2.load(LIBRARY, tmp_path)
    assert "This is main_policy." in pack.policy
    assert "This is main_policy_solo." in str(pack.solo_policy)
    assert "This is tech_support_manual." in str(pack.solo_policy)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"initial_state": {"initialization_actions": [{"func_name": "f"}]}}, "set-up 'f' fails: there is no"),
        ({"initial_state": {"initialization_actions": [WEAR | {"arguments": {"book_id": "b9"}}]}}, "set-up 'wear'"),
        ({"initial_state": {"initialization_actions": [WEAR | {"env_type": "assistant"}]}}, "there is no"),
        ({"initial_state": {"message_history": [{"role": "user"}]}}, "message_history"),
        ({"initial_state": {"initialization_data": {"agent_data": {"zoo": {}}}}}, "zoo"),
        ({"evaluation_criteria": {"env_assertions": [{"func_name": "f"}]}}, "asserts by f"),
        ({"evaluation_criteria": {"env_assertions": [WORN | {"arguments": {}}]}}, "'is_worn' cannot be asked"),
        ({"evaluation_criteria": {"reward_basis": ["LUCK"]}}, "LUCK"),
    ],
)
def test_what_is_not_offered_is_refused_by_name(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    """A task with features that this server lacks is refused, and never played differently."""
    tau2_checkout(tmp_path, TAU2_TASK | change)
    with pytest.raises(PackError, match=told):
        tau2.load(LIBRARY, tmp_path).task_at("train", 0)


def test_a_row_that_does_not_fit_is_named(tmp_path: Path) -> None:
    """Data of another form is refused with the table and the row."""
    folder = tau2_checkout(tmp_path, TAU2_TASK)
    write(folder / "db.json", {"books": {"b1": {"title": "Dune"}}})
    with pytest.raises(PackError, match="'books', row 'b1'"):
        tau2.load(LIBRARY, tmp_path)


def test_a_policy_in_two_parts_is_joined(tmp_path: Path) -> None:
    """If the policy and the support manual are separate files, the agent gets both."""
    folder = tau2_checkout(tmp_path, TAU2_TASK)
    (folder / "policy.md").unlink()
    write(folder / "main_policy.md", "Lend books.")
    write(folder / "tech_support_manual.md", "Mend books.")
    policy = tau2.load(LIBRARY, tmp_path).policy
    assert policy.index("Lend books.") < policy.index("Mend books.")


def test_another_gold_is_another_version(tmp_path: Path) -> None:
    """The version of a pack covers its tasks."""
    versions = set()
    for name, value in (("a", ["9"]), ("b", ["10"])):
        criteria = TAU2_TASK["evaluation_criteria"] | {"communicate_info": value}
        tau2_checkout(tmp_path / name, TAU2_TASK | {"evaluation_criteria": criteria})
        versions.add(tau2.load(LIBRARY, tmp_path / name).tasks.digest)
    assert len(versions) == 2
