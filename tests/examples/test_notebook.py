"""The notebook plots what the server's records say, without Jupyter."""

import json
from statistics import fmean
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib import pyplot

from tests.e2e.server import Server
from tests.examples.conftest import EXAMPLES

NOTEBOOK = EXAMPLES / "training_rewards.ipynb"


def executed() -> dict[str, Any]:
    """Execute the cells in order; return the names that they define."""
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)  # noqa: S102 - our own notebook
    return names


def test_the_plot_shows_the_rewards_of_the_run(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a run, the notebook plays one whose rewards rise; each point is the mean reward of a group on the server.

    With the name of that run, the notebook plays nothing and shows the same points.
    """
    mpl.use("agg")
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    monkeypatch.delenv("TRAINING_RUN", raising=False)
    first = executed()
    run = first["RUN"]
    groups: dict[str, list[float]] = {}
    for episode in reversed(server.get(f"/episodes?run={run}&limit=500")["episodes"]):
        groups.setdefault(episode["group_id"], []).append(episode["reward"])
    means = [fmean(rewards) for rewards in groups.values()]
    assert points(first) == pytest.approx(means)
    assert {len(rewards) for rewards in groups.values()} == {6}
    assert fmean(means[:4]) < 0.5 < fmean(means[-4:])

    monkeypatch.setenv("TRAINING_RUN", run)
    assert points(executed()) == pytest.approx(means)
    said = f"{run}: 96 episodes, 96 scored, in 16 groups\n"
    assert capsys.readouterr().out == said * 2
    pyplot.close("all")


def points(names: dict[str, Any]) -> list[float]:
    """Return the heights of the points in the plot on the left."""
    left, right = names["figure"].axes
    assert [bar.get_width() for bar in right.patches] == [96]
    heights: list[float] = left.collections[0].get_offsets()[:, 1].tolist()
    return heights


def test_it_is_a_notebook_without_outputs() -> None:
    """The format is that of Jupyter 4.5, each cell has its own id, and no output is stored."""
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (kept["nbformat"], kept["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in kept["cells"]}) == len(kept["cells"])
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all((cell["outputs"], cell["execution_count"]) == ([], None) for cell in code)
