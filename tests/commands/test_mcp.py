"""`env-server mcp`: an episode over stdio, played by the official client."""

import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from tests.commands.conftest import Run
from tests.e2e.server import PATIENCE_S, Server
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

ROOT = Path(__file__).parents[2]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CODE = "from env_server.cli import app; app()"
FULL = 50_000
"""Bytes that nearly fill a pipe: it has room for sixteen pages, and not all of them are full."""


def started(folder: Path, *options: str) -> StdioServerParameters:
    """The parameters with which a client starts the command, in a folder of its own and without this environment."""
    database = f"sqlite:///{folder}/episodes.db"
    ours = os.pathsep.join((str(ROOT), str(ROOT / "schemas")))
    env = {"PYTHONPATH": ours, "ENV_SERVER_DATABASE_URL": database, "PATH": os.environ["PATH"]}
    return StdioServerParameters(command=sys.executable, args=["-c", CODE, "mcp", *options], env=env, cwd=folder)


def piped(how: StdioServerParameters) -> subprocess.Popen[bytes]:
    """The command as a process, with a pipe at each end."""
    pipe = subprocess.PIPE
    return subprocess.Popen([how.command, *how.args], env=how.env, cwd=how.cwd, stdin=pipe, stdout=pipe, stderr=pipe)


def calling(number: int, name: str = "think", **arguments: Any) -> dict[str, Any]:
    """A call of a tool, `think` by default."""
    params = {"name": name, "arguments": arguments or {"thought": "hm"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def lines(*messages: dict[str, Any]) -> bytes:
    """Messages as lines, after those that open the session."""
    return b"".join(json.dumps(message).encode() + b"\n" for message in (HELLO, READY, *messages))


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_a_client_plays_an_episode_it_started(tmp_path: Path, mode: str) -> None:
    """Tools, policy, words and calls work; the database has the episode, and the log its end."""
    parameters = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with (tmp_path / "log").open("w+") as log:
        async with Client(stdio_client(parameters, errlog=log), mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert tools[-1] == "respond"
            assert len((await client.get_prompt("start")).messages) == 2
            answer = await client.call_tool("respond", {"message": "Hello! What is your email address?"})
            (content,) = answer.content
            assert isinstance(content, TextContent)
            assert "yusuf.rossi5352@example.com" in content.text
            cancelled = await client.call_tool(
                "cancel_pending_order", {"order_id": "#W6204781", "reason": "ordered by mistake"}
            )
            assert not cancelled.is_error
        log.seek(0)
        told = log.read()
    assert '"event": "episode begun"' in told
    assert '"event": "episode closed"' in told
    assert '"turn": 3, "stop_reason": "closed", "reward": 0.0, "would_be": ' in told
    assert Server(tmp_path / "episodes.db", {"DOMAINS": "retail"}).verified()["ok"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--domain", "nowhere"), "no domain 'nowhere'"),
        (("--domain", "retail", "--user", "external"), "nobody can speak as the user over stdio"),
    ],
)
def test_what_cannot_be_begun_is_said_in_one_line(run: Run, tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    """The client's log has the reason in one line, and nothing is written to the protocol's output."""
    done = run("mcp", *options)
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert why in line
    assert not (tmp_path / "episodes.db").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_signal_closes_the_episode(tmp_path: Path, number: signal.Signals) -> None:
    """A signal ends the program although the input is open: it closes the episode, and the last line has its reward."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with piped(how) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert b"capabilities" in process.stdout.readline()
        process.send_signal(number)
        last = json.loads(process.stderr.read().splitlines()[-1])
        assert process.wait(PATIENCE_S) == 0
    assert (last["event"], last["stop_reason"], last["reward"], last["would_be"]) == (
        "episode closed",
        "closed",
        0.0,
        0.0,
    )
    assert Server(tmp_path / "episodes.db", {"DOMAINS": "retail"}).verified()["ok"]


def test_what_is_being_played_when_the_input_ends_is_answered(tmp_path: Path) -> None:
    """Every request is answered before the episode is closed, also if its user is slow."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0", "--user", "llm")
    with StandIn(lambda _: Reply("Hello yourself.", delay_s=0.5)) as standin, standin_user(how, standin) as process:
        asked = lines(*map(calling, range(2, 6)), calling(6, "respond", message="Hello?"))
        out, err = process.communicate(asked, PATIENCE_S)
        answers = [json.loads(line) for line in out.splitlines()]
        assert sorted(answer["id"] for answer in answers) == [1, 2, 3, 4, 5, 6]
        assert answers[-1]["result"]["content"][0]["text"] == "Hello yourself."
        last = json.loads(err.splitlines()[-1])
        assert (process.returncode, last["event"], last["turn"]) == (0, "episode closed", 6)


def standin_user(how: StdioServerParameters, standin: StandIn) -> subprocess.Popen[bytes]:
    """The command, with a user that `standin` plays."""
    model = {"ENV_SERVER_USER_BASE_URL": standin.url, "ENV_SERVER_USER_MODEL": "standin"}
    return piped(how.model_copy(update={"env": (how.env or {}) | model}))


@pytest.mark.slow
def test_what_was_called_off_is_not_waited_for(tmp_path: Path) -> None:
    """The program ends without an answer to a request that the client has cancelled."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0", "--user", "llm")
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}
    with StandIn("Hi.") as standin, standin_user(how, standin) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(calling(2)))
        process.stdin.flush()
        assert [json.loads(process.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        standin.then(Reply("Too late.", delay_s=PATIENCE_S))
        more = json.dumps(calling(3, "respond", message="Hello?")).encode() + b"\n" + json.dumps(cancel).encode()
        out, err = process.communicate(more + b"\n", PATIENCE_S / 2)
        assert (process.returncode, out) == (0, b"")
        assert json.loads(err.splitlines()[-1])["event"] == "episode closed"


@pytest.mark.slow
def test_a_reader_that_went_away_ends_it_quietly(tmp_path: Path) -> None:
    """If the reader is gone but the input open: no traceback, a closed episode, and its reward in the last line."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with piped(how) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(lines(*map(calling, range(2, 9))))
        process.stdin.flush()
        told = [json.loads(line) for line in process.stderr.read().splitlines()]
        assert process.wait(PATIENCE_S) == 0
    assert [line["event"] for line in told] == ["episode begun", "the client reads no more", "episode closed"]
    assert (told[-1]["stop_reason"], told[-1]["reward"]) == ("closed", 0.0)
    assert Server(tmp_path / "episodes.db", {"DOMAINS": "retail"}).verified()["ok"]


@pytest.mark.slow
def test_half_a_surrogate_pair_is_played(tmp_path: Path) -> None:
    """Half a surrogate pair is a model's mistake, as over HTTP, and the message is answered."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with piped(how) as process:
        out, _ = process.communicate(lines(calling(2, thought="\ud83d")), PATIENCE_S)
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, 2]


def unread(descriptor: int) -> int:
    """The number of bytes that wait in a pipe."""
    found = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, found)
    return found[0]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, None])
def test_answers_that_nobody_reads_do_not_keep_it(tmp_path: Path, number: signal.Signals | None) -> None:
    """If the output is full, a signal or the end of the input still ends the program and closes the episode."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    lists = [{"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in range(2, 40)]
    with piped(how) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(lines(*lists))
        process.stdin.flush()
        deadline = time.monotonic() + PATIENCE_S
        while unread(process.stdout.fileno()) < FULL:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if number is None:
            process.stdin.close()
        else:
            process.send_signal(number)
        try:
            assert process.wait(PATIENCE_S / 3) == 0
        finally:
            process.kill()
        last = json.loads(process.stderr.read().splitlines()[-1])
    assert (last["event"], last["stop_reason"], last["would_be"]) == ("episode closed", "closed", 0.0)
    assert Server(tmp_path / "episodes.db", {"DOMAINS": "retail"}).verified()["ok"]


def test_every_line_has_its_answer(tmp_path: Path) -> None:
    """An unreadable line is answered without an id, a repeated id twice, and an empty line not at all."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0", "--user", "llm")
    odd = [calling(2) | {"id": None}, calling(2) | {"id": 1.5}, [calling(2)]]
    wrong = [*(json.dumps(message).encode() for message in odd), b"garbage", b"\xff\xfe", b'{"a":', b"", b"\r"]
    with StandIn(lambda _: Reply("Hi.", delay_s=0.3)) as standin, standin_user(how, standin) as process:
        twice = lines(calling(5), calling(5, "respond", message="Hello?"))
        out, err = process.communicate(b"\n".join(wrong) + b"\n" + twice, PATIENCE_S)
    answers = [json.loads(line) for line in out.splitlines()]
    refused = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert refused == [-32600, -32600, -32600, -32700, -32700, -32700]
    assert [answer["id"] for answer in answers if answer["id"] is not None] == [1, 5, 5]
    assert answers[-1]["result"]["content"][0]["text"] == "Hi."
    assert json.loads(err.splitlines()[-1])["turn"] == 3
