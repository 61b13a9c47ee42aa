"""Two language models talk. The server calls the model that plays the customer; this program calls the agent's model.

    OPENAI_API_KEY=... ENV_SERVER_USER_MODEL=gpt-4.1-mini make serve
    OPENAI_API_KEY=... OPENAI_MODEL=gpt-5-mini .venv/bin/python examples/llm_user.py

OPENAI_BASE_URL names another endpoint for the agent, ENV_SERVER_USER_BASE_URL for the customer.
"""

import os
import sys
from typing import Any

from openai import OpenAI, OpenAIError

from trainer_client import Client, ServerError, Unreachable

MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")


def main() -> None:
    """Play the first test task of retail, and print what both say and what the customer's model has cost."""
    model = OpenAI()
    with Client() as client, client.reset("retail", split="test", index=0, user={"strategy": "llm"}) as episode:
        spent = [episode.reply.info.user_usage]
        tools: list[Any] = episode.tools
        print("customer:", episode.messages[-1]["content"])
        while not episode.done:
            history: list[Any] = episode.messages
            message = model.chat.completions.create(model=MODEL, messages=history, tools=tools).choices[0].message
            print("agent:", message.content or [call.to_dict() for call in message.tool_calls or ()])
            reply = episode.step(message)
            spent.append(reply.info.user_usage)
            for said in reply.observation:
                print("customer:" if said.role == "user" else "tool:", said.content)
    asked = [usage for usage in spent if usage is not None]
    print("reward:", episode.reward)
    print("tokens of the customer:", sum(usage.prompt_tokens + usage.completion_tokens for usage in asked))


if __name__ == "__main__":
    try:
        main()
    except Unreachable as error:
        sys.exit(f"{error}. Start a server: make serve")
    except ServerError as error:
        sys.exit(f"The server refuses: {error}")
    except OpenAIError as error:
        sys.exit(f"The agent's model does not answer: {error}")
