"""Evaluate two policies on the same tasks of a server, and compare them.

    .venv/bin/python examples/evaluation.py                       # random calls, and an agent that knows the solution
    OPENAI_API_KEY=... .venv/bin/python examples/evaluation.py random openai:gpt-5-mini

`make serve` starts the server. Results and reports are written to `eval-results/`; the reports have plots if
matplotlib is installed. If an evaluation is interrupted, the same command continues it, and plays nothing twice.
"""

import os
import subprocess
import sys

SERVER = os.environ.get("ENV_SERVER_URL", "http://127.0.0.1:8000")
TASKS, TRIALS = 8, 2  # a difference in fewer than six tasks may be chance


def env_server(*words: str) -> None:
    """Run `env-server` with these arguments. End the program if it fails: the command has printed the reason."""
    done = subprocess.run([sys.executable, "-m", "env_server", *words], check=False)
    if done.returncode:
        sys.exit(f"No result with the server {SERVER}. If none is running, start one: make serve")


def main(policies: list[str]) -> None:
    """Play the first test tasks of retail several times with each policy; write two reports and compare them."""
    folders = [f"eval-results/{policy.replace(':', '-')}" for policy in policies]
    tasks = ("--domain", "retail", "--split", "test", "--limit", str(TASKS), "--trials", str(TRIALS))
    for policy, folder in zip(policies, folders, strict=True):
        env_server("eval", "--policy", policy, *tasks, "--url", SERVER, "--out", folder)
    env_server("compare", *folders)
    print("Read why episodes failed:", *(f"{folder}/report.md" for folder in folders))


if __name__ == "__main__":
    main(sys.argv[1:] or ["random", "oracle"])
