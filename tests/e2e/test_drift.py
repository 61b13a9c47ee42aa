"""A developer edits tasks, tools or the world while episodes are stored, and starts the server again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Start
from tests.e2e.server import ROOT, Server

SAMPLE = 4
"""Episodes that an edit catches half-way."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the packages, to edit. The compiled files are copied too, and stay valid."""
    for package in ("schemas/agent_env_schemas", "env_server"):
        shutil.copytree(ROOT / package, tmp_path / "tree" / Path(package).name)
    return tmp_path / "tree"


class Half:
    """An episode played half-way by its gold, and the rest of it."""

    def __init__(self, server: Server, index: int) -> None:
        """Begin test task `index` of the first domain and play half of its gold."""
        self.domain = server.get("/domains")["domains"][0]["name"]
        user = {"strategy": "external", "first_message": "Hello."}
        begun = server.post("/reset", domain=self.domain, split="test", index=index, user=user)
        self.id, self.task = begun["episode_id"], begun["info"]["task_id"]
        gold = server.get(f"/domains/{self.domain}/tasks/{self.task}?gold=true")["gold"]
        calls = [{"tool_calls": [{"name": c["name"], "arguments": c["arguments"]}]} for c in gold["actions"]]
        self.actions: list[Any] = [*calls, "; ".join(gold["outputs"]) or "Done."]
        self.replies = [self.step(server, turn).content for turn in range(1, len(calls) // 2 + 1)]

    def step(self, server: Server, turn: int) -> Any:
        """Play, or play again, a turn."""
        return server.call("POST", "/step", {"episode_id": self.id, "turn": turn, "action": self.actions[turn - 1]})

    def finish(self, server: Server) -> dict[str, Any]:
        """Play the rest; the last reply."""
        reply: dict[str, Any] = {"done": False}
        for turn in range(len(self.replies) + 1, len(self.actions) + 1):
            if not reply["done"]:
                response = self.step(server, turn)
                assert response.status_code == 200, response.text
                reply = response.json()
        return reply if reply["done"] else server.post(f"/episodes/{self.id}/user", content="###STOP###")


def folder(tree: Path, server: Server) -> Path:
    """The source folder of the first domain."""
    name: str = server.get("/domains")["domains"][0]["name"]
    return tree / "env_server" / "domains" / name


def edit(path: Path, old: str = "", new: str = "\n# edited\n") -> None:
    """Replace `old` in a file, or append where nothing is to be replaced."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")


def halves(server: Server) -> list[Half]:
    """Episodes played half-way."""
    return [Half(server, index) for index in range(SAMPLE)]


@pytest.mark.slow
def test_an_edit_of_the_tasks_leaves_stored_episodes_alone(start: Start, tree: Path) -> None:
    """New episodes have the edited tasks. Stored episodes go on with their own tasks and score 1."""
    server = start(tree)
    stored = halves(server)
    edit(
        tree / "env_server" / "domains" / "kit" / "generate" / "compose.py", 'instruction=f"', 'instruction=f"Listen. '
    )
    server.stop()
    server.start()
    assert any(server.call("GET", f"/domains/{half.domain}/tasks/{half.task}").status_code == 404 for half in stored)
    assert [half.finish(server)["reward"] for half in stored] == [1.0] * SAMPLE


@pytest.mark.slow
def test_an_edit_of_the_world_leaves_stored_episodes_on_theirs(start: Start, tree: Path) -> None:
    """Stored episodes go on with the base that they began on: reads, hashes and rewards are as before."""
    server = start(tree)
    stored = halves(server)
    before = server.get(f"/episodes/{stored[0].id}/state?everything=true")
    edit(folder(tree, server) / "world.py", "SEED = ", "SEED = 1 + ")
    server.stop()
    server.start()
    fresh = server.post("/reset", domain=stored[0].domain)["episode_id"]
    assert server.get(f"/episodes/{fresh}/state?everything=true")["rows"] != before["rows"]
    assert server.get(f"/episodes/{stored[0].id}/state?everything=true") == before
    assert [half.finish(server)["reward"] for half in stored] == [1.0] * SAMPLE


@pytest.mark.slow
def test_an_edit_of_a_tool_stops_stored_episodes_until_the_operator_allows_it(start: Start, tree: Path) -> None:
    """A new turn answers 409 pack_changed, an old one its stored reply. With ALLOW_DRIFT it is played, and marked."""
    server = start(tree)
    stored = halves(server)
    edit(folder(tree, server) / "tools.py")
    server.stop()
    server.start()
    for half in stored:
        again = [half.step(server, turn).content for turn in range(1, len(half.replies) + 1)]
        assert again == half.replies
        refused = half.step(server, len(half.replies) + 1)
        assert (refused.status_code, refused.json()["code"]) == (409, "pack_changed")
        assert refused.json()["episode_id"] == half.id
        assert server.get(f"/episodes/{half.id}")["turn"] == len(half.replies)
    fresh = Half(server, 0).finish(server)
    assert fresh["reward"] == 1.0
    assert not fresh["info"].get("drifted")
    server.stop()
    allowed = start(tree, ALLOW_DRIFT=1)
    ends = [half.finish(allowed) for half in stored]
    assert [end["reward"] for end in ends] == [1.0] * SAMPLE
    assert all(end["info"]["drifted"] for end in ends)
    record = allowed.get(f"/episodes/{stored[0].id}/trajectory")["turns"]
    marks = [bool(turn["parts"][0]["info"].get("drifted")) for turn in record]
    assert marks == [turn["turn"] > len(stored[0].replies) for turn in record]
