"""The chat endpoint of vLLM with the hermes parser, in front of a sampler: renders, samples, reads calls."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request

from tests.e2e.server import free_port
from tests.skyrl.standin.engine import Sampler, application

CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def with_chat(sample: Sampler, tokenizer: Any) -> FastAPI:
    """The stand-in for the engine, with the chat endpoint."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    def completions(body: dict[str, Any], request: Request) -> dict[str, Any]:
        prompt = tokenizer.apply_chat_template(
            _with_objects(body["messages"]), tools=body["tools"], add_generation_prompt=True, return_dict=False
        )
        ids, logprobs, reason = sample(request.headers.get("x-session-id", ""), prompt, body)
        said = tokenizer.decode(ids[:-1] if ids[-1] in tokenizer.all_special_ids else ids)
        calls = _calls(said)
        message = {"role": "assistant", "content": said.partition("<tool_call>")[0] if calls else said}
        choice = {
            "token_ids": ids,
            "finish_reason": "tool_calls" if calls else reason,
            "logprobs": {"content": [{"logprob": value} for value in logprobs]},
            "message": {**message, "tool_calls": calls},
        }
        return {"choices": [choice], "prompt_token_ids": prompt}

    app.mount("/", application(sample))
    return app


@contextmanager
def serving_chat(sample: Sampler, tokenizer: Any) -> Iterator[str]:
    """Serve in a thread; the address."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(with_chat(sample, tokenizer), port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def _with_objects(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as vLLM gives them to the template: the arguments of calls are objects."""
    for message in messages:
        for call in message.get("tool_calls") or []:
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return messages


def _calls(said: str) -> list[dict[str, Any]]:
    """The calls, or none if one of them is not valid."""
    try:
        found = [json.loads(text) for text in CALL.findall(said)]
        return [
            {
                "id": f"call-{i}",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
            }
            for i, call in enumerate(found)
        ]
    except (ValueError, KeyError, TypeError):
        return []
