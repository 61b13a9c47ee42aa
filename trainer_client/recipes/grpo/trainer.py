"""SkyRL's trainer, in which lost rollouts are compared with nothing and evaluated as nothing."""

from pathlib import Path
from typing import Any

import trainer_client.skyrl_compat  # noqa: F401  # isort: skip

import torch
from skyrl.train.trainer import RayPPOTrainer

from trainer_client.masking import LOST, baseline_groups
from trainer_client.skyrl_eval import corrected, write_again


class AgentEnvTrainer(RayPPOTrainer):
    """`RayPPOTrainer` for a `RobustGenerator`."""

    def convert_to_training_input(self, generator_output: Any, uids: list[str]) -> Any:
        """Keep beside SkyRL's batch which rows are compared with which, and which are lost."""
        batch = super().convert_to_training_input(generator_output, uids)
        batch.metadata["baseline_groups"] = baseline_groups(generator_output, uids)
        batch.metadata["lost"] = [reason == LOST for reason in generator_output["stop_reasons"]]
        return batch

    def compute_advantages_and_returns(self, data: Any) -> Any:
        """Compare them so, and give lost rows nothing: neither an advantage nor a part in a mean.

        SkyRL needs the prompts' own ids before and after, to find where one begins, and the rows' own masks after.
        """
        uids, groups = data.metadata["uids"], data.metadata.pop("baseline_groups")
        mask, counts = data["response_mask"], _counting(data)
        data.metadata["uids"] = [*groups, *uids[len(groups) :]]  # rows that fill up the batch come last
        data["response_mask"] = mask * counts.to(mask.dtype)
        data = super().compute_advantages_and_returns(data)
        for name in ("advantages", "returns"):
            data[name] = data[name] * counts.to(data[name].dtype)
        data.metadata["uids"], data["response_mask"] = uids, mask
        return data

    async def eval(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Evaluate, without the lost rollouts, and with what environments measured over all batches."""
        self.generator.evaluated.clear()
        found = await super().eval(*args, **kwargs)
        found = corrected(found, self.generator.evaluated, self.cfg.generator.eval_n_samples_per_prompt)
        folder = f"dumped_evals/global_step_{self.global_step}_evals"
        write_again(Path(self.cfg.trainer.export_path) / folder, found)
        return found


def _counting(data: Any) -> Any:
    """A column with 0 for rows that are lost and 1 for others; if all are there is no mean to take them out of."""
    lost = data.metadata.pop("lost")
    column = torch.ones(len(data["response_mask"]), 1)
    if not all(lost):
        column[: len(lost), 0] -= torch.tensor(lost, dtype=column.dtype)
    return column
