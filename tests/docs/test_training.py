"""The rollout loop of docs/training.md, run against a real server; and its table of fields."""

import re
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import ResetRequest
from tests.docs.test_python import blocks
from tests.e2e.server import Server

PAGE = Path(__file__).parents[2] / "docs" / "training.md"


def rows() -> dict[str, str]:
    """Field -> default, from the page's table."""
    lines = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", PAGE.read_text(), re.M)
    return {name: default for names, default in lines for name in re.findall(r"`(\w+)`", names)}


def test_the_loop_scores_a_group(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The block plays gold in four episodes, each earns 1, and one line says so."""
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    (block,) = blocks(PAGE)
    space: dict[str, Any] = {"__name__": "example_training"}
    exec(compile(block, str(PAGE), "exec"), space)  # noqa: S102 - our own page
    assert list(space["rewards"].values()) == [1.0] * 4
    assert set(space["advantages"].values()) == {0.0}
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{space['task_id']}: ")
    assert line.endswith("rewards [1.0, 1.0, 1.0, 1.0], advantages [0.0, 0.0, 0.0, 0.0]")
    stored = server.get(f"/episodes?run={space['RUN']}")
    assert {e["episode_id"] for e in stored["episodes"]} == set(space["chats"])
    for name, chat in space["chats"].items():
        record = server.get(f"/episodes/{name}/trajectory")
        seen = [m for turn in record["turns"] for part in turn["parts"] for m in part["observation"]]
        assert [m for m in chat if m["role"] != "assistant"] == [*record["observation"], *seen]


def test_the_tutorial_computes_advantages(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of the tutorial's last part plays a group in which half of the episodes earn 1."""
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    (block,) = blocks(PAGE.parent / "tutorial" / "4_training.md")
    space: dict[str, Any] = {"__name__": "example_tutorial"}
    exec(compile(block, str(PAGE), "exec"), space)  # noqa: S102 - our own page
    assert (space["rewards"], space["advantages"]) == ([1.0, 0.0, 1.0, 0.0], [1.0, -1.0, 1.0, -1.0])


def test_the_table_has_every_field_with_its_default() -> None:
    """The page's table equals the model of /reset."""
    shown = rows()
    assert set(shown) == set(ResetRequest.model_fields)
    for name, text in shown.items():
        default = ResetRequest.model_fields[name].default
        if isinstance(default, int | str):
            assert text.strip("`") == str(default).lower(), name
        elif default is None and name != "split":
            assert text == "none", name
