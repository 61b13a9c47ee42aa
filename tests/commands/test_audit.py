"""`env-server audit`, and the table of domains."""

import json
from pathlib import Path

import pytest

from env_server.domains.discovery import domains
from tests.commands.conftest import Run

DOCUMENT = Path(__file__).parents[2] / "docs" / "domains.md"
TASK = {
    "id": "7",
    "user_scenario": {"instructions": "You are polite."},
    "evaluation_criteria": {"actions": [], "communicate_info": [], "reward_basis": ["DB", "COMMUNICATE"]},
}


@pytest.fixture
def own_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory of own tasks with one task, which asks for nothing."""
    folder = tmp_path / "domains" / "retail"
    folder.mkdir(parents=True)
    (folder / "db.json").write_text(json.dumps({"products": {}, "users": {}, "orders": {}}))
    (folder / "policy.md").write_text("Be kind.")
    (folder / "tasks.json").write_text(json.dumps([TASK]))
    monkeypatch.setenv("ENV_SERVER_TAU2_DIR", str(tmp_path))


def test_a_sound_pack_passes(run: Run) -> None:
    """The result is one JSON object, the status 0, and nothing is left behind."""
    done = run("audit", "--domain", "retail", "--limit", "3", "--json")
    assert (done.status, done.out.count("\n")) == (0, 1)
    assert done.result["faults"] == 0
    assert done.result["tasks"] == {"train": 3, "val": 3, "test": 3}
    rates = done.result["rates"]["test"]
    assert list(rates)[5:] == ["crawl-refuse", "crawl-dump"]
    assert {name: rate["rate"] for name, rate in rates.items() if not name.startswith("crawl")} == {
        "oracle": 1.0,
        "null": 0.0,
        "refuse": 0.0,
        "transfer": 0.0,
        "random": 0.0,
    }
    assert list(Path.cwd().iterdir()) == []


def test_policies_can_be_asked_for(run: Run) -> None:
    """The named policies play, in that order, and their rates have an upper bound."""
    asked = ("audit", "--domain", "telecom", "--split", "test", "--limit", "2", "--policies", "idle-end,crawl-lie")
    rates = run(*asked, "--json").result["rates"]["test"]
    assert list(rates) == ["idle-end", "crawl-lie"]
    assert all(rate["at_most"] > rate["rate"] for rate in rates.values())
    assert "at most" in run(*asked).out


@pytest.mark.usefixtures("own_pack")
def test_a_faulty_pack_fails(run: Run) -> None:
    """A directory of own tasks is audited in the same way; a fault makes the status 1."""
    done = run("audit", "--domain", "retail", "--pack", "tau2", "--json")
    assert done.status == 1
    found = {(finding["kind"], finding["task_id"]) for finding in done.result["findings"] if finding["fault"]}
    assert found == {(kind, "7") for kind in ("nothing_solves_it", "solved_blindly")}


@pytest.mark.usefixtures("own_pack")
def test_people_see_rates_and_findings(run: Run) -> None:
    """Without --json people see the rates and findings by kind, and a verdict."""
    done = run("audit", "--domain", "retail", "--pack", "tau2")
    assert done.status == 1
    wanted = ("oracle", "100.0%", "nothing_solves_it 1", "counted: state, communicate", "2 faults")
    assert [words for words in wanted if words not in done.out] == []
    assert "No fault" in run("audit", "--domain", "retail", "--split", "val", "--limit", "1").out


@pytest.mark.usefixtures("own_pack")
@pytest.mark.parametrize("more", [[], ["--json"], ["--split", "base"]])
def test_a_pack_without_tasks_is_not_sound(run: Run, tmp_path: Path, more: list[str]) -> None:
    """A pack without tasks does not pass."""
    (tmp_path / "domains" / "retail" / "tasks.json").write_text("[]")
    done = run("audit", "--domain", "retail", "--pack", "tau2", *more)
    assert (done.status, done.out) == (2, "")
    assert "nothing was audited" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--domain", "nowhere"], "no domain 'nowhere'"),
        (["--domain", "retail", "--pack", "mine"], "retail has no pack 'mine' here"),
        (["--domain", "retail", "--policies", "null,cheat"], "no policy 'cheat'; there are: oracle, null, refuse"),
        (["--domain", "retail", "--split", "best"], "no split 'best'; there are: train, val, test"),
    ],
)
def test_unknown_names_are_one_readable_line(run: Run, arguments: list[str], words: str) -> None:
    """The error for an unknown name lists the known ones."""
    done = run("audit", *arguments)
    assert done.status == 2
    assert words in done.err
    assert (done.out, done.err.count("\n")) == ("", 1)


@pytest.mark.slow
def test_the_documents_have_the_generated_table(run: Run) -> None:
    """The table in docs/domains.md is the output of `env-server domains --markdown`, with a line of every domain."""
    table = run("domains", "--markdown").out.strip()
    assert [line.split()[1] for line in table.splitlines()[2:]] == list(domains())
    assert table in DOCUMENT.read_text(encoding="utf-8"), "paste the output of `env-server domains --markdown`"
