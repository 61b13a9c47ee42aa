"""`env-server play` with a person on one side or both, or as a spectator of two models."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from env_server.commands.play import shown_retry as attended
from tests.commands.conftest import ROOT, Run
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

PHONE = ("play", "--domain", "telecom", "--split", "test", "--index", "29")
SHOP = ("play", "--domain", "retail", "--split", "test", "--index", "0")
MODELS = ("--agent", "openai:m", "--user", "llm")


@pytest.fixture
def models(standin: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """An endpoint for any model that plays: one question a message, and retries without a pause."""
    monkeypatch.setenv("ENV_SERVER_USER_BASE_URL", standin.url)
    monkeypatch.setenv("ENV_SERVER_USER_MODEL", "m")
    monkeypatch.setenv("ENV_SERVER_USER_RETRIES", "0")
    monkeypatch.setenv("OPENAI_BASE_URL", standin.url)
    monkeypatch.setattr(attended, "PAUSE_S", 0.01)
    return standin


def is_agent(asked: Asked) -> bool:
    """Whether a question is the agent's, by the agent's tools."""
    return any(tool["function"]["name"] == "cancel_pending_order" for tool in asked.body.get("tools", ()))


def test_a_person_plays_the_user(run: Run) -> None:
    """The person sees their part and the agent's words, uses the user's tools, and sees no call of the agent."""
    typed = ("Hi, no pictures!", "toggle_airplane_mode", *("Yes, it is off.",) * 12, ":stop")
    done = run(*PHONE, "--as", "user", "--json", typed=typed)
    assert (done.result["reward"], done.result["stop_reason"]) == (1.0, "user_stop")
    wanted = ("your part as the customer", "Katya Engel", "Airplane mode is now off", "Please toggle airplane mode")
    assert [part for part in wanted if part not in done.err] == []
    assert "get_customer_by_phone" not in done.err


def test_the_user_may_look_over_the_agents_shoulder(run: Run) -> None:
    """`:calls` shows the calls that were not shown, and from then on every call."""
    asked = ("Hi!", "It is 555-936-3635.", "Yes.", ":help", ":tools", ":wish", ":calls")
    typed = (*asked, "check_status_bar", ":last", ":calls", ":quit")
    done = run(*PHONE, "--as", "user", "--json", typed=typed)
    before, _, after = done.err.partition("get_customer_by_phone")
    assert "check_network_mode_preference" in before
    assert '"full_name": "Katya Engel"' in after
    assert after.count("Status bar: ") == 2
    assert done.result["stop_reason"] == "closed"


def test_the_customer_is_told_which_turns_were_kept_back(run: Run, models: StandIn) -> None:
    """Before each message of the agent stands what the agent did since the last one; `:calls` shows the named turns."""
    act = Reply(calls=(Call("list_all_product_types"),))
    models.then(act, "We sell a lot.", act, act, "As I said.", "You are welcome.")
    done = run(
        *SHOP, "--as", "user", "--agent", "openai:m", "--json", typed=("Hi!", "Sure?", ":calls", "Thanks.", ":stop")
    )
    told = [line for line in done.err.splitlines() if line.startswith(("·", "→"))]
    notes = [f"· {turns}: the agent used its tools; :calls shows how" for turns in ("turn 1", "turns 3 to 4")]
    assert told[:2] == notes
    assert [line.split()[-1] for line in told[2:]] == ["1", "3", "4"]
    first, words = done.err.index(notes[1]), done.err.index("As I said.")
    assert done.err.index("Sure?") < first < words


def test_nobody_waits_for_who_sits_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who plays the customer is not told to wait for the customer."""
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    done = run(*SHOP, "--as", "user", "--json", typed=("Hi!", ":stop"))
    assert ("waiting for the agent" in done.err, "waiting for the server" in done.err) == (True, True)
    assert "waiting for the user" not in done.err


def test_the_same_call_twice_is_made_twice(run: Run) -> None:
    """The pieces of the user's part are numbered, so that an equal call is no retry."""
    typed = ("Hi!", "toggle_airplane_mode", "toggle_airplane_mode", "toggle_airplan", "toggle_airplane_mode now=1")
    done = run(*PHONE, "--as", "user", "--json", typed=typed)
    assert ("is now off" in done.err, "is now on" in done.err) == (True, True)
    assert "did you mean toggle_airplane_mode?" in done.err


def test_a_person_on_both_sides_uses_both_sides_tools(run: Run) -> None:
    """Each prompt takes the tools of its own side only."""
    typed = ("Help!", "check_status_bar", "Look at your phone.", "check_status_bar", ":tools", "Done.", ":quit")
    done = run(*PHONE, "--as", "both", "--json", typed=typed)
    assert "there is no tool 'check_status_bar'" in done.err
    assert "Status bar: airplane mode" in done.err
    assert done.result["turns"] == 1


@pytest.mark.parametrize("agent", ["oracle", "heuristic", "transfer"])
def test_rules_may_be_watched(run: Run, agent: str) -> None:
    """Without a person on either side, a rule plays the agent, and everything is shown."""
    shown = run(*SHOP, "--as", "nobody", "--agent", agent)
    assert (shown.status, shown.err) == (0, "")
    assert "reward" in shown.out
    assert "waiting for the" not in shown.out


def test_two_models_face_each_other(run: Run, models: StandIn) -> None:
    """A model plays the agent with its tools and another the user, over the real protocol; every message is shown."""
    said = iter(["Hello, it is me.", "Thank you.", "###STOP###"])
    acts = iter([Reply(calls=(Call("list_all_product_types"),)), Reply("We sell a lot."), Reply("You are welcome.")])
    models.program = lambda asked: next(acts) if is_agent(asked) else Reply(next(said))
    done = run(*SHOP, "--as", "nobody", *MODELS)
    wanted = ("Hello, it is me.", "list_all_product_types", "We sell a lot.", "You are welcome.", "user_stop after 3")
    assert [part for part in wanted if part not in done.out] == []
    assert len(models.journal) == 6


def test_a_model_plays_a_person(run: Run, models: StandIn) -> None:
    """A person in the user's seat talks with a model."""
    models.program = lambda asked: f"You said: {asked.last}"
    done = run(*SHOP, "--as", "user", "--agent", "openai:m", "--json", typed=("One.", "Two.", ":stop"))
    assert "You said: Two." in done.err
    assert (done.result["turns"], len(models.journal)) == (2, 2)


def test_a_failing_user_leaves_the_person_where_they_were(run: Run, models: StandIn) -> None:
    """The typed message is kept after a failure: Enter sends it again, and it is played once."""
    models.then("Hi.", Reply(status=500), Reply(status=500), "At last.")
    done = run(*SHOP, "--user", "llm", "--json", typed=("What is your name?", "", "", ":quit"))
    assert "At last." in done.err
    assert done.err.count("nothing is lost") == 2
    assert (done.result["turns"], done.result["reward"]) == (1, 0.0)


def test_who_leaves_after_a_failure_is_not_scored(run: Run, models: StandIn) -> None:
    """An episode that is left after a failure of the infrastructure has no reward."""
    models.then(Reply(status=500))
    done = run(*SHOP, "--as", "user", "--agent", "openai:m", "--json", typed=("Hello.", ":quit"))
    assert (done.result["reward"], done.result["stop_reason"]) == (None, "closed")


def test_models_that_fail_are_asked_again(run: Run, models: StandIn) -> None:
    """If no person can be asked, a failure is shown and the same message is tried again."""
    models.then("Hi.", Reply(status=500), "Hello.", Reply(status=500), "###STOP###")
    done = run(*SHOP, "--as", "nobody", *MODELS)
    assert done.status == 0
    assert done.out.count("trying again in 0.01 s") == 2
    assert "user_stop after 1" in done.out


def test_models_that_go_on_failing_end_it(run: Run, models: StandIn) -> None:
    """The episode ends with one line and shows no reward."""
    models.then("Hi.").program = lambda _asked: Reply(status=500)
    done = run(*SHOP, "--as", "nobody", *MODELS, "--json")
    assert (done.status, done.out) == (2, "")
    assert "the agent's model does not answer" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "random"], "it is for --as user and --as nobody"),
        (["--as", "oracle", "--agent", "random"], "--agent has no effect with --as oracle"),
        (["--as", "user", "--user", "scripted"], "you play the user, not scripted"),
        (["--as", "nobody", "--agent", "wizard"], "--agent is one of"),
        (["--as", "nobody", "--agent", "openai:"], "name the model"),
        (["--as", "nobody", "--agent", "openai:m"], "set OPENAI_API_KEY"),
        (["--user", "llm"], "set ENV_SERVER_USER_MODEL, and OPENAI_API_KEY or ENV_SERVER_USER_BASE_URL"),
        (["--as", "nobody", "--agent", "openai:m", "--policy-url", "nowhere"], "'nowhere' is not an http address"),
        (["--as", "user", "--agent", "openai:m", "--policy-url", "http://127.0.0.1:1"], "cannot be reached"),
    ],
)
def test_contradictions_are_one_readable_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    """Options that contradict each other are refused before anything is begun or asked."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = run(*SHOP, *arguments, typed=("Hello.",))
    assert words in " ".join((done.err + done.out).split())


def test_nobody_plays_an_external_user_against_a_model(run: Run, models: StandIn) -> None:
    """An external user against a model is refused, because a model does not play both sides."""
    done = run(*SHOP, "--as", "nobody", "--agent", "openai:m", "--user", "external")
    assert (done.status, models.journal) == (2, [])
    assert "nobody plays this user" in done.err


def _heed_interrupts() -> None:
    """Let Ctrl-C reach the process even if a shell has started the tests in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Terminal:
    """The command in a real terminal."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        """Start the command."""
        self._end, inner = pty.openpty()
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "100"}
        surroundings.pop("NO_COLOR", None)
        command = [sys.executable, "-m", "env_server.cli", *arguments]
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=surroundings,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
            preexec_fn=_heed_interrupts,  # noqa: PLW1509 -- it runs no code of another thread
        )
        os.close(inner)
        self.shown = ""
        self._unread = ""

    def __enter__(self) -> Self:
        """Return the terminal."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, also after a failed test."""
        self.process.kill()
        self.process.wait()
        os.close(self._end)

    def until(self, words: str, seconds: float = 300.0) -> str:
        """Read until `words` are shown, and return the text up to their end. The next call goes on behind them."""
        deadline = time.monotonic() + seconds
        while words not in self._unread:
            left = deadline - time.monotonic()
            assert select.select([self._end], [], [], max(left, 0))[0], self._unread
            try:
                read = os.read(self._end, 4096).decode("utf-8", "replace")
            except OSError as e:  # the process has ended
                raise AssertionError(self._unread) from e
            self.shown += read
            self._unread += read
        found, at, self._unread = self._unread.partition(words)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", found + at)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._end, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, as quickly as a person can: `input` shows its prompt a moment before it looks for signals."""
        time.sleep(0.3)
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for the end and return the status."""
        return self.process.wait(300)


@pytest.mark.slow
def test_a_terminal_completes_and_leaves_at_once(tmp_path: Path) -> None:
    """Tab completes a tool of one's own side, colours are shown, and Ctrl-C at a prompt leaves the episode open."""
    with Terminal(*PHONE, "--as", "user", cwd=tmp_path) as terminal:
        terminal.until("user > ")
        terminal.type("check_status\t\n")
        terminal.until("airplane mode, battery 80%")
        terminal.until("user > ")
        terminal.interrupt()
        terminal.until("--resume ")
        assert terminal.ended() == 130
    assert "\x1b[" in terminal.shown


@pytest.mark.slow
def test_waiting_ends_with_ctrl_c(models: StandIn, tmp_path: Path) -> None:
    """While a model is asked, the screen says so, and Ctrl-C leaves the episode open."""
    models.then("Hi.").program = lambda _asked: Reply("Too late.", delay_s=15)
    with Terminal(*SHOP, "--as", "nobody", *MODELS, cwd=tmp_path) as terminal:
        terminal.until("waiting for the agent")
        terminal.interrupt()
        terminal.until("--resume ")
        assert terminal.ended() == 130
