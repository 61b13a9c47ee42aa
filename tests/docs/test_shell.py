"""The shell examples of README and docs, run against a real server, unchanged but for the port."""

import json
import os
import re
import subprocess
from pathlib import Path

import httpx2
import pytest

from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


OWN_ENVIRONMENT = {"skyrl.md"}
"""Pages for a machine on which the reader has an activated environment."""


def commands(page: Path) -> list[str]:
    """The lines of a page's `sh` blocks that call the server."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.S)
    return [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]


def run(command: str, server: Server, folder: Path | None = None) -> dict[str, object]:
    """Run one line in `folder` and give its JSON."""
    env = {**os.environ, "URL": f"localhost:{server.port}"}
    shell = ["bash", "-c", command]
    done = subprocess.run(shell, capture_output=True, text=True, check=True, timeout=300, cwd=folder, env=env)
    reply: dict[str, object] = json.loads(done.stdout)
    return reply


def blocks(page: Path) -> list[str]:
    """A page's shell blocks, without those for the reader's own environment (for a GPU or an agent)."""
    found = re.findall(r"```sh\n(.*?)```", page.read_text(), re.S)
    return [block for block in found if not re.search(r"^pip install", block, re.M)]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: p.name)
def test_lines_can_be_pasted_as_they_stand(page: Path) -> None:
    """A page names the server's address once, before its first use; our programs are those of the checkout."""
    text = "".join(blocks(page))
    assert text.count("localhost:8000") == text.count("URL=localhost:8000") + text.count("--url http://localhost:8000")
    assert text.count("URL=localhost:8000") == ("$URL/" in text)
    assert text.find("URL=localhost:8000") <= text.find("$URL/")
    if page.name not in OWN_ENVIRONMENT:
        assert re.findall(r"^(?:env-server|trainer|python|pip) .*", text, re.M) == []


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=lambda p: p.name)
def test_every_line_works(page: Path, server: Server, tmp_path: Path) -> None:
    """No line answers with a problem, except where the page shows one. A page's first JSON is its `task.json`."""
    if tasks := re.findall(r"```json\n(.*?)```", page.read_text(), re.S):
        (tmp_path / "task.json").write_text(tasks[0])
    for command in commands(page):
        reply = run(command, server, tmp_path)
        assert ("code" in reply) == ("ep_unknown" in command), (command, reply)


def test_the_readme_plays_an_episode_to_reward_1(server: Server) -> None:
    """The pasted lines end with reward 1 and its explanation."""
    replies = [run(command, server) for command in commands(ROOT / "README.md")]
    assert replies[-1]["reward"] == 1.0
    assert replies[-1]["stop_reason"] == "user_stop"


def test_a_task_with_a_script_of_its_own_plays_to_reward_1(server: Server) -> None:
    """The inline script of the page agrees to the change, and its episode scores."""
    lines = [line for line in commands(ROOT / "docs" / "playing.md") if "user" in line or "action" in line]
    at = next(i for i, line in enumerate(lines) if '"changes"' in line)
    replies = [run(line, server) for line in lines[at : at + 6]]
    assert (replies[-1]["reward"], replies[-1]["stop_reason"]) == (1.0, "user_stop"), replies[-1]


def test_the_tutorial_earns_what_it_says(server: Server, tmp_path: Path) -> None:
    """The first episode has the faults that the page shows and then reward 1; the page's own task has reward 1."""
    first, own = (next((ROOT / "docs" / "tutorial").glob(f"{number}_*.md")) for number in (1, 2))
    replies = [run(command, server, tmp_path) for command in commands(first)]
    ends = [reply for reply in replies if reply.get("done")]
    assert [end["reward"] for end in ends] == [0.0, 1.0]
    conduct = ends[0]["info"]["reward_breakdown"]["conduct"]  # type: ignore[index]
    (shown,) = re.findall(r'^"conduct": (\{.*\})$', first.read_text(), re.M)
    assert json.loads(shown).items() <= conduct.items()
    (task,) = re.findall(r"```json\n(.*?)```", own.read_text(), re.S)
    (tmp_path / "task.json").write_text(task)
    assert [run(command, server, tmp_path) for command in commands(own)][-1]["reward"] == 1.0
    nothing = json.loads(task)
    nothing["task"]["gold"]["actions"] = []
    refused = httpx2.post(f"{server.url}/reset", json=nothing)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
