import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mcp_servers.wire.programs import PATIENCE_S, environment

COMMAND = [sys.executable, "-m", "mcp_servers.fmp"]
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and terminals of POSIX")


def test_one_interrupt_ends_a_server_on_a_terminal(tmp_path: Path) -> None:
    """A server that waits for a terminal's input ends at the first interrupt, without a message."""
    ours, its = os.openpty()
    with subprocess.Popen(
        COMMAND, stdin=its, stdout=its, stderr=subprocess.PIPE, env=environment(), cwd=tmp_path
    ) as process:
        try:
            assert process.stderr is not None
            assert b"offline world" in process.stderr.readline()
            os.write(ours, PING)
            said = b""
            while b'"result"' not in said:  # then it reads
                said += os.read(ours, 4096)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()
            os.close(ours)
            os.close(its)


def test_what_was_asked_before_the_end_of_input_is_answered(tmp_path: Path) -> None:
    """The end of the input ends a server after its answer."""
    done = subprocess.run(
        COMMAND, input=PING, capture_output=True, env=environment(), cwd=tmp_path, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0
    assert b'"id":1' in done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_standard_streams(closed: str, tmp_path: Path) -> None:
    """Without standard input or output a server says so in one line."""
    line = f'exec "$0" -m mcp_servers.fmp {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment(), cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "mcp-fmp: standard input or output is closed; open both, or pass --http PORT"
    ]


def test_closed_stderr(tmp_path: Path) -> None:
    """Without stderr nothing but the protocol comes on standard output."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m mcp_servers.fmp 2>&-', sys.executable],
        input=PING, stdout=subprocess.PIPE, env=environment(), cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert [line[:1] for line in done.stdout.splitlines()] == [b"{"]
