"""The rows of a job for SkyRL's trainer, and their order. SkyRL must be installed."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import datasets
import torch
from loguru import logger
from skyrl.train.dataset import PromptDataset
from torch.utils.data import Sampler

from trainer_client.recipes.grpo.rows.read import Row, chosen, grade_of, placed_rows
from trainer_client.skyrl.shared_client import ServerSettings


class JobRows(PromptDataset):
    """SkyRL's data set, whose rows are in our format."""

    def __init__(
        self, sources: str | Sequence[str], tokenizer: Any, longest: int, section: ServerSettings | None = None
    ) -> None:
        """Read the rows whose prompts have at most `longest` tokens; with a `section`, only those of its difficulty."""
        self.section = section
        super().__init__([sources] if isinstance(sources, str) else list(sources), tokenizer, longest)

    def _read_files_and_tokenize(self) -> None:
        """Read the rows in this process. Rows of a domain share their prompt, which is measured and kept once."""
        rows = placed_rows(self.datasets, _fetched)
        chosen_rows = [row for _, row in rows] if self.section is None else chosen(rows, self.section)
        prompts: dict[str, tuple[Any, bool]] = {}
        self.dataframe: list[Row] = []
        for row in chosen_rows:
            key = json.dumps(row["prompt"])
            if key not in prompts:
                prompts[key] = row["prompt"], self._fits(row["prompt"])
            prompt, fits = prompts[key]
            if fits:
                self.dataframe.append({**row, "prompt": prompt})
        logger.info(f"{len(self.dataframe)} rows of {len(rows)}")

    def _fits(self, prompt: Sequence[Any]) -> bool:
        if not prompt:
            return True  # templates refuse an empty conversation, and the episode brings its own system message
        ids: list[int] = self.tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=False)
        return len(ids) <= int(self.max_prompt_length)

    def __getitem__(self, place: int) -> tuple[Any, str | None, dict[str, Any], str]:
        """The prompt, the environment, the other columns and the name of a row."""
        extras = dict(self.dataframe[place])
        return extras.pop("prompt"), extras.pop("env_class"), extras, str(place)

    @cached_property
    def grades(self) -> list[int]:
        """The difficulty of each row."""
        return [grade_of(row) for row in self.dataframe]


class EasyFirst(Sampler[int]):
    """The rows of an epoch from easy to hard, those of one level in random order.

    Rows that do not fill a batch are left out. They are random too; otherwise they would always be the hardest. The
    order depends only on the generator's seed, which a job sets at the beginning of each epoch, and not on earlier
    draws. So a job that is resumed has the same order.
    """

    def __init__(self, grades: Sequence[int], batch: int, generator: torch.Generator) -> None:
        """Order rows of these difficulties, in batches of this size."""
        self.grades, self.batch, self.generator = grades, batch, generator

    def __iter__(self) -> Iterator[int]:
        """The places of the rows."""
        seeded = torch.Generator().manual_seed(self.generator.initial_seed())
        drawn = torch.randperm(len(self.grades), generator=seeded).tolist()[: len(self)]
        return iter(sorted(drawn, key=self.grades.__getitem__))

    def __len__(self) -> int:
        """The number of rows in full batches."""
        return len(self.grades) // self.batch * self.batch


def _fetched(source: str) -> list[Any]:
    """The rows of a data set on a hub, or in a folder: `name`, or `name:split`."""
    name, _, split = source.partition(":")
    found: list[Any] = datasets.load_dataset(name, split=split or "train").to_list()
    return found
