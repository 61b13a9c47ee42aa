"""vLLM's own OpenAI server on a CPU, in an environment of its own (VLLM_PYTHON), as a process that tests can kill."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.server import free_port

ENVIRONMENT = {
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_SERVER_DEV_MODE": "1",  # for /reset_prefix_cache
    "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
}
OPTIONS = [
    *("--dtype", "float32", "--max-model-len", "2048", "--max-num-seqs", "64", "--enforce-eager"),
    *("--enable-lora", "--max-lora-rank", "8", "--max-loras", "2", "--enable-scale-out", "--host", "127.0.0.1"),
    *("--enable-auto-tool-choice", "--tool-call-parser", "hermes"),
]
CLOSE = 1e-4
"""The largest difference between log probabilities of vLLM and of transformers; both compute in float32."""
STARTS_S = 300


class Vllm:
    """A server of the model in `model`, on the same port each time it is started."""

    def __init__(self, folder: Path, model: Path) -> None:
        """Its output goes to `folder`."""
        self.log, self.model, self.port = folder / "vllm.log", model, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Vllm":
        """Start it, and wait until it answers.

        Raises:
            RuntimeError: if it has ended, or not answered in time; with the end of its output.
        """
        serve = [os.environ["VLLM_PYTHON"], "-m", "vllm.entrypoints.openai.api_server"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*serve, "--model", str(self.model), "--port", str(self.port), *OPTIONS],
                env={**os.environ, **ENVIRONMENT}, stdout=log, stderr=log, cwd=self.log.parent, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + STARTS_S
        while self.process.poll() is None and time.monotonic() < until:
            try:
                if httpx2.get(f"{self.url}/health").is_success:
                    return self
            except httpx2.TransportError:
                time.sleep(0.2)
        self.kill()
        raise RuntimeError(self.log.read_text(encoding="utf-8", errors="replace")[-3000:])

    def kill(self) -> None:
        """Kill it with all its processes."""
        if self.process is not None:
            kill_group(self.process)
            self.process = None

    def load(self, name: str, adapter: Path) -> None:
        """Serve a LoRA adapter under a name, in place of one that has it."""
        body = {"lora_name": name, "lora_path": str(adapter), "load_inplace": True}
        httpx2.post(f"{self.url}/v1/load_lora_adapter", json=body, timeout=100).raise_for_status()

    def says(self, name: str, ids: list[int], tokens: int = 24) -> tuple[list[int], list[float]]:
        """The likeliest tokens after `ids` of the model or adapter of that name, and their log probabilities."""
        params = {"max_tokens": tokens, "temperature": 0.0, "logprobs": 0, "ignore_eos": True}
        body: dict[str, Any] = {"model": name, "token_ids": ids, "sampling_params": params}
        answer = httpx2.post(f"{self.url}/inference/v1/generate", json=body, timeout=100).raise_for_status().json()
        (choice,) = answer["choices"]
        return choice["token_ids"], [each["logprob"] for each in choice["logprobs"]["content"]]


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to a process and all that it started."""
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        return
    process.wait(timeout=60)
