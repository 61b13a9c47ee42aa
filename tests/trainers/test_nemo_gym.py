"""verifiers' client for NeMo Gym, unmodified, plays sessions of our resources server over MCP."""

import json

import pytest

from tests.e2e.server import Server
from tests.skyrl.tiny import NAMES
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from tests.trainer_client.integrations.gym import serving
from tests.trainers.conftest import KEY
from tests.trainers.evaluating import evaluated, rewards
from trainer_client import Client
from trainer_client.integrations.nemo_gym.rows import rows

GOOD = "red"
"""The line whose callers get a good agent; the others get an idle one."""


def program(asked: Asked) -> Reply:
    """The good agent asks and puts the caller through; the idle one says goodbye."""
    messages = asked.body["messages"]
    line = next(name for name in NAMES if name in messages[1]["content"])
    if line != GOOD:
        return Reply("Goodbye.")
    turns = (
        Reply(calls=(Call("respond", {"message": "Which line would you like?"}),)),
        Reply(calls=(Call("connect", {"line": line}),)),
        Reply("Goodbye."),
    )
    return turns[sum(message["role"] == "assistant" for message in messages)]


def test_a_good_and_an_idle_agent(server: Server, client: Client, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One earns 1 and the other 0, in verifiers' record as in the server's."""
    folder = tmp_path_factory.mktemp("gym")
    data = folder / "desk.jsonl"
    made = rows(client, "desk", "test", 2, run="gym")
    data.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    with serving(server.url, KEY) as url, StandIn(program) as standin:
        taskset = {"id": "nemo-gym", "dataset": str(data), "task": {"resources_url": url}}
        agent = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
        config = folder / "eval.json"
        config.write_text(json.dumps({"env": {"taskset": taskset, "agent": agent}}), encoding="utf-8")
        episodes = evaluated(server, standin, folder, "@", str(config))
    assert rewards(episodes, "nemo_gym") == {"desk:0": 1.0, "desk:1": 0.0}
    stored = [(e.task_id, e.reward) for e in client.episodes(run="gym", done=True).episodes if e.scored]
    assert sorted(stored) == [("desk:builtin:test:0", 1.0), ("desk:builtin:test:1", 0.0)]
