"""A model behind the OpenAI chat protocol plays one episode over plain HTTP.

    OPENAI_API_KEY=... OPENAI_MODEL=gpt-5-mini .venv/bin/python examples/openai_agent.py

OPENAI_BASE_URL names another endpoint. `make serve` starts the server.
"""

import os
import sys

import httpx2
from openai import OpenAI, OpenAIError

SERVER = os.environ.get("ENV_SERVER_URL", "http://127.0.0.1:8000")
MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
KEY = os.environ.get("ENV_SERVER_KEY")  # only if the server needs a key


def main() -> None:
    """Play the first test task of retail, and print the conversation and its reward."""
    model = OpenAI()
    http = httpx2.Client(base_url=SERVER, headers={"Authorization": f"Bearer {KEY}"} if KEY else {}, timeout=150)

    begun = http.post("/reset", json={"domain": "retail", "split": "test", "index": 0}).raise_for_status().json()
    messages, tools = begun["observation"], begun["tools"]  # the policy and the customer's first message
    print("customer:", messages[-1]["content"])

    turn, done = 0, False
    while not done:
        asked = model.chat.completions.create(model=MODEL, messages=messages, tools=tools)
        action = asked.choices[0].message.model_dump(exclude_none=True)
        print("agent:", action.get("content") or [call["function"]["name"] for call in action.get("tool_calls", ())])

        turn += 1  # a step with its number can be sent again after a failure, and is not played twice
        step = {"episode_id": begun["episode_id"], "turn": turn, "action": action}
        reply = http.post("/step", json=step).raise_for_status().json()
        messages.append(action)
        made = [call["id"] for call in action.get("tool_calls", ())]
        for message in reply["observation"]:
            # The server answers an empty message with a tool result. Endpoints accept a result only for a call.
            answers = message["role"] != "tool" or message["tool_call_id"] in made
            messages.append(message if answers else {"role": "user", "content": message["content"]})
            print("customer:" if message["role"] == "user" else "tool:", message["content"])
        done = reply["done"]

    print("reward:", reply["reward"])
    if reply["info"]["scored"]:
        print("because:", {name: part["value"] for name, part in reply["info"]["reward_breakdown"].items()})


if __name__ == "__main__":
    try:
        main()
    except httpx2.ConnectError:
        sys.exit(f"No server answers at {SERVER}. Start one: make serve")
    except OpenAIError as error:
        sys.exit(f"The model does not answer: {error}")
