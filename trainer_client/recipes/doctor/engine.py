"""Smoke test of the engine: it samples a turn, with token ids and log probabilities."""

import math
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, Any

import httpx2

from trainer_client.recipes.doctor.machine import PINNED
from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.model import loaded
from trainer_client.recipes.grpo.settings import ENGINE, MODEL, BadSettings

STARTS_S = 600.0
TURN_S = 120.0
TOKENS = 8


def engine_samples(job: Job) -> str:
    """Have the engine of the job sample a few tokens: the one that its settings name, or one that is started here."""
    tokenizer, model = loaded(job, "AutoTokenizer"), job.get(MODEL)
    ids = tokenizer.apply_chat_template(
        [{"role": "user", "content": "Hello."}], add_generation_prompt=True, return_dict=False
    )
    if url := job.get(f"{ENGINE}external_proxy_url"):
        return f"{url} {_sampled(url, model, ids)}"
    if find_spec("vllm") is None:
        raise Unchecked(f"vllm is not installed here, and {ENGINE}external_proxy_url names no engine")
    with _started(job, model) as url:
        return f"vLLM started and {_sampled(url, model, ids)}"


def _sampled(url: str, model: str, ids: list[int]) -> str:
    params = {"max_tokens": TOKENS, "temperature": 1.0, "logprobs": 0}
    body = {"model": model, "token_ids": ids, "sampling_params": params}
    try:
        reply = httpx2.post(f"{url}/inference/v1/generate", json=body, timeout=TURN_S)
    except httpx2.HTTPError as error:
        raise BadSettings(f"the engine at {url} does not answer: {type(error).__name__} {error}") from error
    if not reply.is_success:
        raise BadSettings(f"the engine at {url} answered {reply.status_code}: {reply.text[:200]}")
    (choice,) = reply.json()["choices"]
    sampled, told = choice["token_ids"], [each["logprob"] for each in (choice.get("logprobs") or {})["content"]]
    if len(sampled) != len(told) or not sampled or not all(math.isfinite(each) for each in told):
        raise BadSettings(f"the engine answered {len(sampled)} tokens and {len(told)} log probabilities")
    return f"sampled {len(sampled)} tokens with their log probabilities"


@contextmanager
def _started(job: Job, model: str) -> Iterator[str]:
    """Start vLLM's own server with the job's model, and not SkyRL's, which would run in Ray."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    share = job.get(f"{ENGINE}gpu_memory_utilization")
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model, "--port", str(port)]
    command += ["--host", "127.0.0.1", "--enable-scale-out", "--gpu-memory-utilization", str(share)]
    if longest := job.get(f"{ENGINE}engine_init_kwargs.max_model_len"):
        command += ["--max-model-len", str(longest)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process, log)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait(url: str, process: "subprocess.Popen[bytes]", log: IO[Any]) -> None:
    until = time.monotonic() + STARTS_S
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx2.get(f"{url}/health").is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.5)
    log.seek(0)
    raise BadSettings(f"vLLM did not start (SkyRL {PINNED['skyrl']}): {log.read().decode(errors='replace')[-500:]}")
