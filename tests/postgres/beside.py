"""Runs a command beside a PostgreSQL server of its own, whose address is in POSTGRES_URL.

The server's programs come from the package `pgserver`, which needs no installation of PostgreSQL. The server lives
in a temporary folder, listens on a socket there, and is removed when the command has ended. If it is killed meanwhile,
it is started again.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pgserver
import psutil

SETTINGS = ("max_connections = 300", "log_min_messages = fatal")


def main(command: list[str]) -> int:
    """Run `command` and return its exit status."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        data = Path(folder) / "data"
        pgserver.get_server(data).cleanup()  # makes the cluster; its configuration is read at the next start
        with (data / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.write("\n".join(("", *SETTINGS, "")))
        server = pgserver.get_server(data)
        try:
            with subprocess.Popen(command, env=os.environ | {"POSTGRES_URL": server.get_uri()}) as process:
                while process.poll() is None:
                    time.sleep(0.05)
                    if not psutil.pid_exists(server.get_pid()):
                        server.ensure_postgres_running()
                return process.returncode
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
