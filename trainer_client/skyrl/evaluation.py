"""The metrics of an evaluation in SkyRL, of those rollouts that say something about the policy.

SkyRL 0.3.0 scores every row, lost ones with what was filled in for them. It puts an evaluation's batches together, and
adds up what environments measured, rates too. Here both are computed again, from all rollouts of the evaluation.
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
"""What SkyRL calls the file with the metrics; beside it each source has one with its rows."""

ALL = "all"
"""What SkyRL calls the sources together."""

SCORES: Mapping[str, str] = {
    "avg_score": "avg_score",
    "pass_at_n": "pass_at_{}",
    "mean_positive_reward": "mean_positive_reward",
}
"""What SkyRL computes -> how it is called in an evaluation of so many samples a prompt."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What became of one rollout."""

    source: str | None
    """The `data_source` of its row."""
    prompt: str
    reward: float
    """Its total. By that of its last token, as SkyRL does, a last turn with an observation behind it never passes."""
    counts: Mapping[str, Any] | None
    """What `RolloutStats.metrics` gives; None for an environment that is not ours."""
    lost: bool


def corrected(metrics: Mapping[str, Any], rollouts: Sequence[Evaluated], samples: int) -> dict[str, Any]:
    """SkyRL's metrics of an evaluation, with those that come from rewards and environments computed again.

    Lost rollouts are counted, as `lost_rollouts`, and not scored; a source of which all are lost has no score.
    """
    names = {ours: name.format(samples) for ours, name in SCORES.items()}
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
            found.update({f"eval/{source}/{names[ours]}": scores[ours] for ours in names})
    counted = aggregate([rollout.counts for rollout in rollouts if rollout.counts])
    return {**found, **{f"{environment}{name}": value for name, value in counted.items()}}


def write_again(folder: Path, metrics: Mapping[str, Any]) -> None:
    """Correct what SkyRL has written of an evaluation, if it has: the metrics, and that lost rows have no score."""
    for path in folder.glob("*.jsonl"):
        with path.open(encoding="utf-8") as file:  # by line ends alone: what was said may have other separators in it
            written = [metrics] if path.name == AGGREGATED else [_unscored(line) for line in file]
        path.write_text("".join(map(_line, written)), encoding="utf-8")


def _unscored(line: str) -> Mapping[str, Any]:
    """The row that a line holds; of a lost one without the score that was filled in."""
    row: dict[str, Any] = json.loads(line)
    return {**row, "score": None} if row["stop_reason"] == LOST else row


def _line(written: Mapping[str, Any]) -> str:
    return json.dumps(written, ensure_ascii=False) + "\n"
