"""`env-server eval`: rules and models play a split, in this process and on a server, and the results."""

import itertools
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import stamina

from tests.commands.conftest import ROOT, Run, Server, data_folder, database_of
from tests.e2e.forked import Forked
from tests.e2e.server import PATIENCE_S
from tests.evals.player import Player, Sides, known, questions, without_clock
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Asked, Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

RETAIL = ("eval", "--domain", "retail", "--json")
NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def _no_plots(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Draw no plots: they take longer than these runs. tests/evals/report/test_page.py draws some."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr("env_server.evals.report.plots.draw", lambda _folder, _summary: {})


def model(standin: StandIn, *more: str) -> tuple[str, ...]:
    """A command in which the stand-in's model plays the tasks it knows."""
    return (*RETAIL, "--policy", "openai:m", "--policy-url", standin.url, "--limit", "6", *more)


def results(folder: str | Path) -> list[str]:
    """The lines of the written results."""
    return (Path(folder) / "results.jsonl").read_text(encoding="utf-8").splitlines()


def begun(folder: Path | None = None) -> int:
    """The number of episodes that commands in `folder` have begun; by default the working folder."""
    connection = sqlite3.connect(database_of(folder or Path.cwd()))
    try:
        found: int = connection.execute("select count(*) from episodes").fetchone()[0]
        return found
    finally:
        connection.close()


def test_a_dead_endpoint_is_named_before_anything_is_played(run: Run) -> None:
    """If nobody listens at the policy's endpoint, one line names it, and no database is made."""
    done = run(*RETAIL, "--policy", "openai:m", "--policy-url", "http://127.0.0.1:9/v1")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "the policy's model cannot be reached at http://127.0.0.1:9/v1: Connection refused" in " ".join(
        done.err.split()
    )
    assert not database_of(Path.cwd()).exists()


def test_a_server_that_cannot_be_reached_is_said_before_the_application_is_loaded() -> None:
    """The message comes before the command imports the application, a domain or the page."""
    code = "import sys, env_server.commands.evaluate\n"
    code += "late = ('env_server.app', 'fastapi', 'env_server.domains.retail', 'env_server.page.report')\n"
    code += "print([name for name in late if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_report_that_can_be_mailed_is_the_same_from_a_server(run: Run, server: Server) -> None:
    """`--html` has the result and each transcript; a run on a server has the same transcripts and failures."""
    command = (*RETAIL, "--policy", "heuristic", "--limit", "3", "--html")
    here, there = run(*command, "here/report.html"), run(*command, "there.html", "--url", server.url, "--key", "secret")
    assert (here.status, there.status) == (0, 0), here.err + there.err
    assert here.result["html"] == "here/report.html"
    texts = [Path(done.result["html"]).read_text(encoding="utf-8") for done in (here, there)]
    for text in texts:
        assert text.count('<div id="episode-') == 3
        assert text.count('<div class="bubble agent">') > 3
        assert text.count('class="why"') == 3
    assert texts[0].count('href="#episode-') == texts[1].count('href="#episode-') > 0


def test_an_html_file_that_cannot_be_written_is_named(run: Run) -> None:
    """If the folder of `--html` is a file, the error names `--html`, and the status is not 0."""
    Path("taken").write_text("", encoding="utf-8")
    done = run(*RETAIL, "--policy", "null", "--limit", "1", "--html", "taken/report.html")
    assert done.status != 0
    assert "--html" in done.err


def test_the_oracle_solves_everything_every_time(run: Run) -> None:
    """20 tasks, 2 trials: success and pass^2 are 1; the same command again plays nothing and prints the same."""
    command = (*RETAIL, "--policy", "oracle", "--limit", "20", "--trials", "2")
    first = run(*command)
    assert first.status == 0, first.err
    found = first.result
    assert (found["success"], found["pass_hat"]) == (1.0, {"1": 1.0, "2": 1.0})
    assert (found["episodes"], found["unscored"], found["left"]) == (40, 0, 0)
    keys = [(line["task_id"], line["trial"]) for line in map(json.loads, results(found["out"]))]
    assert keys == sorted(keys)
    assert len(set(keys)) == 40 == begun()
    report = (Path(found["out"]) / "report.md").read_bytes()
    again = run(*command)
    assert (again.result, begun()) == (found, 40)
    assert (Path(found["out"]) / "report.md").read_bytes() == report


@pytest.mark.parametrize("policy", ["null", "random"])
def test_who_knows_nothing_solves_nothing(run: Run, policy: str) -> None:
    """Success is 0, and every episode is scored."""
    found = run(*RETAIL, "--policy", policy, "--limit", "5").result
    assert (found["success"], found["scored"]) == (0.0, 5)


def test_users_and_draws_differ_between_trials(run: Run) -> None:
    """Each trial has a seed of its own, for the user and for random draws."""
    found = run(*RETAIL, "--policy", "random", "--limit", "4", "--trials", "2").result
    trials: dict[str, list[object]] = {}
    for line in map(json.loads, results(found["out"])):
        trials.setdefault(line["task_id"], []).append(line["tools"])
    assert any(first != second for first, second in trials.values())


def test_a_model_that_calls_tools(run: Run, standin: StandIn) -> None:
    """The model solves the tasks it knows; tokens, time and seeds of each trial are recorded."""
    standin.program = Player(known())
    found = run(*model(standin, "--trials", "2", "--temperature", "0.5")).result
    assert (found["success"], found["pass_hat"]["2"], found["left"]) == (1.0, 1.0, 0)
    assert found["policy"]["calls"] == len(standin.journal)
    assert found["policy"]["prompt_tokens"] == 100 * len(standin.journal)
    assert {(asked.body["seed"], asked.body["temperature"]) for asked in standin.journal} == {(0, 0.5), (1, 0.5)}


def test_a_model_that_writes_its_calls(run: Run, standin: StandIn) -> None:
    """Raw text is read by the server's parser; the tools are in the system message."""
    standin.program = Player(known(), text=True)
    found = run(*model(standin, "--format", "hermes")).result
    assert (found["success"], found["parse_failures"]) == (1.0, 0)
    assert all("tools" not in asked.body and "<tools>" in asked.messages[0]["content"] for asked in standin.journal)


def test_a_context_that_overflows_is_the_agents_error(run: Run, standin: StandIn) -> None:
    """A full context ends the episode with reward 0, and does not leave it for later."""
    full = Reply(status=400, body=b'{"error": {"message": "too long", "code": "context_length_exceeded"}}')
    standin.program = Player(known(), replies={1: full})
    found = run(*model(standin)).result
    assert (found["success"], found["left"]) == (0.0, 0)
    assert found["stop_reasons"] == {"agent_error": {"episodes": 6, "solved": 0}}


def test_what_an_outage_stops_is_left_and_goes_on(run: Run, standin: StandIn) -> None:
    """If an endpoint refuses, the episode has no reward and the status is 1; the same command continues at no cost."""
    standin.program = Player(known(), replies={2: Reply(status=401)})
    stopped = run(*model(standin))
    assert (stopped.status, stopped.result["episodes"], stopped.result["left"]) == (1, 0, 6)
    assert "6 episodes are left" in stopped.err
    assert "401" in stopped.err
    asked = len(standin.journal)
    standin.program = Player(known())
    found = run(*model(standin)).result
    assert (found["success"], found["left"], begun()) == (1.0, 0, 6)
    assert found["policy"]["calls"] == len(standin.journal) - 6, asked


def test_a_run_means_one_thing(run: Run) -> None:
    """A run's name with other options is refused with the option; nothing is played."""
    assert run(*RETAIL, "--limit", "1", "--run", "mine").status == 0
    other = run(*RETAIL, "--limit", "1", "--run", "mine", "--trials", "2", "--seed", "5")
    assert other.status == 2
    assert "trials was 1, now 2; seed was 0, now 5" in other.err
    assert begun() == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--split", "nope"), "no split 'nope'"),
        (("--policy", "nope"), "no policy 'nope'"),
        (("--policy", "openai:"), "name the model"),
        (("--policy", "openai:m"), "OPENAI_API_KEY"),
        (("--policy", "openai:m", "--policy-url", "nowhere"), "is not an http address"),
        (("--policy", "openai:m", "--policy-url", "http://127.0.0.1:9", "--user", "external"), "--user llm"),
        (("--user", "nobody"), "no user strategy"),
        (("--pack", "nope"), "no pack 'nope'"),
        (("--url", "http://127.0.0.1:9"), "cannot be reached"),
        (("--url", "http://me:hunter2@127.0.0.1:9"), "--url is not the address of a server: write http://HOST:PORT"),
        (("--url", "me:hunter2@127.0.0.1:9"), "--url is not the address of a server: write http://HOST:PORT"),
        (("--url", "http://127.0.0.1:99999"), "--url is not the address of a server"),
        (("--run", ""), "--run"),
        (("--run", "r" * 300), "--run"),
        (("--user", "u" * 300), "--user: string should have at most 200 characters"),
        (("--user-model", "u" * 300), "--user-model: string should have at most 200 characters"),
        (("--seed", str(2**53), "--trials", "2"), f"--seed: trial t plays with seed + t, up to {2**53 + 1}"),
        (("--split", "\udcff"), "--split is not a text in UTF-8"),
        (("--policy", "openai:\udcff"), "--policy is not a text in UTF-8"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], said: str
) -> None:
    """Status 2 and one line with the reason; no run is begun."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    failed = run(*RETAIL, "--limit", "1", *options)
    assert (failed.status, failed.out) == (2, "")
    assert said in failed.err
    assert "hunter2" not in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert not Path("eval-results").exists()


def test_names_that_look_alike_have_reports_of_their_own(run: Run) -> None:
    """Characters that no folder can have are replaced, and names that then look alike get folders of their own."""
    out = [run(*RETAIL, "--limit", "1", "--run", name).result["out"] for name in ("A/B", "A-B", "Ü")]
    assert len(set(out)) == 3
    assert out[1] == str(Path("eval-results/A-B"))


def test_without_a_user_the_oracle_ends_its_episodes(run: Run) -> None:
    """Without a user the oracle ends an episode itself, and plays an external user itself."""
    assert run(*RETAIL, "--limit", "3", "--user", "none").result["stop_reasons"]["completed"]["solved"] == 3
    assert run(*RETAIL, "--limit", "3", "--user", "external").result["success"] == 1


def key_sent(standin: StandIn) -> str | None:
    """The key in the last question to the policy's endpoint."""
    return standin.journal[-1].headers.get("authorization")


def test_the_key_of_openai_goes_nowhere_else(run: Run, standin: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another endpoint gets its own key or none; an endpoint in OpenAI's place gets OpenAI's key."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    standin.program = Player(known())
    one = (*RETAIL, "--policy", "openai:m", "--limit", "1", "--max-turns", "1")
    there = ("--policy-url", standin.url)
    run(*one, *there, "--run", "none")
    assert key_sent(standin) is None
    run(*one, *there, "--run", "given", "--policy-key", "sk-own")
    assert key_sent(standin) == "Bearer sk-own"
    monkeypatch.setenv("OPENAI_BASE_URL", standin.url)
    run(*one, "--run", "instead")
    assert key_sent(standin) == "Bearer sk-openai"
    monkeypatch.setenv("ENV_SERVER_POLICY_KEY", "sk-own")
    run(*one, "--run", "variable")
    assert key_sent(standin) == "Bearer sk-own"


def test_a_policy_is_never_recalled(run: Run, standin: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run asks the policy's model anew in spite of the response cache: the name may stand for another model."""
    monkeypatch.setenv("ENV_SERVER_RESPONSE_CACHE", "true")
    standin.program = Player(known())
    first = run(*model(standin, "--run", "monday")).result
    second = run(*model(standin, "--run", "tuesday")).result
    assert (second["policy"]["cached"], second["policy"]["calls"]) == (0, first["policy"]["calls"])
    assert len(standin.journal) == 2 * first["policy"]["calls"]


def test_a_users_outage_ends_no_episode(run: Run, standin: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process an episode is left and continued, however often its user fails in a turn."""
    settings = {"USER_BASE_URL": standin.url, "USER_MODEL": "u", "USER_RETRIES": "0", "USER_ATTEMPTS": "1"}
    for name, value in settings.items():
        monkeypatch.setenv(f"ENV_SERVER_{name}", value)
    sides = Sides(Player(known()))
    standin.program = lambda asked: Reply(status=503) if "Anything else?" in asked.last else sides(asked)
    with stamina.set_testing(True, attempts=3, cap=True):
        away = run(*model(standin, "--user", "llm"))
        assert (away.status, away.result["episodes"], away.result["left"]) == (1, 0, 6)
        assert "user_unavailable" in away.err
        standin.program = sides
        back = run(*model(standin, "--user", "llm")).result
    assert (back["success"], back["left"], begun()) == (1.0, 0, 6)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server."""
    found = Server(tmp_path_factory.mktemp("server"), {"ENV_SERVER_API_KEYS": "me:secret"})
    yield found
    found.kill()


def test_on_a_server(run: Run, server: Server, standin: StandIn) -> None:
    """Rules and models play over HTTP; the episodes are on the server, and the results here."""
    standin.program = Player(known())
    there = ("--url", server.url, "--key", "secret")
    assert run(*RETAIL, "--limit", "5", *there).result["success"] == 1
    assert run(*model(standin, *there)).result["success"] == 1
    assert begun() == 0
    refused = run(*RETAIL, "--limit", "5", "--url", server.url)
    assert (refused.status, refused.out) == (2, "")


class Talker(Player):
    """A model that makes the right calls, with other words each time it is asked."""

    def __call__(self, asked: Asked) -> Reply:
        """The next message."""
        said = super().__call__(asked)
        return replace(said, content=f"{said.content or ''} ({next(NUMBERS)})")


def test_a_run_of_another_database_has_its_own_episodes(
    run: Run, server: Server, standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command with another database of results does not meet the first one's episodes on the server."""
    standin.program = Talker(known())
    for name in ("a", "b", "b"):
        monkeypatch.setenv("ENV_SERVER_DATABASE_URL", f"sqlite:///{name}.db")
        done = run(*model(standin, "--url", server.url, "--key", "secret"))
        assert (done.status, done.result["success"], done.result["left"]) == (0, 1.0, 0), done.err


@pytest.mark.slow
def test_two_processes_on_one_run_do_no_harm(run: Run, standin: StandIn, tmp_path: Path) -> None:
    """Both processes play the same words and end with the same results; a third one has nothing to do."""
    standin.program = Talker(known(), delay_s=0.05)
    both = [Killed(tmp_path, standin, "--concurrency", "3").start() for _ in range(2)]
    assert [process.wait(PATIENCE_S) for process in both] == [0, 0]
    asked = len(standin.journal)
    found = run(*model(standin, "--concurrency", "3")).result
    assert (found["success"], found["episodes"], found["left"], begun()) == (1.0, 6, 0, 6)
    assert len(standin.journal) == asked <= 2 * found["policy"]["calls"]


class Killed:
    """A real `env-server eval` in a folder, which is killed again and again."""

    def __init__(self, folder: Path, standin: StandIn, *more: str) -> None:
        """Prepare the run."""
        self.folder, self.standin, self.command = folder, standin, model(standin, *more)

    def start(self) -> Forked:
        """Start the process."""
        nowhere = Path(os.devnull)
        env = os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(data_folder(self.folder))}
        return Forked("env-server", self.command, self.folder, env, nowhere, nowhere)

    def until(self, questions: int) -> bool:
        """Let it ask this many more questions, then kill it; return whether it was still running."""
        enough = len(self.standin.journal) + questions
        process = self.start()
        while process.poll() is None and len(self.standin.journal) < enough:
            time.sleep(0.002)
        process.kill()
        return process.wait(PATIENCE_S) != 0


@pytest.mark.slow
def test_killed_at_any_point_it_comes_to_the_same(run: Run, standin: StandIn, tmp_path: Path) -> None:
    """No episode is begun twice, only questions in flight are asked twice, and the report is the same."""
    hardly_killed(run, standin, tmp_path, kills=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_many_times_it_comes_to_the_same(run: Run, standin: StandIn, tmp_path: Path, seed: int) -> None:
    """The same holds for many kills at other points."""
    hardly_killed(run, standin, tmp_path, kills=10, seed=seed)


@pytest.mark.slow
def test_killed_while_users_are_asked_it_comes_to_the_same(
    run: Run, standin: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that a killed process had claimed is played once, after a wait."""
    settings = {"USER_BASE_URL": standin.url, "USER_MODEL": "u", "STEP_TIMEOUT_S": "3"}
    for name, value in settings.items():
        monkeypatch.setenv(f"ENV_SERVER_{name}", value)
    hardly_killed(run, standin, tmp_path, 4, 0, "--user", "llm")


def hardly_killed(run: Run, standin: StandIn, folder: Path, kills: int, seed: int = 0, *options: str) -> None:
    """Kill an evaluation some times, let it finish, and compare it with one that was not killed."""
    rng, concurrency, more = random.Random(seed), 3, ("--trials", "2", "--concurrency", "3", *options)
    standin.program = Sides(Player(known(), delay_s=0.02))
    alone = run(*model(standin, *more)).result
    asked = Counter(questions(standin.journal))
    standin.begin_anew(standin.program)
    there = folder / "killed"
    there.mkdir()
    killed = sum(Killed(there, standin, *more).until(rng.randint(0, 15)) for _ in range(kills))
    assert not Killed(there, standin, *more).until(10_000)
    out = there / alone["out"]
    assert (out / "report.md").read_bytes() == (Path(alone["out"]) / "report.md").read_bytes()
    assert list(map(without_clock, results(out))) == list(map(without_clock, results(alone["out"])))
    assert begun(there) == 12
    again = Counter(questions(standin.journal))
    assert again.keys() == asked.keys()
    assert (again - asked).total() <= killed * concurrency
    assert killed
