"""Plays with OpenEnv's own client, unmodified; run by the interpreter of an environment that has it.

Takes the server's URL and prints one JSON object.
"""

import json
import sys
from typing import Any

from openenv.core.generic_client import GenericEnvClient

TASK = {"split": "test", "index": 0}
LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}


def told(call: Any) -> str:
    """The client's error as text, or the result where it raises none."""
    try:
        return repr(call())
    except RuntimeError as e:
        return str(e)


def main(url: str) -> dict[str, Any]:
    """Play, leave, come back and play on."""
    found: dict[str, Any] = {}
    with GenericEnvClient(base_url=url).sync() as env:
        found["too early"] = told(lambda: env.step({"action": LOOK}))
        begun = env.reset(domain="retail", **TASK)
        found["episode"] = begun.observation["episode_id"]
        found["tools"] = len(begun.observation["tools"])
        found["first"] = env.step({"action": LOOK}).observation["turn"]
    with GenericEnvClient(base_url=f"{url}/domains/retail").sync() as env:
        found["lost"] = told(lambda: env.step({"action": LOOK}))
        found["resumed"] = env.reset(episode_id=found["episode"]).observation["turn"]
        call = {"type": "call_tool", "tool_name": "list_all_product_types", "arguments": {}}
        found["second"] = env.step(call).observation["turn"]
        found["state"] = env.state()["step_count"]
        ended = env.reset(max_turns=1, **TASK), env.step({"action": "Hello"})
        found["end"] = [ended[1].done, ended[1].reward, ended[1].metadata["stop_reason"]]
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
