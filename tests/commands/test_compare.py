"""`env-server compare`."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from env_server.evals.outcome import EpisodeOutcome
from env_server.records import Store
from env_server.records.memos import Result
from tests.commands.conftest import Run
from tests.evals.outcomes import run as made

GOOD = made({f"t{i}": [1.0, 1.0] for i in range(12)})
POOR = made({f"t{i}": [float(i < 3), 0.0] for i in range(10)})
DATABASE = "evals.db"


def write(path: str, outcomes: Sequence[EpisodeOutcome]) -> str:
    """Write the file that `eval` would write."""
    Path(path).write_text("".join(json.dumps(o.plain()) + "\n" for o in outcomes), encoding="utf-8")
    return path


def keep(runs: Mapping[str, Sequence[EpisodeOutcome]]) -> None:
    """Store these runs in a database; each was asked for with its own policy."""

    async def keeping() -> None:
        store = Store.open(f"sqlite:///{DATABASE}")
        for name, outcomes in runs.items():
            await store.memos.keep("evaluation", name, json.dumps({"domain": "retail", "policy": f"openai:{name}"}))
            for o in outcomes:
                await store.memos.put_result(name, Result(o.task_id, o.trial, json.dumps(o.plain())))
        await store.close()

    asyncio.run(keeping())


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> None:
    """The configured database, with two runs."""
    keep({"poor": POOR, "good": GOOD, "fresh": []})
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", f"sqlite:///{DATABASE}")


@pytest.mark.usefixtures("database")
def test_runs_of_the_database_are_compared(run: Run) -> None:
    """Runs are named; the result has what is left out, different options, and the certainty of the difference."""
    done = run("compare", "poor", "good", "--json")
    assert done.status == 0, done.err
    found = done.result
    assert (found["tasks"], found["only_a"], found["only_b"]) == (10, 0, 2)
    assert found["success"]["difference"] == pytest.approx(0.85)
    assert found["success"]["interval"][0] > 0.5
    assert list(found["pass_hat"]) == ["1", "2"]
    assert found["asked"] == {"policy": ["openai:poor", "openai:good"]}
    assert len(found["better"]) == 10


@pytest.mark.usefixtures("database")
def test_a_file_stands_for_the_run_it_was_written_of(run: Run) -> None:
    """Files, or one file and one run, give the same result; two files need no database."""
    stored = run("compare", "poor", "good", "--json").result
    poor, good = write("poor.jsonl", POOR), write("good.jsonl", [*GOOD, *GOOD[:3]])
    for a, b in ((poor, "good"), ("poor", good), (poor, good)):
        assert run("compare", a, b, "--json").result["pass_hat"] == stored["pass_hat"]


def test_a_folder_stands_for_the_results_in_it(run: Run) -> None:
    """The folder of a report stands for the results file in it."""
    for name, outcomes in (("a", POOR), ("b", GOOD)):
        Path(name).mkdir()
        write(f"{name}/results.jsonl", outcomes)
    assert run("compare", "a", "b", "--json").result["tasks"] == 10


def test_of_many_runs_the_newest_are_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error lists the newest runs, and says how many more there are."""
    keep({f"r{i:02}": [] for i in range(30)})
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", f"sqlite:///{DATABASE}")
    assert ", ".join(f"r{i:02}" for i in range(29, 9, -1)) + " and 10 more" in run("compare", "none", "r00").err


def test_people_see_tables_and_a_verdict(run: Run) -> None:
    """Without --json people see tables with signs on the differences, and a verdict."""
    shown = run("compare", write("poor.jsonl", POOR), write("good.jsonl", GOOD)).out
    assert "10 tasks in both; left out: 2 only in B" in shown
    assert "+85.0%" in shown
    assert "B solves more than A." in shown
    assert "Better in B: 10" in shown
    backwards = run("compare", "good.jsonl", "poor.jsonl").out
    assert "B solves less than A." in backwards
    assert "do not tell A and B apart" in run("compare", "good.jsonl", "good.jsonl").out
    assert list(Path.cwd().glob("*.db")) == []


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none", "no file 'none', and no such run in "),
        ("none", "there are: fresh, good, poor"),
        ("fresh", "run 'fresh' has no finished episodes yet"),
        ("empty.jsonl", "empty.jsonl is empty"),
        ("torn.jsonl", "torn.jsonl, line 2 is not the outcome of an episode"),
        ("binary.jsonl", "binary.jsonl cannot be read"),
        ("other.jsonl", "no task has scored episodes in both runs"),
        ("nan.jsonl", "nan.jsonl, line 1 is not the outcome of an episode"),
        ("\udcff", "no file "),
        ("eval-results", "no file 'eval-results'"),
        ("x" * 5000, "no file 'xxx"),
    ],
)
def test_what_cannot_be_compared_is_one_readable_line(run: Run, name: str, words: str) -> None:
    """Bad names and bad files end with status 2 and say what is wrong."""
    write("empty.jsonl", [])
    write("other.jsonl", made({"elsewhere": [1.0]}))
    Path("torn.jsonl").write_text(json.dumps(GOOD[0].plain()) + "\n" + json.dumps(GOOD[1].plain())[:50])
    Path("nan.jsonl").write_text(json.dumps({**GOOD[0].plain(), "reward": float("nan")}))
    Path("eval-results").mkdir()
    Path("binary.jsonl").write_bytes(b"\xff\xfe\x00")
    done = run("compare", "good", name)
    assert words in done.err
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_no_database_is_made_by_looking_for_a_run(run: Run) -> None:
    """If there is no database, one line says so, and none is made."""
    done = run("compare", "poor", "good")
    assert "no file 'poor', and no database at " in done.err
    assert (done.status, list(Path.cwd().iterdir())) == (2, [])


def test_without_numpy_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names the extra that installs numpy."""
    for module in ("env_server.evals.report.compare", "env_server.estimates.compare"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    done = run("compare", "a", "b")
    assert "compare needs numpy: pip install '.[eval]' in a checkout" in done.err
    assert (done.status, done.err.count("\n")) == (2, 1)
