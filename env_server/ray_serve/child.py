"""The server process of a replica: `env-server serve` on a free port, until standard input ends.

A server runs in the main thread of a process of its own, because only there tools that hang can be cut off. If a
replica is killed, its server ends too, because the pipe to it closes.
"""

import os
import signal
import sys
from threading import Thread

from env_server.cli import app


def _leave_with_parent() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    Thread(target=_leave_with_parent, daemon=True).start()
    app(["serve", "--host", "127.0.0.1", "--port", "0"])
