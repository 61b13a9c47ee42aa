"""The command `trainer`, run as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server, free_port
from trainer_client.cli import DONE, FAILED, MISUSED, main
from trainer_client.dataset import command

TASK = {
    "domain": "retail",
    "instruction": "You are Yusuf Rossi. You want to know what the shop sells.",
    "actions": [{"name": "list_all_product_types", "arguments": {}}],
    "outputs": ["50"],
}


@pytest.fixture
def here(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in; the environment names the server."""
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reported(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The report in the last line of the output."""
    found: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return found


def test_prepare_writes_files_and_says_what(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both formats are written; the report is text for people, or one JSON object."""
    wanted = ["data", "prepare", "--domain", "retail", "--split", "val", "--limit", "3", "--out", "a.jsonl"]
    wanted += ["--max-turns", "9", "--max-turns", "retail=40"]
    assert main([*wanted, "--out", "a.parquet"]) == DONE
    text = capsys.readouterr().out
    assert "retail/builtin: 3 of 200 tasks of split 'val'" in text
    assert "a.parquet: 3 rows" in text
    before = (here / "a.jsonl").read_bytes()
    assert main([*wanted, "--json"]) == DONE
    report = reported(capsys)
    assert (report["rows"], report["files"][0]["path"]) == (3, "a.jsonl")
    assert (here / "a.jsonl").read_bytes() == before
    assert json.loads(before.splitlines()[0])["extra_info"]["max_turns"] == 40


def test_prepare_chooses_and_orders_by_difficulty(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report says which levels were taken; the file goes from easy to hard."""
    wanted = ["data", "prepare", "--domain", "retail", "--split", "val", "--difficulty", "2-3", "--out", "a.jsonl"]
    assert main([*wanted, "--order", "difficulty"]) == DONE
    assert "of difficulty 2-3 of split 'val'" in capsys.readouterr().out
    found = [json.loads(line)["extra_info"]["difficulty"] for line in (here / "a.jsonl").read_text().splitlines()]
    assert found == sorted(found)
    assert set(found) == {2, 3}


def test_convert_reports_and_writes_what_is_left(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If no task is left, the status is 1 and no file is written; else files are, except an empty one."""
    (here / "tasks.json").write_text(json.dumps({"tasks": [TASK]}))
    wanted = ["data", "convert", "tasks.json", "--train-out", "t.jsonl", "--val-out", "v.jsonl"]
    assert main(wanted) == FAILED
    text = capsys.readouterr().out
    assert "0 of 1 tasks passed the audit" in text
    assert "task 0 (retail): it tells values and changes no row" in text
    assert not (here / "t.jsonl").exists()
    assert main([*wanted, "--keep-told", "--user", "none", "--json"]) == DONE
    assert [(f["path"], f["rows"]) for f in reported(capsys)["files"]] == [("t.jsonl", 1)]
    assert main(["data", "convert", "tasks.json", "--keep-told", "--limit", "retail=0"]) == DONE
    assert "1 over the limit" in capsys.readouterr().out


def test_a_side_without_rows_leaves_no_old_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An old validation file may hold the new training tasks, so it is removed; if nothing is made, files stay."""
    (here / "tasks.json").write_text(json.dumps([TASK, {**TASK, "domain": None}]))
    (here / "v.jsonl").write_text("old")
    wanted = ["data", "convert", "tasks.json", "--train-out", "t.jsonl", "--val-out", "v.jsonl"]
    assert main(wanted) == FAILED
    assert "no domain: 1 unreadable" in capsys.readouterr().out
    assert (here / "v.jsonl").read_text() == "old"
    assert main([*wanted, "--keep-told"]) == DONE
    text = capsys.readouterr().out
    assert "note: v.jsonl: not written, as no task is for validation; the old file is removed" in text
    assert "note: a language model plays the users of these rows" in text
    assert not (here / "v.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["prepare", "--out", "a.csv"], "must end in one of .parquet, .jsonl"),
        (["prepare", "--out", "a.jsonl", "--out", "a.jsonl"], "a file is named twice"),
        (["prepare", "--out", "a.jsonl", "--split", "test"], "add --allow-eval"),
        (
            ["prepare", "--out", "a.jsonl", "--domain", "retail", "--user-model", "m"],
            "error: invalid_request (HTTP 422)",
        ),
        (["prepare", "--out", "a.jsonl", "--key", "wrong"], "error: unauthorized (HTTP 401)"),
        (["convert", "none.json"], "none.json cannot be read"),
        (["convert", "none.json", "--train-out", "t.jsonl"], "name both --train-out and --val-out"),
        (["convert", "a.jsonl", "--train-out", "b.jsonl", "--val-out", "a.jsonl"], "would be lost"),
        (["convert", "none.json", "--limit", "retail=many"], "--limit retail=many: give a number"),
        (["convert", "none.json", "--limit", "5", "--limit", "7"], "--limit is given twice for every domain: 5 and 7"),
        (["prepare", "--out", "a.jsonl", *["--max-turns", "retail=5"] * 2], "--max-turns is given twice for retail"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    """The status is 2, the error is one line on stderr, and nothing is written."""
    assert main(["data", *arguments]) == MISUSED
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert says in line
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "option", ["--limit=-1", "--max-turns=0", "--max-turns=retail=1001", "--user=external", "--difficulty=3-1"]
)
def test_options_out_of_range_are_refused(capsys: pytest.CaptureFixture[str], option: str) -> None:
    """The usage error tells the allowed values."""
    with pytest.raises(SystemExit) as ended:
        main(["data", "prepare", "--out", "a.jsonl", option])
    assert ended.value.code == MISUSED
    assert f"argument {option.partition('=')[0]}: " in capsys.readouterr().err


def test_a_server_that_is_not_there_is_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the address that was tried."""
    monkeypatch.setattr(command, "PATIENCE_S", 0.0)
    url = f"http://127.0.0.1:{free_port()}"
    assert main(["data", "prepare", "--url", url, "--out", "a.jsonl"]) == MISUSED
    assert capsys.readouterr().err.startswith(f"error: {url} gave no answer")


def test_without_pyarrow_parquet_is_refused_and_lines_are_not(here: Path) -> None:
    """The base distribution writes JSON lines; for parquet it names the extra."""
    code = "import sys; sys.modules['pyarrow'] = None; from trainer_client.cli import main; sys.exit(main())"
    program = [sys.executable, "-c", code, "data", "prepare", "--domain", "retail", "--limit", "1", "--out"]
    ran = [
        subprocess.run([*program, str(here / name)], cwd=ROOT, capture_output=True, text=True, check=False)
        for name in ("a.parquet", "a.jsonl")
    ]
    assert [done.returncode for done in ran] == [MISUSED, DONE], ran
    assert ".venv/bin/pip install -e '.[data]' in a checkout" in ran[0].stderr


def test_help_is_quick_to_come_by() -> None:
    """Every command explains its options quickly; `python -m trainer_client` is the same program."""
    for words in ([], ["data"], ["data", "prepare"], ["data", "convert"]):
        command_line = [sys.executable, "-m", "trainer_client", *words, "--help"]
        done = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("usage: trainer")
