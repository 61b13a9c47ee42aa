"""Plays with verifiers' OpenEnv taskset: its own `parse_action` and OpenEnv's client, both unmodified.

Takes the server's URL and the model's replies as a JSON list, and prints the rewards of the steps. The interpreter of
an environment that has both packages runs it.
"""

import json
import sys

import httpx
from openenv.core.generic_client import GenericEnvClient
from verifiers.v1.tasksets.openenv.taskset import parse_action


def main(url: str, replies: list[str]) -> list[float | None]:
    """Play the replies as the taskset plays those of its model."""
    schema = httpx.get(f"{url}/schema").json()["action"]
    with GenericEnvClient(base_url=f"{url}/domains/retail").sync() as env:
        env.reset(split="test", index=0)
        return [env.step(parse_action(reply, schema)).reward for reply in replies]


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], json.loads(sys.argv[2]))))
