"""The examples of docs/data.md, run against a real server in one folder, and the page's tables."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_python import blocks
from tests.e2e.server import ROOT, Server
from trainer_client.dataset.audit import Reason
from trainer_client.dataset.generate.verdict import Rejection
from trainer_client.dataset.row_files import Setting, row

PAGE = ROOT / "docs" / "data.md"


def terms(heading: str) -> set[str]:
    """The names in the first column of the table with this heading."""
    (table,) = re.findall(rf"^\| {re.escape(heading)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text(), re.M)
    return {name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line.split("|")[1])}


@pytest.mark.slow
def test_the_examples_run_and_print_what_the_page_shows(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every block of commands succeeds; the text block after it is its output."""
    command = tmp_path / ".venv" / "bin" / "trainer"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m trainer_client "$@"\n')
    command.chmod(0o755)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "ENV_SERVER_URL": server.url}
    printed = ""
    for kind, text in re.findall(r"```(sh|text)\n(.*?)```", PAGE.read_text(), re.S):
        if kind == "text":
            assert printed == text
            continue
        script = ["bash", "-e", "-c", text]
        done = subprocess.run(script, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=300)
        assert (done.returncode, done.stderr) == (0, ""), text
        printed = done.stdout
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(PAGE)
    exec(compile(block, str(PAGE), "exec"), {})  # noqa: S102 - our own page


def test_the_tables_name_every_column_and_every_reason() -> None:
    """The page's tables have all columns of rows and all reasons of reports."""
    made = row(Setting("d", "p", "v", "s"), source="s", split="train", purpose="train", task_id="t")
    assert terms("column") == set(made)
    assert terms("in `extra_info`") == set(made["extra_info"])
    assert terms("reason to drop a task") == {reason.value for reason in Reason}
    assert terms("reason to leave out a candidate") == {reason.value for reason in Rejection}
