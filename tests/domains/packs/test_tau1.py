"""The `tau1` pack, from a checkout made for a small domain."""

from pathlib import Path

import pytest

from env_server.domains.kit import Component
from env_server.domains.packs import tau1
from env_server.errors import PackError
from env_server.state import thaw
from tests.domains.packs.library import EMMA, LIBRARY, tau1_checkout, write

TASKS = """
from tau_bench.types import Task, Action
raise SystemExit("never run")
TASKS_TRAIN = [
    Task(annotator="x", user_id="u", instruction="Borrow Dune.",
         actions=[Action(name="lend", kwargs={"book_id": "b1"})], outputs=["9"]),
    Task(annotator="x", user_id="u", instruction="Just look.", actions=[], outputs=[]),
]
"""


def test_a_checkout_is_read_from_its_root_or_any_folder_on_the_way(tmp_path: Path) -> None:
    """The setting may name the checkout, its package, or the domain's folder."""
    own = tau1_checkout(tmp_path, TASKS)
    for directory in (tmp_path, tmp_path / "tau_bench", own.parent, own):
        assert tau1.folder("library", directory) == own
    with pytest.raises(PackError, match="zoo"):
        tau1.load(LIBRARY, tmp_path / "zoo")


def test_rows_are_kept_as_they_are_stored(tmp_path: Path) -> None:
    """Key order, ints and absent fields stay; a key that stands only outside its row is put into it."""
    tau1_checkout(tmp_path, TASKS)
    books = tau1.load(LIBRARY, tmp_path).snapshot.tables["books"].rows
    assert list(books["b1"]) == ["title", "book_id", "price", "copies"]
    assert repr(thaw(books["b2"])) == repr({"book_id": "b2", **EMMA})


def test_tasks_are_parsed_and_get_ids(tmp_path: Path) -> None:
    """An id is domain, split and index; values to tell count only if there are some."""
    tau1_checkout(tmp_path, TASKS)
    pack = tau1.load(LIBRARY, tmp_path)
    assert (pack.splits, pack.policy) == ({"train": 2}, "Lend books.")
    first, second = pack.task_at("train", 0), pack.task_at("train", 1)
    assert (first.task_id, first.split, second.task_id) == ("library-train-0", "train", "library-train-1")
    assert [(c.name, c.arguments) for c in first.gold.actions] == [("lend", {"book_id": "b1"})]
    assert first.basis == (Component.STATE, Component.COMMUNICATE)
    assert second.basis == (Component.STATE,)
    assert pack.find("library-train-1") == second


def test_json_tasks_and_tables_beside_the_policy_are_read(tmp_path: Path) -> None:
    """The data may lie in one folder, with tasks as JSON that have ids of their own."""
    write(tmp_path / "library" / "books.json", {})
    write(tmp_path / "library" / "wiki.md", "Lend books.")
    write(tmp_path / "library" / "tasks_dev.json", [{"id": "library-dev-0", "instruction": "Hi."}])
    assert tau1.load(LIBRARY, tmp_path).task_at("dev", 0).task_id == "library-dev-0"


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    """Data without one of the domain's tables is refused."""
    (tau1_checkout(tmp_path, TASKS) / "data" / "books.json").unlink()
    with pytest.raises(PackError, match="books"):
        tau1.load(LIBRARY, tmp_path)
