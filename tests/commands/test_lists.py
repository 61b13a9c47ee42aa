"""`env-server domains` and `env-server tasks`."""

from pathlib import Path

import pytest

from agent_env_schemas import DomainList, TaskList
from env_server.domains.discovery import domains, packs
from tests.commands.conftest import Run


def test_domains_are_those_discovered(run: Run) -> None:
    """Every discovered domain is listed in the form of `GET /domains`; nothing is written."""
    found = DomainList.model_validate(run("domains", "--json").result)
    assert [d.name for d in found.domains] == list(domains())
    assert all(d.packs for d in found.domains)
    assert list(Path.cwd().iterdir()) == []


def test_a_listing_is_kept(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A second listing loads nothing and prints the same; a broken kept file is ignored."""
    monkeypatch.setenv("ENV_SERVER_CACHE_DIR", str(tmp_path / "kept"))
    first = run("domains", "--json").out

    def refuse(_settings: object) -> None:
        raise AssertionError("it was loaded again")

    with monkeypatch.context() as patched:
        patched.setattr("env_server.commands.domains.all_packs", refuse)
        assert run("domains", "--json").out == first
    for file in (tmp_path / "kept").iterdir():
        file.write_text("{")
    assert run("domains", "--json").out == first


def test_people_see_domains_without_a_world(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without --json people see a list, and no world is made for it."""
    monkeypatch.setenv("ENV_SERVER_CACHE_DIR", str(tmp_path / "own"))  # keeps the packs of other tests loadable

    def refuse(*_given: object) -> None:
        raise AssertionError("a pack was loaded")

    monkeypatch.setattr("env_server.domains.packs.builtin.load", refuse)
    shown = run("domains").out
    assert all(name in shown for name in domains())
    assert "{" not in shown


@pytest.mark.parametrize("domain", list(domains()))
def test_pages_of_tasks_join_up(run: Run, domain: str) -> None:
    """Pages of any split, and of all splits together, follow one another without gap or overlap."""
    pack = packs(domains()[domain], {})["builtin"]
    split, size = next(iter(pack.splits.items()))
    page = ["tasks", "--domain", domain, "--json", "--limit", "4", "--offset"]
    whole = TaskList.model_validate(run(*page, "0").result)
    later = TaskList.model_validate(run(*page, "2").result)
    assert whole.tasks[2:] == later.tasks[:2]
    assert whole.total == sum(pack.splits.values())
    across = TaskList.model_validate(run(*page, str(size - 2)).result)
    assert [task.split for task in across.tasks[:2]] == [split] * 2
    assert across.tasks[2].split != split
    beyond = TaskList.model_validate(run(*page, str(size), "--split", split).result)
    assert (beyond.tasks, beyond.total) == ([], size)


def test_tasks_are_listed_by_difficulty(run: Run) -> None:
    """The list can be filtered and sorted by difficulty; the table still has each task's place in its split."""
    found = TaskList.model_validate(
        run("tasks", "--domain", "retail", "--split", "val", "--difficulty", "3-5", "--json", "--limit", "300").result
    )
    assert {task.difficulty for task in found.tasks} == {3, 4}
    assert found.total == len(found.tasks) < 200
    order = ("--order", "difficulty", "--offset", str(found.total - 1), "--difficulty", "3-5")
    shown = run("tasks", "--domain", "retail", "--split", "val", *order).out
    (last,) = (task for task in reversed(found.tasks) if task.difficulty == 4 and task.task_id in shown)
    assert last.task_id.split("-")[1] in shown.split()
    assert "●●●●○" in shown
    refused = run("tasks", "--domain", "retail", "--difficulty", "9")
    assert (refused.status, refused.out) == (2, "")
    assert "--difficulty: give a level from 1 to 5" in refused.err


def test_people_see_tasks_in_a_table(run: Run) -> None:
    """Without --json a page is a table with each task's place."""
    shown = run("tasks", "--domain", "retail", "--split", "test", "--offset", "10", "--limit", "2").out
    assert "test-10-" in shown
    assert "11 to 12 of 500" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--domain", "nowhere"], "no domain 'nowhere'; there are: "),
        (["--domain", "retail", "--pack", "mine"], "retail has no pack 'mine' here; there are: builtin"),
        (["--domain", "retail", "--split", "best"], "no split 'best'; there are: train, val, test"),
    ],
)
def test_unknown_names_are_one_readable_line(run: Run, arguments: list[str], words: str) -> None:
    """The error for an unknown name lists the known ones."""
    done = run("tasks", *arguments)
    assert done.status == 2
    assert words in done.err
    assert (done.out, done.err.count("\n")) == ("", 1)


def test_a_domain_of_servers_is_named_as_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a domain of servers, a command that starts none says so and names the command that checks its tasks."""
    monkeypatch.setenv("ENV_SERVER_MCP_CONFIG", "servers.json")
    ran = run("tasks", "--domain", "mcp")
    assert (ran.status, "MCP servers" in ran.err, "tasks check FILE" in ran.err) == (2, True, True)
