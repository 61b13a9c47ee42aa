"""A new user strategy is one module and its value in the wire contract."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.server import without_settings

ROOT = Path(__file__).parents[2]

PARROT = """
from dataclasses import dataclass

from agent_env_schemas import UserStrategy
from env_server.users.base import UserReply
from env_server.users.strategy import Strategy


@dataclass(frozen=True)
class Parrot:
    name: str = UserStrategy.PARROT.value
    remote: bool = False
    awaits: bool = False

    async def first(self, task, seed):
        return UserReply("Hello.", notes={"heard": 0})

    async def reply(self, task, seed, notes, message, own):
        heard = notes["heard"] + 1
        return UserReply(f"{heard}: {message}", notes={"heard": heard})


STRATEGY = Strategy(UserStrategy.PARROT.value, lambda settings: Parrot())
"""

PLAY = """
import asyncio, json, sys

from agent_env_schemas import ResetRequest, StepRequest, UserSpec
from env_server.backends.local import thrown_away
from env_server.settings import Settings
from env_server.users import strategies

strategies.__path__.append(sys.argv[1])


async def play():
    async with thrown_away(Settings()) as backend:
        asked = ResetRequest(domain="retail", split="test", index=0, user=UserSpec(strategy="parrot"))
        begun = await backend.reset(asked)
        said = [begun.observation[-1].content]
        for words in ("Good morning.", "Goodbye."):
            reply = await backend.step(StepRequest(episode_id=begun.episode_id, action=words))
            said.append(reply.observation[-1].content)
        return {"user": begun.info.user, "said": said}


print(json.dumps(asyncio.run(play())))
"""


def test_a_new_strategy_is_one_module_and_one_value(tmp_path: Path) -> None:
    """A process with one more module and one more value plays an episode with the strategy, including its notes."""
    contract = tmp_path / "agent_env_schemas"
    shutil.copytree(ROOT / "schemas" / "agent_env_schemas", contract)
    users = contract / "users.py"
    text = users.read_text(encoding="utf-8")
    users.write_text(text.replace('    LLM = "llm"\n', '    LLM = "llm"\n    PARROT = "parrot"\n'), encoding="utf-8")
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "parrot.py").write_text(PARROT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(folder)],
        cwd=tmp_path,
        env={**without_settings(), "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = ["Hello.", "1: Good morning.", "2: Goodbye."]
    assert json.loads(done.stdout.splitlines()[-1]) == {"user": "parrot", "said": said}
