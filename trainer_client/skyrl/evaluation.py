"""The metrics of an evaluation in SkyRL, without its lost rollouts.

SkyRL 0.3.0 scores every row; a lost one by the reward that was filled in for it. It also adds up the environments'
metrics over the batches of an evaluation, even those that are rates. This module computes both again, from all rollouts
of the evaluation.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.train.generators.utils import get_metrics_from_generator_output
from skyrl.train.utils.trainer_utils import sanitize_data_source

from trainer_client.skyrl.lost_rollouts import LOST
from trainer_client.skyrl.rollout_stats import aggregate

AGGREGATED = "aggregated_results.jsonl"
"""SkyRL's name of the file with the metrics; beside it is a file with the rows of each source."""

ALL = "all"
"""SkyRL's name for all sources together."""

SCORES: Mapping[str, str] = {
    "avg_score": "avg_score",
    "pass_at_n": "pass_at_{}",
    "mean_positive_reward": "mean_positive_reward",
}
"""Metric of SkyRL -> its name in an evaluation, with a place for the number of samples per prompt."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The result of one rollout."""

    source: str | None
    """The `data_source` of its row."""
    prompt: str
    reward: float
    """The total. SkyRL takes the last token's reward, which is 0 where an observation follows the last turn."""
    counts: Mapping[str, Any] | None
    """The result of `RolloutStats.metrics`; None for another environment."""
    lost: bool


def corrected(metrics: Mapping[str, Any], rollouts: Sequence[Evaluated], samples: int) -> dict[str, Any]:
    """SkyRL's metrics of an evaluation, in which those of rewards and environments are computed again.

    Lost rollouts are counted as `lost_rollouts` and not scored; a source of which all are lost has no score.
    """
    names = {metric: name.format(samples) for metric, name in SCORES.items()}
    by_source: dict[str, list[Evaluated]] = {ALL: list(rollouts)}
    for rollout in rollouts:
        by_source.setdefault(sanitize_data_source(rollout.source or "unknown"), []).append(rollout)
    stale = {f"eval/{source}/{name}" for source in by_source for name in names.values()}
    environment = f"eval/{ALL}/environment/"
    found = {k: v for k, v in metrics.items() if k not in stale and not k.startswith(environment)}
    for source, some in by_source.items():
        kept = [rollout for rollout in some if not rollout.lost]
        found[f"eval/{source}/lost_rollouts"] = float(len(some) - len(kept))
        if kept:
            output = {"rewards": [rollout.reward for rollout in kept]}
            scores = get_metrics_from_generator_output(output, [rollout.prompt for rollout in kept])
            found.update({f"eval/{source}/{names[metric]}": scores[metric] for metric in names})
    counted = aggregate([rollout.counts for rollout in rollouts if rollout.counts])
    return {**found, **{f"{environment}{name}": value for name, value in counted.items()}}


def write_again(folder: Path, metrics: Mapping[str, Any]) -> None:
    """Correct the files of an evaluation, if SkyRL wrote any: replace the metrics, remove the scores of lost rows."""
    for path in folder.glob("*.jsonl"):
        with path.open(encoding="utf-8") as file:  # by line feeds alone: a message may contain other separators
            written = [metrics] if path.name == AGGREGATED else [_unscored(line) for line in file]
        path.write_text("".join(map(_line, written)), encoding="utf-8")


def _unscored(line: str) -> Mapping[str, Any]:
    """The row that a line holds; the row of a lost rollout without the score that was filled in."""
    row: dict[str, Any] = json.loads(line)
    return {**row, "score": None} if row["stop_reason"] == LOST else row


def _line(written: Mapping[str, Any]) -> str:
    return json.dumps(written, ensure_ascii=False) + "\n"
