"""verifiers' client for NeMo Gym, unmodified, plays sessions of our resources server over MCP."""

import json

import pytest

from tests.adapters.examples import example
from tests.e2e.server import Server
from tests.integrations import record
from tests.skyrl.tiny import NAMES
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from tests.trainer_client.integrations.gym import serving
from tests.trainers.conftest import KEY
from tests.trainers.evaluating import evaluated, rewards
from trainer_client import Client

LINE = "uvicorn --factory trainer_client.integrations.nemo_gym.server:resources_server"
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
    example("NeMo Gym")["write"](data, "desk", 2, run="gym")
    with serving(server.url, KEY) as url, StandIn(program) as standin:
        taskset = {"id": "nemo-gym", "dataset": str(data), "task": {"resources_url": url}}
        agent = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
        config = folder / "eval.json"
        config.write_text(json.dumps({"env": {"taskset": taskset, "agent": agent}}), encoding="utf-8")
        episodes = evaluated(standin, folder, "@", str(config))
    found = rewards(episodes, "nemo_gym")
    assert found == {"desk:0": 1.0, "desk:1": 0.0}
    stored = [(e.task_id, e.reward) for e in client.episodes(run="gym", done=True).episodes if e.scored]
    assert sorted(stored) == [("desk:builtin:test:0", 1.0), ("desk:builtin:test:1", 0.0)]
    record("NeMo Gym, by verifiers' client", "verifiers", LINE, found["desk:0"], found["desk:1"])
