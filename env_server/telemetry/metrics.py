"""Prometheus metrics, with labels of few values only."""

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()

LIVE = Gauge("env_server_live_episodes", "Episodes in this process's memory", registry=REGISTRY)
BEGUN = Counter("env_server_episodes_begun_total", "Episodes begun", ["domain", "pack"], registry=REGISTRY)
ENDED = Counter(
    "env_server_episodes_ended_total", "Episodes ended", ["domain", "pack", "stop_reason"], registry=REGISTRY
)
REWARD = Counter("env_server_reward_sum", "Sum of rewards of scored episodes", ["domain", "pack"], registry=REGISTRY)
CALLS = Counter("env_server_tool_calls_total", "Executed calls", ["domain", "tool", "error"], registry=REGISTRY)
PARSES = Counter("env_server_actions_total", "Agent messages by the format found", ["format"], registry=REGISTRY)
STEP_SECONDS = Histogram(
    "env_server_step_seconds",
    "Time from a step's request to its reply",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
    registry=REGISTRY,
)

_log = structlog.get_logger(__name__)


def log_defect(path: str, error: BaseException) -> None:
    """Log a defect that was answered inside a batch."""
    _log.error("unexpected error", path=path, exc_info=error)
