"""A new component of the reward is one module."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.server import without_settings

ROOT = Path(__file__).parents[2]

BREVITY = """
from env_server.rewards.component import RewardComponent


def _part(task, evidence):
    return {"value": 1.0 if len(evidence.found.get("brevity", ())) <= 1 else 0.0}


def _on_message(task, dialect, message, already):
    return [len(already)]


def _explain(part):
    return [("", "one message or none" if part["value"] else "too many messages")]


COMPONENT = RewardComponent("brevity", order=95, part=_part, explain=_explain, on_message=_on_message)
"""

PLAY = """
import asyncio, json, sys

from agent_env_schemas import ResetRequest, StepRequest
from env_server.backends.local import thrown_away
from env_server.rewards import components
from env_server.settings import Settings

components.__path__.append(sys.argv[1])
TASK = {"instruction": "Be brief.", "gold": {}, "basis": ["brevity"], "allow_no_effect": True}


async def play(words):
    async with thrown_away(Settings()) as backend:
        asked = {"domain": "retail", "task": TASK, "user": {"strategy": "none"}}
        begun = await backend.reset(ResetRequest.model_validate(asked))
        for action in (*words, {"tool_calls": [{"name": "done", "arguments": {}}]}):
            step = {"episode_id": begun.episode_id, "action": action}
            reply = await backend.step(StepRequest.model_validate(step))
        return reply.reward, reply.info.reward_breakdown


print(json.dumps([asyncio.run(play(words)) for words in (["I work."], ["I work.", "And work."])]))
"""


def test_a_new_component_is_one_module(tmp_path: Path) -> None:
    """A process with this module scores episodes by it, with what the component has found in messages."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "brevity.py").write_text(BREVITY, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(folder)],
        cwd=tmp_path,
        env={**without_settings(), "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "schemas")))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [
        [1.0, {"brevity": {"value": 1.0}}],
        [0.0, {"brevity": {"value": 0.0}}],
    ]
