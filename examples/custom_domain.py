"""A domain of your own: `boat_club` beside this file, in the form that `env-server new domain` writes.

    .venv/bin/pip install --no-build-isolation -e examples/boat_club
    make serve
    .venv/bin/python examples/custom_domain.py

The server finds the package by its entry point. The agent here reads the user's words and the rows, and knows the
policy. In every second task the boat is in repair, but the user says the same words.
"""

import json
import re
import sys
from typing import Any

from trainer_client import AgentEnvError, Client, Episode, Unreachable

NAME, BOAT = re.compile(r"\bname is ([\w ]+)\."), re.compile(r"\bI mean the ([\w ]+)\.")


def said(episode: Episode, message: str) -> str:
    """Say something to the user, and return the answer."""
    return episode.step(message).observation[-1].content


def call(episode: Episode, name: str, **arguments: str) -> dict[str, Any]:
    """Make a call, and return the row that is its result."""
    row: dict[str, Any] = json.loads(
        episode.step({"tool_calls": [{"name": name, "arguments": arguments}]}).observation[-1].content
    )
    return row


def play(episode: Episode) -> None:
    """Reserve the boat, or refuse with the reason; the user ends the episode."""
    words = said(episode, "Hello! What is your name? And which boat do you mean?")
    (name,), (boat_name,) = NAME.findall(words), BOAT.findall(words)
    member, boat = call(episode, "find_member", full_name=name), call(episode, "find_boat", boat_name=boat_name)
    if boat["in_repair"]:
        last = f"I cannot reserve the {boat_name} for you, because its {boat['in_repair']} is being repaired."
    else:
        said(episode, f"I will reserve the {boat_name} for you on Saturday. Shall I go ahead?")
        call(episode, "reserve_boat", boat_id=boat["boat_id"], member_id=member["member_id"])
        last = f"The {boat_name} has been reserved for you."
    while not episode.done:
        said(episode, last)


def main() -> None:
    """Play the domain's test tasks, and print a line for each."""
    with Client() as client:
        tasks = client.tasks("boat_club", split="test").tasks
        for task in tasks:
            with client.reset("boat_club", task_id=task.task_id) as episode:
                play(episode)
            print(f"{task.task_id}: {task.template}, {episode.turn} turns, reward {episode.reward}")


if __name__ == "__main__":
    try:
        main()
    except Unreachable as error:
        sys.exit(f"{error}. Start a server: make serve")
    except AgentEnvError as error:
        sys.exit(f"{error}. Install examples/boat_club beside the server: see the top of this file.")
