"""`env-server play`: the oracle, a person, and the errors."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from env_server.commands.output import program
from env_server.domains.discovery import domains
from tests.commands.conftest import Run, Server, database_of

DONE = {"episode_id", "task_id", "reward", "turns", "stop_reason", "breakdown"}
RETAIL = ("play", "--domain", "retail", "--split", "test", "--index")


@pytest.mark.parametrize("domain", list(domains()))
def test_the_oracle_scores_1(run: Run, domain: str) -> None:
    """The reference solution earns the whole reward with the scripted user.

    `tests/contract/test_scripted.py` plays it on every template.
    """
    done = run("play", "--domain", domain, "--split", "test", "--index", "7", "--as", "oracle", "--json")
    assert done.out.count("\n") == 1
    assert done.result.keys() == DONE
    assert done.result["reward"] == 1.0
    assert all(part["value"] == 1 for part in done.result["breakdown"].values())


def test_the_oracle_plays_an_external_user_too(run: Run) -> None:
    """If the user is external, the oracle plays the user too: it greets and, in the end, stops."""
    done = run(*RETAIL, "7", "--as", "oracle", "--user", "external", "--json")
    assert (done.result["reward"], done.result["stop_reason"]) == (1.0, "user_stop")


def test_the_same_seed_plays_the_same_task(run: Run) -> None:
    """Without a task, the seed picks one, and always the same."""
    first, second = (run("play", "--domain", "retail", "--seed", "5", "--as", "oracle", "--json") for _ in range(2))
    assert first.result["task_id"] == second.result["task_id"]
    assert first.result["episode_id"] != second.result["episode_id"]


def test_a_task_is_chosen_by_difficulty(run: Run) -> None:
    """The index counts tasks of that difficulty; an invalid level is an error in one line."""
    easy = ("--difficulty", "1-1", "--as", "oracle", "--json")
    found = [run(*RETAIL, index, *easy).result["task_id"] for index in ("0", "1")]
    listed = run("tasks", "--domain", "retail", "--split", "test", "--difficulty", "1", "--limit", "2", "--json")
    assert found == [task["task_id"] for task in listed.result["tasks"]]
    assert "give a level from 1 to 5" in run(*RETAIL, "0", "--difficulty", "hard").err


def test_people_see_the_whole_episode(run: Run) -> None:
    """Without --json the oracle's calls, the user's words and the reward's parts are shown."""
    shown = run(*RETAIL, "0", "--as", "oracle").out
    assert all(part in shown for part in ("cancel_pending_order", "cancelled", "reward", "state", "conduct"))


def test_a_person_plays(run: Run) -> None:
    """Words go to the user and calls to tools, typing mistakes are caught, and leaving explains what was missing."""
    typed = (
        "Hello!",
        ":help",
        'find_user_id_by_email email="nobody@example.com"',
        "find_user_id_by_email nobody@example.com",
        'get_ordr_details {"order_id": "#W1"}',
        "list_all_product_types",
        ":last",
        ":unheard",
        ":tools",
        ":policy",
        ":quit",
    )
    done = run(*RETAIL, "1", "--json", typed=typed)
    assert done.status == 0
    assert done.result["reward"] == 0.0
    assert (done.result["turns"], done.result["stop_reason"]) == (3, "closed")
    assert done.out.count("\n") == 1
    wanted = (
        "did you mean get_order_details?",
        "there is no command :unheard",
        "usage: find_user_id_by_email email=<string>",
        ":policy shows the rules",
        "missing: ",
        "Expected",
        "closed after 3 turns",
    )
    assert [part for part in wanted if part not in done.err] == []


def test_turns_are_the_agents(run: Run) -> None:
    """Closing the episode counts as no turn, on the agent's turn and on the user's."""
    left = run(*RETAIL, "0", "--json", typed=("Hi.",))
    both = run(*RETAIL, "0", "--as", "both", "--json", typed=("Hello.", "Hi."))
    assert [done.result["turns"] for done in (left, both)] == [1, 1]
    assert "closed after 1 turn\n" in "\n".join(line.strip(" ┃") for line in left.err.splitlines()) + "\n"
    assert run(*RETAIL, "0", "--json").result["turns"] == 0


def test_what_is_typed_from_a_pipe_is_shown(run: Run) -> None:
    """Input from a pipe is shown after its prompt, without characters that would steer a terminal."""
    shown = run(*RETAIL, "0", typed=("Good day.", "find_user_id_by_email", "a\x1bb")).out
    lines = [line for line in shown.splitlines() if line.startswith("agent > ")]
    assert lines == [
        "agent > Good day.",
        "agent > find_user_id_by_email",
        "agent > a\N{REPLACEMENT CHARACTER}b",
        "agent > ",
    ]


def test_the_end_of_input_leaves(run: Run) -> None:
    """The end of the input closes the episode."""
    assert run(*RETAIL, "0", "--json").result["stop_reason"] == "closed"


def test_a_person_plays_both_sides(run: Run) -> None:
    """With an external user the person is asked for the user's words, and ends the episode with the user's line."""
    done = run(*RETAIL, "0", "--user", "external", "--json", typed=("Good day.", "How can I help?", "###STOP###"))
    assert (done.result["turns"], done.result["stop_reason"]) == (1, "user_stop")
    assert "Yusuf Rossi" in done.err
    assert "###STOP### there ends the episode" in " ".join(done.err.split())


def test_the_domain_may_be_left_out(run: Run) -> None:
    """If there is only one domain, it need not be named."""
    done = run("play", "--split", "test", "--index", "7", "--as", "oracle", "--json")
    assert len(domains()) != 1 or done.result["reward"] == 1.0


def test_nothing_is_left_in_the_working_folder(run: Run, tmp_path: Path) -> None:
    """An episode in this process is stored in the user's data folder."""
    run(*RETAIL, "0", "--as", "oracle")
    assert list(tmp_path.iterdir()) == []
    assert database_of(tmp_path).is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--domain", "retail", "--task-id", "T"], "--task-id is --task now: --task T"),
        (["play", "--domain", "retail", "--agent-url", "http://x"], "--agent-url is --policy-url now"),
        (["audit", "retail"], "--domain retail"),
    ],
)
def test_old_names_are_refused_with_the_new_ones(run: Run, arguments: list[str], words: str) -> None:
    """A command with its earlier name ends with status 2 and its present name."""
    done = run(*arguments)
    assert (done.status, words in done.err, done.err.count("\n")) == (2, True, 1)


def test_an_interrupted_episode_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves the episode open and shows no solution; the printed command continues after the last turn."""
    typed = iter(["Hello!"])

    def interrupted() -> str:
        line = next(typed, None)
        if line is None:
            raise KeyboardInterrupt
        return line

    with monkeypatch.context() as patch:
        patch.setattr("builtins.input", interrupted)
        left = run(*RETAIL, "1", "--json")
    assert left.status == 130
    assert (left.result["reward"], left.result["stop_reason"], left.result["turns"]) == (None, None, 1)
    assert "Expected" not in left.err
    command = next(line.split() for line in left.err.splitlines() if "--resume" in line)
    assert command[:2] == [program(), "play"]
    went_on = run(*command[1:], "--json", typed=("One moment.",))
    assert went_on.status == 0, went_on.err
    assert went_on.result["turns"] == 2
    assert "Hello!" in went_on.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--domain", "nowhere"], "no domain 'nowhere'"),
        (["--domain", "retail", "--pack", "mine"], "retail has no pack 'mine'"),
        (["--domain", "retail", "--task", "no-such"], "'no-such' is no task id"),
        (["--domain", "retail", "--split", "test", "--index", "100000"], "has no index 100000"),
        (["--domain", "retail", "--task", "x", "--index", "1"], "name the task in one way, not by"),
        (["--domain", "retail", "--user", "wizard"], "no user strategy 'wizard'"),
        (["--domain", "retail", "--as", "wizard"], "--as must be one of: agent, user, both, nobody, oracle"),
        (["--domain", "retail", "--url", "http://127.0.0.1:1"], "http://127.0.0.1:1 cannot be reached"),
        (["--domain", "retail", "--url", "nonsense"], "cannot be reached"),
    ],
)
def test_errors_are_one_readable_line(run: Run, arguments: list[str], words: str) -> None:
    """Options that cannot be played end with status 2 and one line."""
    done = run("play", *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that asks for a key."""
    settings = {"ENV_SERVER_API_KEYS": "alice:sesame", "ENV_SERVER_DOMAINS": "retail,telecom"}
    started = Server(tmp_path_factory.mktemp("server"), settings)
    yield started
    status, _, err = started.stop(signal.SIGTERM)
    assert (status, err) == (0, "")


def test_the_oracle_plays_over_http(run: Run, server: Server) -> None:
    """On a server the same episode earns the same reward."""
    for user in ("scripted", "external"):
        options = ("--as", "oracle", "--user", user, "--url", server.url, "--key", "sesame", "--json")
        assert run(*RETAIL, "8", *options).result["reward"] == 1.0


def test_a_wrong_key_is_one_readable_line(run: Run, server: Server) -> None:
    """The server's refusal is shown."""
    done = run(*RETAIL, "8", "--url", server.url, "--key", "wrong")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "send a key" in done.err


def test_the_user_may_sit_at_a_server_too(run: Run, server: Server) -> None:
    """A person plays the user over HTTP, with the user's own tools; an equal call is made a second time."""
    options = ("--as", "user", "--url", server.url, "--key", "sesame", "--json")
    toggles = ("toggle_airplane_mode",) * 3
    typed = ("Hi!", *toggles, *("Yes, done.",) * 12, ":stop")
    done = run("play", "--domain", "telecom", "--split", "test", "--index", "29", *options, typed=typed)
    assert done.err.count("Airplane mode is now off") == 2
    assert (done.result["reward"], done.result["stop_reason"]) == (1.0, "user_stop")
