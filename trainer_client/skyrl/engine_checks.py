"""Checks of an engine's answers, and of the rows made of them, for each rollout.

SkyRL 0.3.0 checks a batch as a whole, and discards all of it for one bad row. It also overlooks a log probability that
is missing in the middle of a conversation: the padding of the observation moves into its place.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.train.generators.skyrl_gym_generator import StepWiseOutput, TrajectoryOutput


class CheckedEngine:
    """SkyRL's client of the engine, which raises an error where a turn cannot be trained on."""

    def __init__(self, engine: Any) -> None:
        """Check what `engine` generates; its other methods are unchanged."""
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        """Every attribute but `generate`."""
        return getattr(self._engine, name)

    async def generate(self, *args: Any, **kwargs: Any) -> Any:
        """Generate.

        Raises:
            ValueError: if a turn has no tokens, or log probabilities that are not one number for each.
        """
        output = await self._engine.generate(*args, **kwargs)
        logprobs = output.get("response_logprobs")
        for i, ids in enumerate(output["response_ids"]):
            check_answer(ids, None if logprobs is None else logprobs[i] or [])
        return output


def check_answer(ids: Sequence[int], logprobs: Sequence[float | None] | None) -> None:
    """Check the tokens of a turn, and their log probabilities if there are some.

    Raises:
        ValueError: if there are no tokens, or log probabilities that are not one number for each.
    """
    if not ids:
        raise ValueError("the engine answered without a token")
    if logprobs is not None:
        _check_logprobs(logprobs, len(ids))


def check_rows(output: TrajectoryOutput | StepWiseOutput, *, logprobs: bool) -> None:
    """Check that the rows of a rollout fit into a batch, with log probabilities where these are asked for.

    Raises:
        ValueError: if there is no row, one without tokens, or one whose lists differ in length.
    """
    rows = output.step_outputs if isinstance(output, StepWiseOutput) else [output]
    if not rows:
        raise ValueError("no turn was played")
    for row in rows:
        size = len(row.response_ids)
        if size == 0:
            raise ValueError("a row has no tokens")
        parts = {"loss mask": row.loss_mask}
        if isinstance(row.reward, list):
            parts["rewards"] = row.reward
        if logprobs:
            parts["log probabilities"] = row.rollout_logprobs or []
        for name, part in parts.items():
            if len(part) != size:
                raise ValueError(f"a row has {size} tokens, and {name} for {len(part)}")


def _check_logprobs(logprobs: Sequence[float | None], size: int) -> None:
    if len(logprobs) != size:
        raise ValueError(f"the engine answered {size} tokens and {len(logprobs)} log probabilities")
    if not all(isinstance(value, int | float) and isfinite(value) for value in logprobs):
        raise ValueError("the engine answered log probabilities that are not numbers")
