"""`env-server new domain`; tests/docs/test_domains.py plays and audits what it writes."""

import ast
import tomllib
from pathlib import Path

import pytest

from tests.commands.conftest import Run

MOST_LINES = 150


def test_it_writes_a_small_package(run: Run, tmp_path: Path) -> None:
    """All files together have under 150 lines, are valid, and name the domain where they must."""
    done = run("new", "domain", "tool_shed", "--into", str(tmp_path), "--json")
    files = [Path(file) for file in done.result["files"]]
    assert (done.status, done.result["domain"]) == (0, "tool_shed")
    assert {file.relative_to(tmp_path / "tool_shed").as_posix() for file in files} == {
        "pyproject.toml",
        *(f"tool_shed/{name}" for name in ("__init__.py", "policy.md", "tasks.py", "tools.py", "world.py")),
    }
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    assert sum(len(text.splitlines()) for text in texts.values()) < MOST_LINES
    assert "$" not in "".join(texts.values())
    for name in ("__init__.py", "tasks.py", "tools.py", "world.py"):
        ast.parse(texts[name])
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    assert project["entry-points"] == {"env_server.domains": {"tool_shed": "tool_shed:domain"}}
    assert 'name="tool_shed"' in texts["__init__.py"]


def test_people_are_told_how_to_go_on(run: Run, tmp_path: Path) -> None:
    """Without --into the command writes to the working folder, and prints each file and the next three commands."""
    done = run("new", "domain", "orchard")
    assert done.status == 0
    assert (tmp_path / "orchard" / "orchard" / "policy.md").is_file()
    for words in (
        "orchard/pyproject.toml",
        "pip install -e orchard",
        "--domain orchard",
        "env-server audit --domain orchard",
    ):
        assert words in done.out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Orchard", "cannot be the name of a domain"),
        ("my-orchard", "cannot be the name of a domain"),
        ("class", "cannot be the name of a domain"),
        ("retail", "there is a domain 'retail' already"),
        ("json", "there is a Python package 'json' already"),
        ("a" * 42, "cannot be the name of a domain"),
    ],
)
def test_a_name_that_cannot_be_is_refused(run: Run, tmp_path: Path, name: str, words: str) -> None:
    """One line says why, the status is 2, and nothing is written."""
    done = run("new", "domain", name)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    """An existing folder, or a file of the same name, stays unchanged."""
    (tmp_path / "orchard").mkdir()
    done = run("new", "domain", "orchard")
    assert (done.status, list((tmp_path / "orchard").iterdir())) == (2, [])
    assert "exists already" in done.err
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot be written" in run("new", "domain", "orchard", "--into", str(tmp_path / "file")).err
