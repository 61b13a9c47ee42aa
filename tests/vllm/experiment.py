"""The experiment on a CPU with a real vLLM: gloo stands in for NCCL, and vLLM's own endpoint for SkyRL's.

SkyRL starts vLLM with an endpoint of its own that loads an adapter. A vLLM that was started without SkyRL has another.
"""

from pathlib import Path
from typing import Any

from tests.skyrl.standin import workers
from tests.skyrl.standin.experiment import CpuExp, Journal, note_rows

from trainer_client.recipes.grpo.experiment import AgentEnvExp  # isort: skip

import ray
from skyrl.backends.skyrl_train.inference_servers.remote_inference_client import RemoteInferenceClient

from trainer_client.recipes.grpo.workers import TiedPolicy


class StockClient(RemoteInferenceClient):
    """SkyRL's client of the engine; adapters are loaded as vLLM's documentation says."""

    async def load_lora_adapter(self, lora_name: str, lora_path: str) -> dict[str, Any]:
        """Load an adapter, also in place of the one of that name, and forget what was cached of the old one."""
        body = {"lora_name": lora_name, "lora_path": lora_path, "load_inplace": True}
        session = await self._get_session()
        for url in self.server_urls:
            async with session.post(f"{url}/v1/load_lora_adapter", json=body) as reply:
                reply.raise_for_status()
        answered: dict[str, Any] = await self.reset_prefix_cache()
        return answered


class CpuLoraPolicy(TiedPolicy):
    """The policy, whose adapter SkyRL itself collects, saves and has the engine load."""

    async def init_weight_sync_state(self, *_: Any) -> None:
        """There is no NCCL and no CUDA IPC to set up."""


PolicyWorker = ray.remote(num_gpus=1)(CpuLoraPolicy)


class VllmExp(CpuExp):
    """`AgentEnvExp` without a GPU, on a vLLM that runs already."""

    def get_inference_client(self) -> RemoteInferenceClient:
        """SkyRL's client."""
        url = self.cfg.generator.inference_engine.external_proxy_url
        return StockClient(
            proxy_url=url,
            server_urls=[url],
            data_parallel_size=1,
            model_name=self.cfg.trainer.policy.model.path,
            tokenizer=self.tokenizer,
        )

    def get_trainer(self, **parts: Any) -> Any:
        """The trainer, building workers that need no GPU."""
        trainer = AgentEnvExp.get_trainer(self, **parts)
        trainer.add_callback(Journal(Path(self.cfg.trainer.export_path) / "journal.jsonl"))
        note_rows(trainer, Path(self.cfg.trainer.export_path) / "rows.jsonl")
        build = trainer.build_models
        trainer.build_models = lambda *_: build(PolicyWorker, workers.CriticWorker, workers.RefWorker)
        return trainer
