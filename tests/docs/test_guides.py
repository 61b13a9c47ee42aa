"""The files and targets that AGENTS.md, SECURITY.md and CITATION.cff name exist."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDERS = r"docker|docs|env_server|mcp_servers|schemas|tests|trainer_client"


def named_paths(page: str) -> set[str]:
    """The paths of files and folders that a page names between backticks."""
    return {match.rstrip("/") for match in re.findall(rf"`((?:{FOLDERS})/[\w./-]*)`", (ROOT / page).read_text("utf-8"))}


def test_files_named_in_the_guides_exist() -> None:
    """The folders that AGENTS.md names, and the tests that SECURITY.md names as proofs, exist."""
    agents, security = named_paths("AGENTS.md"), named_paths("SECURITY.md")
    assert len(agents) >= 5
    assert len(security) >= 15
    assert [path for path in sorted(agents | security) if not (ROOT / path).exists()] == []


def test_each_witness_in_the_table_of_attacks_has_tests() -> None:
    """The files or folders in each row of the table have tests."""
    table = (ROOT / "SECURITY.md").read_text("utf-8").partition("| attack |")[2].partition("\n\n")[0]
    rows = [row for row in table.splitlines()[2:] if row]
    assert len(rows) >= 10
    for row in rows:
        witnesses = re.findall(r"`(tests/[\w./-]+)`", row)
        assert witnesses, row
        for witness in witnesses:
            path = ROOT / witness
            files = [path] if path.is_file() else sorted(path.rglob("test_*.py"))
            assert any(re.search(r"^\s*(async )?def test_", file.read_text("utf-8"), re.M) for file in files), witness


def test_targets_named_for_agents_exist() -> None:
    """Every `make` target in AGENTS.md is in the Makefile."""
    named = set(re.findall(r"`make ([a-z-]+)", (ROOT / "AGENTS.md").read_text("utf-8")))
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert len(named) >= 8
    assert named <= targets


def test_the_citation_is_of_this_project() -> None:
    """Name, version, licence, authors and keywords equal those of pyproject.toml."""
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (found["cff-version"], found["type"]) == ("1.2.0", "software")
    assert found["title"] == PROJECT["name"]
    assert found["version"] == PROJECT["version"]
    assert found["license"] == PROJECT["license"]
    assert found["authors"] == PROJECT["authors"]
    assert found["keywords"] == PROJECT["keywords"]
