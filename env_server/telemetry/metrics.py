"""Prometheus metrics, with labels of few values only."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()

LIVE = Gauge("env_server_live_episodes", "Episodes in this process's memory", registry=REGISTRY)
BEGUN = Counter("env_server_episodes_begun_total", "Episodes begun", ["domain", "pack"], registry=REGISTRY)
ENDED = Counter(
    "env_server_episodes_ended_total", "Episodes ended", ["domain", "pack", "stop_reason"], registry=REGISTRY
)
REWARD = Counter("env_server_reward_sum", "Sum of rewards of scored episodes", ["domain", "pack"], registry=REGISTRY)
CALLS = Counter("env_server_tool_calls_total", "Calls by outcome", ["domain", "tool", "outcome"], registry=REGISTRY)
PARSES = Counter(
    "env_server_actions_total", "Agent messages by the format found", ["format", "outcome"], registry=REGISTRY
)
STEP_SECONDS = Histogram(
    "env_server_step_seconds",
    "Time from a step's request to its reply",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
    registry=REGISTRY,
)

_log = structlog.get_logger(__name__)


_parses = cache(PARSES.labels)  # looking a label set up costs more than counting
_calls = cache(CALLS.labels)


def count_part(domain: str, pack: str, info: Mapping[str, Any], stop: str | None, reward: float | None) -> None:
    """Count one committed part of a turn: how it was parsed, its calls, and how the episode ended if it did."""
    if info.get("format") is not None:
        _parses(info["format"], "failure" if info["parse_failure"] else "ok").inc()
    for call in info.get("calls", ()):
        anything = call["error"] in ("unknown_tool", "not_executed")  # a model may call it what it likes
        _calls(domain, "(any)" if anything else call["name"], call["error"] or "ok").inc()
    if stop is not None:
        ENDED.labels(domain, pack, stop).inc()
        if reward is not None:
            REWARD.labels(domain, pack).inc(reward)


def log_defect(path: str, error: BaseException) -> None:
    """Log a defect that was answered inside a batch."""
    _log.error("unexpected error", path=path, exc_info=error)
