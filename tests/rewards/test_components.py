"""Components are found in their folder, and a new one is one module."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_env_schemas import InlineTask, ResetRequest, StopReason
from env_server.commands.play.reasons import reason
from env_server.domains.kit import Component, Dialect, Task
from env_server.rewards import GoldOutcome, ScoreInputs, score
from env_server.rewards import components as folder
from env_server.rewards.components import components, in_basis, message_found, of_conduct

BREVITY = """
from env_server.rewards.component import RewardComponent

COMPONENT = RewardComponent(
    "brevity",
    order=15,
    part=lambda task, evidence: {"value": float(len(evidence.found["brevity"]) < 3)},
    explain=lambda part: [("", "long")],
    on_message=lambda task, dialect, message, already: [len(already)],
)
"""


def test_every_module_of_the_folder_is_a_component_of_its_name() -> None:
    """Each file has its component's name, no two have the same order, and the order is that of the breakdown."""
    files = {path.stem for path in Path(folder.__file__).parent.glob("*.py")} - {"__init__"}
    found = components()
    assert set(found) == files
    assert len({one.order for one in found.values()}) == len(found)
    assert [one.name for one in of_conduct()] == ["heard", "conduct"]


def test_the_names_of_the_wire_are_components() -> None:
    """All names in the documentation of requests and in the kit's enumeration are components."""
    assert [one.name for one in in_basis(list(Component))] == list(Component)
    basis = InlineTask.model_json_schema()["properties"]["basis"]["description"]
    conduct = ResetRequest.model_json_schema()["properties"]["conduct"]["description"]
    named = {part for part in f"{basis} {conduct}".split("`") if part in components()}
    assert named == {"state", "communicate", "nl_assertions", "rubric", "answer", "evidence", "heard", "conduct"}


@pytest.fixture
def brevity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add one more module to the folder."""
    (tmp_path / "brevity.py").write_text(BREVITY)
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    components.cache_clear()
    yield
    components.cache_clear()
    sys.modules.pop("env_server.rewards.components.brevity", None)


@pytest.mark.usefixtures("brevity")
def test_a_new_component_is_one_file() -> None:
    """The new component is recorded, scored, broken down and explained without a change elsewhere."""
    task = Task(task_id="t", domain="d", instruction="i", basis=("state", "brevity"))
    found: dict[str, list[int]] = {}
    for words in ("One.", "Two.", "Three."):
        message_found(task, Dialect(), words, found)
    result = score(task, ScoreInputs("a", GoldOutcome("a", ()), found), StopReason.USER_STOP)
    assert (result.reward, result.breakdown["brevity"]) == (0.0, {"value": 0.0})
    assert reason("brevity", result.breakdown["brevity"]).plain == "long"
    assert list(components()).index("brevity") == 2
