"""Stand-in for SkyRL's inference engine: what `RemoteInferenceClient` asks of a vLLM server, without vLLM.

Weights arrive as a file and not over NCCL. `python -m tests.skyrl.standin.engine MODEL PORT [seeded] [deaf] [thinking]`
serves a real model. What a seeded one draws follows from the rollout and the conversation alone, and not from the order
of requests. A deaf one takes new weights, says so, and goes on with the old ones. A thinking one says the
turns of `thinking.py`, notes them, and returns the log probabilities that the model gives them.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import uvicorn
from fastapi import FastAPI, Request

from tests.e2e.server import free_port

Sampled = tuple[list[int], list[float], str]
"""Token ids, their log probabilities, and why sampling stopped."""

Sampler = Callable[[str, list[int], dict[str, Any]], Sampled]
"""From the rollout's id, the prompt's token ids and the sampling parameters."""


def application(sample: Sampler, load: Callable[[str], None] | None = None) -> FastAPI:
    """The server's application."""
    app = FastAPI()

    @app.post("/inference/v1/generate")
    def generate(body: dict[str, Any], request: Request) -> dict[str, Any]:
        ids, logprobs, reason = sample(
            request.headers.get("x-session-id", ""), body["token_ids"], body["sampling_params"]
        )
        content = [{"logprob": value} for value in logprobs]
        return {"choices": [{"token_ids": ids, "finish_reason": reason, "logprobs": {"content": content}}]}

    @app.get("/get_world_size")
    def world_size() -> dict[str, int]:
        return {"world_size": 1}

    @app.post("/weights")
    def weights(body: dict[str, str]) -> dict[str, bool]:
        if load is not None:
            load(body["path"])
        return {"ok": True}

    @app.post("/{control}")
    def done(control: str) -> dict[str, str]:
        return {"done": control}

    return app


@contextmanager
def serving(sample: Sampler) -> Iterator[str]:
    """Serve in a thread; the address."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(application(sample), port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def main(path: str, port: int, *, seeded: bool = False, deaf: bool = False, thinking: bool = False) -> None:
    """Serve the model in `path`."""
    import torch  # noqa: PLC0415  # only here, so that a scripted engine starts at once
    from safetensors.torch import load_file  # noqa: PLC0415 -- slow, and only an engine needs it
    from transformers import AutoModelForCausalLM  # noqa: PLC0415 -- as above

    from tests.skyrl.standin.thinking import Script  # noqa: PLC0415 -- as above

    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
    script = Script(Path(path)) if thinking else None
    lock = threading.Lock()

    def sample(rollout: str, ids: list[int], params: dict[str, Any]) -> Sampled:
        found: Sampled = sampled(rollout, ids, params, script.said(rollout, ids) if script else ())
        if script:
            script.note(rollout, ids, found[0])
        return found

    @torch.no_grad()
    def sampled(rollout: str, ids: list[int], params: dict[str, Any], said: Sequence[int]) -> Sampled:
        temperature, cache, fed = float(params.get("temperature", 1.0)), None, torch.tensor([ids])
        out: list[int] = []
        logprobs: list[float] = []
        with lock:
            if seeded:
                torch.manual_seed(crc32(f"{rollout} {ids}".encode()))
            while len(out) < int(params["max_tokens"]):
                answer = model(input_ids=fed, past_key_values=cache, use_cache=True)
                cache = answer.past_key_values
                odds = torch.log_softmax(answer.logits[0, -1].float() / (temperature or 1.0), -1)
                drawn = int(torch.multinomial(odds.exp(), 1)) if temperature else int(odds.argmax())
                token = said[len(out)] if len(out) < len(said) else drawn
                out.append(token)
                logprobs.append(float(odds[token]))
                fed = torch.tensor([[token]])
                if token == model.config.eos_token_id:
                    return out, logprobs, "stop"
        return out, logprobs, "length"

    def load(file: str) -> None:
        if deaf:
            return
        with lock:
            model.load_state_dict(load_file(file), strict=not model.config.tie_word_embeddings)

    uvicorn.run(application(sample, load), port=port, log_level="warning")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), **dict.fromkeys(sys.argv[3:], True))
