r"""Any MCP server as an environment: two files in `own_tools/` name the servers and the tasks with their answers.

    .venv/bin/env-server tasks check examples/own_tools/tasks.jsonl
    ENV_SERVER_API_KEYS=me:secret .venv/bin/env-server serve \\
        --mcp-config examples/own_tools/servers.json --tasks examples/own_tools/tasks.jsonl
    ENV_SERVER_KEY=secret .venv/bin/python examples/own_tools.py

The server of this example is one of this project, with offline market data. The agent looks the price up and submits
it. An agent that guesses the same price earns nothing: the task wants to see it looked up.
"""

import re
import sys

from trainer_client import AgentEnvError, Client, Episode, Unreachable

QUESTION = re.compile(r"did (\w+) close on ([\d-]+)\?")


def look_up(episode: Episode) -> float:
    """Return the price that the task asks for."""
    ((ticker, day),) = QUESTION.findall(episode.messages[-1]["content"])
    arguments = {"ticker": ticker, "start_date": day, "end_date": day}
    episode.step({"tool_calls": [{"name": "polygon_get_aggs", "arguments": arguments}]})
    names, values = (line.split(" | ") for line in episode.messages[-1]["content"].splitlines()[-2:])
    return float(dict(zip(names, values, strict=True))["close"])


def submit(episode: Episode, price: float) -> None:
    """Submit the answer, which ends the episode."""
    episode.step({"tool_calls": [{"name": "submit_answer", "arguments": {"answer": price}}]})


def main() -> None:
    """Play each task twice, and print both rewards."""
    with Client() as client:
        for task in client.tasks("mcp", split="test").tasks:
            with client.reset("mcp", task_id=task.task_id) as episode:
                price = look_up(episode)
                submit(episode, price)
            with client.reset("mcp", task_id=task.task_id) as guess:
                submit(guess, price)
            print(f"{task.task_id}: {price} USD, reward {episode.reward}, as a guess {guess.reward}")


if __name__ == "__main__":
    try:
        main()
    except Unreachable as error:
        sys.exit(f"{error}. Start a server as the top of this file says; make serve has other tasks")
    except AgentEnvError as error:
        sys.exit(f"{error}. Start the server as the top of this file says")
