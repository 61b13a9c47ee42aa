"""The figures of a run, as its page shows them."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from env_server.episodes.read.runs import EpisodeDigest, ModelSpending, RunRead
from env_server.estimates.intervals import Estimate, Trials, estimate_of, pass_hat
from env_server.page.views.run import FailureGroup, RunEpisode, failure_groups
from env_server.page.views.verdict import verdict_of

MOST_K = 8
"""The largest k of pass^k."""

WIDTH, HEIGHT = 600, 120
"""The size of the curve, in units of its picture."""

MOST_TOOLS, MOST_GROUPS, MOST_PAIRS = 40, 20, 10
"""The maximum number of tools, failure groups and pairs of rollouts shown."""


@dataclass(frozen=True, slots=True)
class SampledTool:
    """A tool's calls and failed calls in the sample."""

    name: str
    calls: int
    errors: int


@dataclass(frozen=True, slots=True)
class Curve:
    """The mean reward over the course of a run: a line's points, and where rewards 0 and 1 are."""

    points: str
    dots: str
    """The same points as a path of dots."""

    zero: float
    one: float
    low: float
    high: float
    """The rewards at the lower and upper edge."""

    first: float
    last: float
    each: str
    """The number of episodes of a point."""

    total: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """The numbers of turns of the ended episodes."""

    mean: float
    median: int
    most: int


@dataclass(frozen=True, slots=True)
class StopFigures:
    """The ended episodes with one stop reason."""

    reason: str
    episodes: int
    solved: int


@dataclass(frozen=True, slots=True)
class ModelTokens:
    """The tokens of the model of one side per episode, and its cost in US dollars, over the newest episodes."""

    episodes: int
    prompt: float
    completion: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rollouts of one task: one that was solved, one that failed."""

    task_id: str
    solved: str
    failed: str


@dataclass(frozen=True, slots=True)
class RunFigures:
    """All figures of a run. Tools and parse failures are counted in the newest `sampled` episodes."""

    read: RunRead
    success: Estimate | None
    reward: Estimate | None
    pass_hat: Sequence[tuple[int, Estimate]]
    curve: Curve | None
    lengths: Lengths | None
    stops: Sequence[StopFigures]
    tokens: ModelTokens | None
    """The agent's tokens, over the newest results of an evaluation."""

    user: ModelTokens | None
    judge: ModelTokens | None
    sampled: int
    parse_failures: int
    calls: int
    errors: int
    tools: Sequence[SampledTool]
    failed: int
    groups: Sequence[FailureGroup]
    pairs: Sequence[Pair]
    splits: Sequence[str]
    """The splits of the sampled episodes' tasks."""


def figures_of(read: RunRead, scored: Sequence[EpisodeDigest], failed: Sequence[EpisodeDigest]) -> RunFigures:
    """Return the figures. `scored` and `failed` are digests of the newest scored and of the newest failed episodes.

    Success, reward and pass^k are means over tasks, as in the report of an evaluation.
    """
    trials = [Trials(each.scored, each.solved) for each in read.alike for _ in range(each.tasks)]
    estimates = [(k, pass_hat(trials, k)) for k in range(1, MOST_K + 1)]
    known = [(k, found) for k, found in estimates if found is not None]
    tools = _tools(scored)
    return RunFigures(
        read,
        known[0][1] if known else None,
        _reward(read),
        known[1:],
        _curve(read),
        _lengths(read),
        _stops(read),
        _tokens(read),
        _spent([digest.user for digest in scored]),
        _spent([digest.judge for digest in scored]),
        len(scored),
        sum(digest.parse_failures for digest in scored),
        sum(tool.calls for tool in tools),
        sum(tool.errors for tool in tools),
        tools[:MOST_TOOLS],
        len(failed),
        failure_groups([_episode(digest) for digest in failed])[:MOST_GROUPS],
        _pairs([*scored, *failed])[:MOST_PAIRS],
        sorted({digest.split for digest in (*scored, *failed) if digest.split}),
    )


def _reward(read: RunRead) -> Estimate | None:
    """Return the mean over tasks of their mean rewards; None if nothing is scored."""
    tasks = sum(each.tasks for each in read.alike)
    if not tasks:
        return None
    mean = sum(each.reward for each in read.alike) / tasks
    left = sum(each.squares for each in read.alike) - tasks * mean**2
    deviation = sqrt(max(0.0, left) / (tasks - 1)) if tasks > 1 else None
    return estimate_of(tasks, min(1.0, max(0.0, mean)), deviation, sum(each.scored * each.tasks for each in read.alike))


def _episode(digest: EpisodeDigest) -> RunEpisode:
    about = digest.episode
    return RunEpisode(
        about["episode_id"],
        about["task_id"],
        digest.trial,
        digest.template,
        verdict_of(about, digest.last, budget=0),
        (),
    )


def _tools(digests: Sequence[EpisodeDigest]) -> list[SampledTool]:
    """Return the tools, those with the most failed calls first."""
    calls, errors = Counter[str](), Counter[str]()
    for digest in digests:
        for name, (made, failed) in digest.tools.items():
            calls[name] += made
            errors[name] += failed
    found = [SampledTool(name, calls[name], errors[name]) for name in calls]
    return sorted(found, key=lambda tool: (-tool.errors, -tool.calls, tool.name))


def _curve(read: RunRead) -> Curve | None:
    periods = read.periods
    if len(periods) < 2:
        return None
    low, high = min(0.0, *(each.reward for each in periods)), max(1.0, *(each.reward for each in periods))
    step = WIDTH / (len(periods) - 1)

    def height(reward: float) -> float:
        return round(HEIGHT * (high - reward) / (high - low), 1)

    at = [(f"{i * step:.1f}", height(each.reward)) for i, each in enumerate(periods)]
    numbers = sorted({each.episodes for each in periods})
    return Curve(
        points=" ".join(f"{x},{y}" for x, y in at),
        dots="".join(f"M{x} {y}h0" for x, y in at),
        zero=height(0.0),
        one=height(1.0),
        low=low,
        high=high,
        first=periods[0].reward,
        last=periods[-1].reward,
        each=" or ".join(map(str, numbers)),
        total=sum(each.episodes for each in periods),
    )


def _lengths(read: RunRead) -> Lengths | None:
    counts = Counter[int]()
    for each in read.stops:
        counts[each.turn] += each.episodes
    total, below = counts.total(), 0
    if not total:
        return None
    for median in sorted(counts):
        below += counts[median]
        if below * 2 >= total:
            break
    return Lengths(sum(turns * number for turns, number in counts.items()) / total, median, max(counts))


def _stops(read: RunRead) -> list[StopFigures]:
    ended, solved = Counter[str](), Counter[str]()
    for each in read.stops:
        ended[each.stop_reason] += each.episodes
        solved[each.stop_reason] += each.solved
    return [StopFigures(reason, number, solved[reason]) for reason, number in ended.most_common()]


def _tokens(read: RunRead) -> ModelTokens | None:
    spent: list[dict[str, Any]] = [json.loads(result.result).get("policy") or {} for result in read.results]
    asked = [each for each in spent if each.get("calls")]
    if not asked:
        return None
    costs = [each.get("cost") for each in asked]
    prompt, completion = (sum(each.get(f"{side}_tokens", 0) for each in asked) for side in ("prompt", "completion"))
    cost = None if None in costs else sum(filter(None, costs)) / len(asked)
    return ModelTokens(len(asked), prompt / len(asked), completion / len(asked), cost)


def _spent(found: Sequence[ModelSpending]) -> ModelTokens | None:
    """Return the means over the episodes in which a model has answered, or None if none has."""
    asked = [each for each in found if each.calls]
    if not asked:
        return None
    costs = [each.cost for each in asked]
    cost = None if None in costs else sum(filter(None, costs)) / len(asked)
    prompt, completion = sum(each.prompt for each in asked), sum(each.completion for each in asked)
    return ModelTokens(len(asked), prompt / len(asked), completion / len(asked), cost)


def _pairs(digests: Sequence[EpisodeDigest]) -> list[Pair]:
    """Return, for each group or task with both, a rollout that was solved and one that failed."""
    sides: dict[tuple[str, str], dict[bool, str]] = defaultdict(dict)
    for digest in digests:
        about = digest.episode
        group = about["group_id"] or f"{about['domain']} {about['pack']}"
        sides[group, about["task_id"]].setdefault(about["reward"] == 1, about["episode_id"])
    return [Pair(task, found[True], found[False]) for (_, task), found in sides.items() if len(found) == 2]
