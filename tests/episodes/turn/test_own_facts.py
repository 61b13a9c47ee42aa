"""Text that the agent wrote to a server outside is no evidence when the agent reads it back."""

from pathlib import Path
from typing import Any

import pytest

from tests.episodes.own_servers import begin, files, opened, play
from tests.providers.live.blocks import odd

FACT = "ORCA closed at 138.3"
TASK: dict[str, Any] = {
    "instruction": "At what price did ORCA close?",
    "answer": {"kind": "number", "value": 138.3},
    "evidence": [{"shows": ["ORCA", "138.3"]}],
}
Call = tuple[str, dict[str, Any]]
WRITE: Call = ("note", {"text": FACT})
READ_BACK: Call = ("notes", {})
LOOK: Call = ("place", {})
ANSWER: Call = ("submit_answer", {"answer": 138.3})


@pytest.mark.parametrize(
    ("calls", "reward"),
    [
        ([LOOK, ANSWER], 1.0),
        ([LOOK, WRITE, READ_BACK, ANSWER], 1.0),
        ([WRITE, ANSWER], 0.0),
        ([WRITE, READ_BACK, ANSWER], 0.0),
        ([("note", {"text": "ORCA closed"}), ("note", {"text": "at 138.3"}), READ_BACK, ANSWER], 0.0),
    ],
)
async def test_only_a_look_up_is_evidence(calls: list[Call], reward: float, tmp_path: Path) -> None:
    """A fact that the server showed before the agent noted it counts; the agent's note does not, whole or in parts."""
    served = files(tmp_path, TASK, servers={"odd": odd(env={"PLACE": FACT[::-1]})})
    async with opened(tmp_path, **served) as episodes:
        begun = await begin(episodes)
        assert (await play(episodes, begun["episode_id"], *calls)).reward == reward
