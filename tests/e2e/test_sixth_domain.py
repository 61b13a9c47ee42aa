"""A domain in a package of its own is installed beside the server, and that is all it takes to play it."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import forked
from tests.e2e.installed import installed
from tests.e2e.server import PATIENCE_S, Server

NAME = "lending"
PACKAGE = Path(__file__).parent / NAME


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages."""
    return installed(PACKAGE, tmp_path / "site")


def played(server: Server, index: int) -> dict[str, Any]:
    """The last reply of a test task that is played by its gold, with the scripted user and conduct off."""
    begun = server.post("/reset", domain=NAME, split="test", index=index, conduct="off")
    gold = server.get(f"/domains/{NAME}/tasks/{begun['info']['task_id']}?gold=true")["gold"]
    calls = [{"tool_calls": [{"name": c["name"], "arguments": c["arguments"]}]} for c in gold["actions"]]
    actions: list[Any] = [*calls, *["That has been done. Is there anything else?"] * 4]
    for turn, action in enumerate(actions, 1):
        reply = server.post("/step", episode_id=begun["episode_id"], turn=turn, action=action)
        if reply["done"]:
            return reply
    raise AssertionError("the user did not leave")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server beside which the domain is installed."""
    folder = tmp_path_factory.mktemp("sixth")
    running = Server(folder / "episodes.db", {"DOMAINS": "lending,retail"}, installed(PACKAGE, folder / "site")).start()
    yield running
    running.kill()


def test_it_is_played_like_any_other(server: Server) -> None:
    """Its tasks are listed, and gold earns 1 in each of them; what is stored can be computed again."""
    total = server.get(f"/domains/{NAME}/tasks?split=test")["total"]
    ends = [played(server, index) for index in range(total)]
    assert [(end["reward"], end["stop_reason"]) for end in ends] == [(1.0, "user_stop")] * 6
    assert server.verified()["ok"]


def test_it_is_listed_and_documented_like_any_other(server: Server) -> None:
    """It is in /domains beside the others, with its splits, and the OpenAPI document names it."""
    listed = {domain["name"]: domain for domain in server.get("/domains")["domains"]}
    assert len(listed) > 1
    assert listed[NAME]["packs"][0]["splits"] == {"train": 9, "test": 6}
    assert f'"{NAME}"' in json.dumps(server.get("/openapi.json")["components"])


def commanded(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """What `env-server` does with `command` where the domain is installed."""
    env = Server(site.parent / "episodes.db", tree=site).environment
    return forked.commanded(list(command), site.parent, env, PATIENCE_S)


@pytest.mark.parametrize(
    ("command", "file", "old", "new", "words"),
    [
        ("serve", "__init__.py", "from . import tools", "raise SystemExit(0)", "cannot be loaded: SystemExit: 0"),
        ("domains", "__init__.py", "from . import tools", "raise SystemExit(0)", "cannot be loaded: SystemExit: 0"),
        ("domains", "__init__.py", '"builtin": Dialect()', "", "no dialect is named 'builtin'"),
        ("domains", "__init__.py", 'name="lending"', 'name="Lending!"', "its name is 'Lending!'"),
        ("domains", "tools.py", "        title: The whole title.\n", "", "its tools: ValueError: find_book: "),
        ("serve", "policy.md", None, None, "its policy: FileNotFoundError"),
    ],
)
def test_a_broken_one_is_named(
    site: Path, command: str, file: str, old: str | None, new: str | None, words: str
) -> None:
    """A broken domain ends each command with status 2. One line says which entry point is at fault, and why."""
    path = site / NAME / file
    if old is None or new is None:
        path.unlink()
    else:
        whole = path.read_text(encoding="utf-8")
        assert old in whole
        path.write_text(whole.replace(old, new), encoding="utf-8")
    done = commanded(site, command)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "entry point 'lending' (lending:domain)" in done.stderr
    assert words in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('f"m{i}", "name": name', 'f"m{i}"', ", table 'members', row 'm0': name: Field required"),
        ('{"book_id": f"b{i}"', '{"book_id": "b0"', ", table 'books', has two rows of the key 'b0'"),
        ('"books": books}', '"book": books}', " has a table 'book'; the tables are: members, books"),
    ],
)
def test_a_broken_world_is_named(site: Path, old: str, new: str, words: str) -> None:
    """A world that does not fit its tables is one line as well."""
    path = site / NAME / "world.py"
    whole = path.read_text(encoding="utf-8")
    assert old in whole
    path.write_text(whole.replace(old, new), encoding="utf-8")
    done = commanded(site, "tasks", "--domain", NAME)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"the world of lending{words}" in done.stderr


@pytest.mark.parametrize(
    ("command", "shown"),
    [(["domains", "--json"], NAME), (["tasks", "--domain", NAME, "--split", "test", "--json"], "bring-back")],
)
def test_the_command_line_knows_it(site: Path, command: list[str], shown: str) -> None:
    """`env-server domains` and `env-server tasks` list it."""
    done = commanded(site, *command)
    assert done.returncode == 0
    assert shown in json.dumps(json.loads(done.stdout.splitlines()[-1]))
