"""Files of public data are parsed, never run, even Python ones."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.packs.data_files import python_list, read_data
from env_server.errors import PackError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=3))
def test_any_literal_list_is_read(value: list[object]) -> None:
    """A list of literals has the value Python would give it."""
    assert python_list(f"TASKS = {value!r}") == value


def test_calls_with_keywords_stand_for_dicts() -> None:
    """Records may be calls with keywords, and texts may be joined; annotations and imports are ignored."""
    source = """
from somewhere import Task, Action
TASKS: list[Task] = [
    Task(user_id="a", instruction="one " "two " + "three", actions=[Action(name="f", kwargs={"n": -1})], outputs=[]),
]
"""
    assert python_list(source) == [
        {
            "user_id": "a",
            "instruction": "one two three",
            "actions": [{"name": "f", "kwargs": {"n": -1}}],
            "outputs": [],
        }
    ]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "x = 1",
        "x = [open('f')]",
        "x = [Task(1)]",
        "x = [Task(**y)]",
        "x = [y]",
        "x = [f'{1}']",
        "x = [{**y}]",
        "x = [",
    ],
)
def test_code_is_refused(source: str, tmp_path: Path) -> None:
    """Anything but a literal is refused with the file's name, and not run."""
    (tmp_path / "tasks.py").write_text(source, encoding="utf-8")
    with pytest.raises(PackError, match=r"tasks\.py"):
        read_data(tmp_path, "tasks")


def test_each_format_is_found(tmp_path: Path) -> None:
    """JSON, gzipped JSON and TOML are found by the name without suffix; the first existing file counts."""
    (tmp_path / "a.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(json.dumps({"x": 2}).encode()))
    (tmp_path / "c.toml").write_text("x = 3", encoding="utf-8")
    assert read_data(tmp_path, "a") == [1]
    assert read_data(tmp_path, "none", "b") == {"x": 2}
    assert read_data(tmp_path, "c") == {"x": 3}
    assert read_data(tmp_path, "none") is None


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    """The error for an incomplete file names it."""
    (tmp_path / "db.json.gz").write_bytes(gzip.compress(b"{}" * 99)[:-12])
    with pytest.raises(PackError, match=r"db\.json\.gz"):
        read_data(tmp_path, "db")
