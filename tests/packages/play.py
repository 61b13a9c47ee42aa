"""Plays two episodes with the client that is installed, beside a package `schemas` of the user's own: `play.py URL`."""

import sys

import schemas  # the user's own, which the test writes
from trainer_client import Client

CANCEL = {"name": "cancel_pending_order", "arguments": {"order_id": "#W6204781", "reason": "ordered by mistake"}}
TASK = {"instruction": "Cancel order #W6204781, which was ordered by mistake.", "gold": {"actions": [CANCEL]}}

client = Client(sys.argv[1])
rewards = []
for calls in ([CANCEL], []):
    with client.reset("retail", user={"strategy": "none"}, task=TASK) as episode:
        for call in [*calls, {"name": "done", "arguments": {}}]:
            episode.step({"tool_calls": [call]})
    assert episode.done
    rewards.append(episode.reward)
client.close()
print(vars(schemas)["MINE"], rewards, "env_server" in sys.modules)
