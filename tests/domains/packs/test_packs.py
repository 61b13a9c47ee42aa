"""The packs of a domain, and inline tasks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from env_server.domains.kit import Component, Dialect
from env_server.domains.packs import available, inline_task, refuse_useless
from env_server.errors import PackError
from tests.domains.packs.library import LIBRARY, TAU2_TASK, tau2_checkout

INLINE: dict[str, Any] = {"instruction": "Borrow Dune.", "gold": {"actions": [{"name": "lend"}], "outputs": ["9"]}}


def test_packs_are_offered_where_their_data_is(tmp_path: Path) -> None:
    """`builtin` is always there; a public pack is there if the directory has this domain."""
    tau2_checkout(tmp_path, TAU2_TASK)
    assert list(available(LIBRARY, {})) == ["builtin"]
    assert list(available(LIBRARY, {"tau2": tmp_path, "tau1": tmp_path})) == ["builtin", "tau2"]


def test_a_pack_is_loaded_at_first_use_and_once(tmp_path: Path) -> None:
    """A list loads no pack, so broken data shows at the first use; later uses get the same pack."""
    folder = tau2_checkout(tmp_path, TAU2_TASK)
    (folder / "db.json").write_text("{", encoding="utf-8")
    offered = available(LIBRARY, {"tau2": tmp_path})
    assert "tau2" in offered
    with pytest.raises(PackError, match=r"db\.json"):
        offered["tau2"]
    assert offered["builtin"] is offered["builtin"]
    assert offered.get("tau3") is None


@pytest.mark.parametrize(("name", "place"), [("tau2", "missing"), ("tau9", ".")])
def test_a_wrong_setting_is_an_error(tmp_path: Path, name: str, place: str) -> None:
    """A missing directory and an unknown pack are errors at once."""
    with pytest.raises(PackError, match=name):
        available(LIBRARY, {name: tmp_path / place})


def test_a_directory_without_data_for_any_domain_is_an_error(tmp_path: Path) -> None:
    """If no domain finds its pack in a directory, the error names it and says what it should hold."""
    directories = {"tau2": tmp_path}
    with pytest.raises(PackError, match="expected data/tau2/domains"):
        refuse_useless([available(LIBRARY, directories)], directories)
    tau2_checkout(tmp_path, TAU2_TASK)
    refuse_useless([available(LIBRARY, {}), available(LIBRARY, directories)], directories)


def test_a_missing_public_pack_names_its_setting() -> None:
    """The error for a public pack without data names its setting; for any other name it lists the packs."""
    offered = available(LIBRARY, {})
    there = "library has no pack {!r} here; there are: builtin"
    layout = "data/tau2/domains/library/db.json (or .toml), as in a checkout of tau2-bench"
    hint = f"; for 'tau2' set ENV_SERVER_TAU2_DIR to a directory with {layout}"
    assert offered.no_such("tau2") == there.format("tau2") + hint
    assert "ENV_SERVER_TAU1_DIR" in offered.no_such("tau1")
    assert offered.no_such("tau3") == there.format("tau3")
    unread = available(replace(LIBRARY, dialects={"builtin": Dialect()}), {})
    assert unread.no_such("tau2") == there.format("tau2")


def test_an_inline_task_is_named_by_its_content() -> None:
    """Equal objects are one task, others are another; a basis that is not given stays open."""
    pack = available(LIBRARY, {})["builtin"]
    task = inline_task(pack, INLINE)
    assert task.task_id.startswith("inline-")
    assert task == inline_task(pack, dict(reversed(INLINE.items())))
    assert task.task_id != inline_task(pack, INLINE | {"instruction": "Borrow Emma."}).task_id
    assert "basis" not in task.model_fields_set
    assert inline_task(pack, INLINE | {"basis": ["state"]}).basis == (Component.STATE,)


def test_an_inline_task_of_a_public_pack_has_its_format(tmp_path: Path) -> None:
    """The benchmark's own format is read, and a given id does not find a listed task."""
    tau2_checkout(tmp_path, TAU2_TASK)
    pack = available(LIBRARY, {"tau2": tmp_path})["tau2"]
    task = inline_task(pack, TAU2_TASK)
    assert task.task_id.startswith("inline-")
    assert task.gold == pack.find(TAU2_TASK["id"]).gold
    assert inline_task(pack, {k: v for k, v in TAU2_TASK.items() if k != "id"}).gold == task.gold


@pytest.mark.parametrize(
    "change",
    [
        {"instruction": None},
        {"gold": {"actions": [{"tool": "lend"}]}},
        {"initial": {"zoo": {}}},
        {"initial": {"books": {"b1": {"title": "Dune"}}}},
        {"surprise": 1},
        {"slots": {"n": float("nan")}},
    ],
)
def test_a_bad_inline_task_is_a_value_error(change: dict[str, Any]) -> None:
    """Anything that does not fit is refused before an episode begins."""
    with pytest.raises(ValueError, match=r".+"):
        inline_task(available(LIBRARY, {})["builtin"], INLINE | change)
