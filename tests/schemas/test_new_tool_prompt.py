"""A new format in which models read tools and write calls is a change of one file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.server import without_settings

ROOT = Path(__file__).parents[2]
CHANGES = {
    'Literal["hermes", "qwen", "json"]': 'Literal["hermes", "qwen", "json", "bars"]',
    '"qwen": _QWEN, "json": _JSON}': '"qwen": _QWEN, "json": _JSON, "bars": _BARS}',
    "TOOL_PROMPTS: Mapping": '_BARS = ToolPromptFormat(" Tools in bars: {tools}", call="|{}|")\nTOOL_PROMPTS: Mapping',
}

PLAY = """
import asyncio, json

from agent_env_schemas import TOOL_PROMPTS, ResetRequest, StepRequest
from env_server.backends.local import thrown_away
from env_server.settings import Settings


async def play():
    async with thrown_away(Settings()) as backend:
        asked = ResetRequest(domain="retail", split="test", index=0, tool_prompt="bars")
        begun = await backend.reset(asked)
        call = TOOL_PROMPTS["bars"].call.format('{"name": "list_all_product_types", "arguments": {}}')
        reply = await backend.step(StepRequest(episode_id=begun.episode_id, action=call))
        shown = "Tools in bars:" in begun.observation[0].content
        return [shown, [called.name for called in reply.info.calls], reply.info.calls[0].error]


print(json.dumps(asyncio.run(play())))
"""


def test_a_new_format_is_a_change_of_one_file(tmp_path: Path) -> None:
    """A process with these three lines describes the tools in the format, and reads its calls."""
    contract = tmp_path / "agent_env_schemas"
    shutil.copytree(ROOT / "schemas" / "agent_env_schemas", contract)
    file = contract / "tool_prompts.py"
    text = file.read_text(encoding="utf-8")
    for old, new in CHANGES.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=tmp_path,
        env={**without_settings(), "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [True, ["list_all_product_types"], None]
