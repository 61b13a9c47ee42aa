"""Files of rows: their bytes and their types."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from trainer_client.dataset import DataError, write
from trainer_client.dataset.row_files import Row, Setting, check_names, row

SETTING = Setting("retail", "builtin", "v1", "Obey.", {"strategy": "llm"})
TRUTH = {"actions": [{"requestor": "agent", "name": "look", "arguments": '{"id":1}'}], "outputs": ["5"]}


def listed(n: int) -> list[Row]:
    """Rows of listed tasks."""
    named = [f"t{i}" for i in range(n)]
    return [row(SETTING, source="retail/builtin", split="train", purpose="train", task_id=i) for i in named]


def own(instruction: str = "Say \u201chi\u201d.") -> Row:
    """A row with a task."""
    task = {"instruction": instruction, "gold": {"actions": [{"name": "look", "arguments": {"id": 1}}]}}
    return row(SETTING, source="s", split="val", purpose="eval", task=task, ground_truth=TRUTH)


def as_read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_rows_come_back_as_they_were(tmp_path: Path, ending: str) -> None:
    """Both formats keep every value, over several row groups; equal rows give equal bytes, told in the report."""
    rows = [*listed(1200), own()]
    path, again = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
    report = write(path, rows)
    assert as_read(path) == rows
    assert (report["rows"], report["bytes"]) == (1201, path.stat().st_size)
    assert report["sha256"] == write(again, rows)["sha256"]
    assert path.read_bytes() == again.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, again.name]


def test_parquet_has_one_schema_whatever_the_rows(tmp_path: Path) -> None:
    """Columns that are null throughout have the type that they have elsewhere, so that files can be joined."""
    write(tmp_path / "listed.parquet", listed(2))
    write(tmp_path / "own.parquet", [own()])
    first, second = (parquet.read_schema(tmp_path / f"{n}.parquet") for n in ("listed", "own"))
    assert first.equals(second)


def test_no_column_is_lost(tmp_path: Path) -> None:
    """A column that only a later row has is kept. A field that parquet has no place for is refused; .jsonl keeps it."""
    first, second = listed(2)
    path = tmp_path / "rows.parquet"
    write(path, [first, {**second, "note": "late"}])
    assert [each["note"] for each in as_read(path)] == [None, "late"]
    placed = {**first, "extra_info": {**first["extra_info"], "index": 3}}
    with pytest.raises(DataError, match=r"parquet has no place for extra_info\.index of these rows: write \.jsonl"):
        write(path, [first, placed])
    write(path.with_suffix(".jsonl"), [placed])
    assert as_read(path.with_suffix(".jsonl")) == [placed]


def test_an_old_file_stays_when_writing_fails(tmp_path: Path) -> None:
    """A failed write leaves the old file as it was, and no partial file beside it."""
    path = tmp_path / "a.parquet"
    write(path, listed(1))
    before = path.read_bytes()
    with pytest.raises(Exception, match="surrogates"):
        write(path, [row(SETTING, source="\ud800", split="train", purpose="train", task_id="t")])
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet"]


def test_what_is_beside_a_file_stays(tmp_path: Path) -> None:
    """The temporary name is unique, so no file that somebody else named is overwritten."""
    beside = tmp_path / "a.jsonl.part"
    beside.write_text("mine")
    write(tmp_path / "a.jsonl", listed(1))
    assert beside.read_text() == "mine"


def test_a_link_stays_one(tmp_path: Path) -> None:
    """The target of a link is replaced, in its own folder; it need not exist yet."""
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "t.jsonl", tmp_path / "a.jsonl"
    link.symlink_to(target)
    for n in (1, 2):
        write(link, listed(n))
        assert link.is_symlink()
        assert as_read(target) == listed(n)
    assert [p.name for p in target.parent.iterdir()] == ["t.jsonl"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.csv", "must end in"),
        ("none/a.jsonl", "no folder"),
        ("folder.jsonl", "is a folder"),
        ("loop.jsonl", "cannot be written"),
        ("n" * 300 + ".jsonl", "cannot be written"),
        ("n" * 300 + "/a.jsonl", "cannot be written"),
        ("/proc/a.jsonl", "cannot be written"),
    ],
)
def test_names_that_no_file_can_have_are_refused(tmp_path: Path, name: str, says: str) -> None:
    """Each such name is an error of one line before anything is made, and nothing is left behind."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    for refused in (lambda path: check_names([path]), lambda path: write(path, [])):
        with pytest.raises(DataError, match=says):
            refused(tmp_path / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.jsonl", "loop.jsonl"]


def test_one_file_is_neither_written_twice_nor_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is recognised under any of its names; the check makes no file."""
    monkeypatch.chdir(tmp_path)
    path, link = Path("a.jsonl"), Path("link.jsonl")
    link.symlink_to(path)
    check_names([path, Path("b.parquet")], Path("c.jsonl"))
    for other in (path, tmp_path / path, link):
        with pytest.raises(DataError, match="named twice"):
            check_names([path, other])
        with pytest.raises(DataError, match="would be lost"):
            check_names([other], path)
    assert [p.name for p in tmp_path.iterdir()] == ["link.jsonl"]
