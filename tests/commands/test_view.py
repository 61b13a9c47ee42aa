"""`env-server view`: its inputs, the file that it writes, its refusals, and hostile texts, which stay text."""

import json
import re
import sqlite3
from pathlib import Path
from time import time
from typing import Any

import pytest

from env_server.commands import view
from env_server.records.archive.write import Archiving
from env_server.records.engine import make_engine
from tests.commands.conftest import Run, database_of
from tests.commands.view_files import HOSTILE, tau2, tau_bench
from tests.page.test_report import Seen

PLAY = ("eval", "--domain", "retail", "--policy", "heuristic", "--limit", "3", "--trials", "2", "--json")


@pytest.fixture
def database(run: Run) -> Path:
    """The database of a run of six episodes."""
    done = run(*PLAY, "--run", "played")
    assert done.status == 0, done.err
    return database_of(Path.cwd())


def shown(run: Run, *arguments: str) -> tuple[Any, str]:
    """Run the command; return its result and the text of the file."""
    done = run("view", *arguments, "--json")
    assert done.status == 0, done.err
    return done.result, Path(done.result["html"]).read_text(encoding="utf-8")


def words_of(page: str) -> str:
    """The words of a page in one line, without its head."""
    body = page.partition("<body>")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def saved(value: Any, name: str = "results.json") -> str:
    """The name of a new file with a JSON value."""
    Path(name).write_text(json.dumps(value), encoding="utf-8")
    return name


def test_a_database_is_read_only(run: Run, database: Path) -> None:
    """A run's episodes with their transcripts and reasons; not a byte of the database's file differs afterwards."""
    before = database.read_bytes()
    result, page = shown(run, str(database), "--run", "played")
    assert database.read_bytes() == before
    assert (result["format"], result["episodes"], result["tasks"], result["transcripts"]) == ("database", 6, 3, 6)
    assert page.count('<div id="episode-') == 6
    assert page.count('<div class="bubble agent">') > 6
    assert "Reward 0, because of " in page
    assert shown(run, f"sqlite:///{database}")[0]["episodes"] == 6


def test_a_database_in_a_folder_that_nobody_may_write(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database on a read-only medium is read without the files that SQLite makes beside a database."""
    sqlite3.connect(database).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    Path("medium").mkdir()
    Path("medium/copy.db").write_bytes(database.read_bytes())
    monkeypatch.setattr("env_server.records.engine.os.access", lambda *_: False)
    assert shown(run, "medium/copy.db")[0]["episodes"] == 6
    assert [file.name for file in Path("medium").iterdir()] == ["copy.db"]


def test_trajectories_and_archives_show_what_the_database_shows(run: Run, database: Path) -> None:
    """JSON lines, one trajectory, and a Parquet file hold the same episodes, with equal figures and transcripts."""
    figures, page = shown(run, str(database))
    ids = re.findall(r'<div id="episode-(ep_\w+)">', page)
    records = [json.loads(run("trajectory", id).out) for id in ids]
    Path("all.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n\n", encoding="utf-8")
    Archiving(make_engine(f"sqlite:///{database}"), Path("kept"), time() + 1).run()
    for name in ("all.jsonl", "kept", str(next(Path("kept").glob("*.parquet")))):
        result, other = shown(run, name)
        assert (result["episodes"], result["success"], result["scored"]) == (6, figures["success"], 6)
        assert sorted(re.findall(r'<div id="episode-(ep_\w+)">', other)) == sorted(ids)
        assert words_of(other).count("changed") == words_of(page).count("changed")
        assert other.count('<div class="bubble') == page.count('<div class="bubble')
    result, one = shown(run, saved(records[0], "one.json"))
    assert (result["episodes"], one.count('<div id="episode-')) == (1, 1)
    task = records[0]["episode"]["task_id"]
    assert shown(run, "all.jsonl", "--task", task)[0]["episodes"] == 2
    cut = shown(run, "all.jsonl", "--limit", "4")[0]
    assert (cut["episodes"], cut["more"]) == (4, True)


def test_results_of_tau2_bench(run: Run) -> None:
    """The file has rewards with reasons, the user's tools, results in the order of calls, tokens and costs."""
    result, page = shown(run, saved(tau2()))
    assert result["format"] == "results of tau2-bench"
    assert (result["episodes"], result["scored"], result["success"]) == (2, 2, 0.5)
    said = words_of(page)
    assert "Reward 0, because of DB: the rows differ from the solution&#39;s; COMMUNICATE: not said 12.50." in said
    assert "not called refund({&#34;order&#34;: &#34;W1&#34;})" in said
    assert "look_up({" not in said.partition("Tools")[0]
    assert "agent $0.2500, user $0.5000" in said
    assert re.search(r"look_up \{&#34;order&#34;: &#34;W1&#34;\} Arguments .*? Result \{ &#34;status&#34;", said)
    assert re.search(r"user reboot \{\} Arguments \{\} Result restarted user It works now\. ###STOP###", said)
    assert "agent model-x I have cancelled it. user model-y" in said
    Path("run/simulations").mkdir(parents=True)
    whole = tau2()
    for simulation in whole.pop("simulations"):
        saved(simulation, f"run/simulations/{simulation['id']}.json")
    saved(whole, "run/results.json")
    for name in ("run", "run/results.json"):
        assert words_of(shown(run, name)[1]).partition("Result")[2] == said.partition("Result")[2]


def test_results_of_tau_bench(run: Run) -> None:
    """The file has native calls, calls as text with results, failed calls, missing actions and outputs, and errors."""
    result, page = shown(run, saved(tau_bench()))
    assert (result["format"], result["episodes"], result["tasks"]) == ("results of tau-bench", 3, 2)
    assert result["success"] == 0.25
    said = words_of(page)
    assert "in the solution, and not called like this cancel({&#34;order&#34;: &#34;W1&#34;})" in said
    assert "outputs: not said 10" in said
    assert "Reward 0, because of an error of the program: Your order is cancelled." in said
    assert re.search(r"agent thinking I cancel it\. cancel \{.*?Result cancelled", said)
    assert "agent It is done." in said
    assert "API output" not in said
    assert re.search(r"look_up 1 1 \d", said)  # one call, and it failed


def test_hostile_texts_stay_text(run: Run) -> None:
    """Scripts, pictures, closing tags and broken Unicode in every text make no element and no attribute."""
    for build in (tau2, tau_bench):
        harmless, hostile = [
            Seen(shown(run, saved(build(words)))[1]).found for words in ("harmless words of an agent", HOSTILE)
        ]
        assert [(tag, sorted(attributes)) for tag, attributes in hostile] == [
            (tag, sorted(attributes)) for tag, attributes in harmless
        ]
        assert not {"script", "img", "link", "iframe", "form"} & {tag for tag, _ in hostile}


def test_a_hostile_name_stays_text(run: Run) -> None:
    """A file whose name is a script adds no element, and the written file has a plain name."""
    Path("<script>alert(1)<").mkdir()
    name = saved(tau2(), "<script>alert(1)<\\script>.json")
    result, page = shown(run, name)
    assert "script" not in {tag for tag, _ in Seen(page).found}
    assert re.fullmatch(r"[\w.-]+\.html", Path(result["html"]).name)


BAD = {
    "empty": (b"", "no JSON"),
    "bytes": (b"\xff\xfe\x00\x81", "UTF-8"),
    "a page": (b"<html>", "no JSON"),
    "another object": (b'{"a": 1}', "neither trajectories"),
    "an empty list": (b"[]", "neither trajectories"),
    "nested": (b"[" * 200_000, "no JSON"),
    "half a trajectory": (b'{"episode": {}, "turns": []}', "line 1 is no trajectory: episode.episode_id"),
    "tau2 without ids": (b'{"simulations": [{"task_id": "1"}]}', "simulation 0 is not one of tau2-bench: id"),
    "tau2 with a reward of 7": (
        b'{"simulations": [{"id": "a", "task_id": 1, "termination_reason": "x", "reward_info": {"reward": 7}}]}',
        "simulation 0 is not one of tau2-bench: reward_info.reward",
    ),
    "tau-bench with NaN": (b'[{"task_id": 1, "reward": NaN, "traj": []}]', "result 0 is not one of tau-bench: reward"),
    "a damaged database": (b"SQLite format 3\0" + b"\0" * 5_000, "database"),
    "a damaged archive": (b"PAR1" + b"\0" * 500, "cannot be read"),
}


@pytest.mark.parametrize(("content", "why"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_line(run: Run, content: bytes, why: str) -> None:
    """One line says what is wrong with the file, and nothing is written."""
    Path("bad").write_bytes(content)
    done = run("view", "bad", "--html", "made.html")
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert why in done.err
    assert not Path("made.html").exists()


def test_a_bad_line_is_named(run: Run, database: Path) -> None:
    """The error names the one bad line among many trajectories."""
    newest = sqlite3.connect(database).execute("SELECT episode_id FROM episodes").fetchone()[0]
    good = run("trajectory", newest).out
    Path("lines.jsonl").write_text(f"{good}{good}{{\n", encoding="utf-8")
    done = run("view", "lines.jsonl")
    assert (done.status, "line 3 is no JSON" in done.err) == (2, True)


def test_what_is_not_there_is_one_line(run: Run, database: Path) -> None:
    """A missing file, folder, run or task, another URL scheme, and another folder are one line."""
    Path("folder").mkdir()
    for arguments, why in (
        (("nowhere.json",), "there is no such file"),
        (("sqlite:///nowhere.db",), "there is no such file"),
        (("mysql://user:secret@host/x",), "unsupported database"),
        (("postgresql://user:secret@127.0.0.1:1/x",), "database"),
        (("folder",), "no Parquet files"),
        ((str(database), "--run", "unknown"), "'unknown'"),
        ((str(database), "--task", "unknown"), "no episode of task 'unknown'"),
        ((saved(tau2()), "--run", "x"), "--run chooses a run of a database"),
        ((saved(tau2()), "--html", "folder"), "--html"),
    ):
        done = run("view", *arguments)
        assert (done.status, done.err.count("\n")) == (2, 1), done.err
        assert why in done.err
        assert "secret" not in done.err
    assert not Path("nowhere.db").exists()


def test_an_older_database_is_not_changed(run: Run, database: Path) -> None:
    """A database that lacks a migration is refused with the command that upgrades it, and stays as it is."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    before = database.read_bytes()
    done = run("view", str(database))
    assert (done.status, done.err.count("\n"), "env-server migrate" in done.err) == (2, 1, True)
    assert database.read_bytes() == before


def test_a_browser_opens_only_for_a_person(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser opens if there is a terminal and a display, and not with --no-browser."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    name = saved(tau2())
    run("view", name)
    assert opened == []
    monkeypatch.setattr(view, "_has_browser", lambda: True)
    run("view", name, "--no-browser")
    done = run("view", name)
    assert [address.startswith("file:///") for address in opened] == [True]
    assert "results of tau2-bench: 2 episodes, 2 tasks, success 50.0%" in done.out
