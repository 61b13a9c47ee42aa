"""The metrics of this process. Labels have few values only."""

from collections.abc import Mapping
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Gauge, ProcessCollector

from env_server.telemetry.counts import Counts, Times

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

LIVE = Gauge("env_server_live_episodes", "Episodes in this process's memory", registry=REGISTRY)
BEGUN = Counts("env_server_episodes_begun", "Episodes begun", ["domain", "pack"], REGISTRY)
ENDED = Counts("env_server_episodes_ended", "Episodes ended", ["domain", "pack", "stop_reason"], REGISTRY)
SCORED = Counts("env_server_episodes_scored", "Episodes ended with a reward", ["domain", "pack"], REGISTRY)
REWARD = Counts("env_server_reward_sum", "Sum of rewards of scored episodes", ["domain", "pack"], REGISTRY)
CALLS = Counts("env_server_tool_calls", "Calls by outcome", ["domain", "tool", "outcome"], REGISTRY)
ACTIONS = Counts("env_server_actions", "Agent messages by the format found", ["format", "outcome"], REGISTRY)
READ = Counts("env_server_user_messages", "Messages to users, by whether they could be read", ["outcome"], REGISTRY)
USER_CALLS = Counts("env_server_user_calls", "Calls of models that play users", ["outcome"], REGISTRY)
USER_TOKENS = Counts("env_server_user_tokens", "Tokens that these took", ["kind"], REGISTRY)
CONNECTIONS = Gauge("env_server_connections", "Open connections", registry=REGISTRY)
CLOSED_CONNECTIONS = Counts(
    "env_server_connections_closed", "Connections closed or refused by the server, by reason", ["reason"], REGISTRY
)
QUEUED_RESETS = Gauge("env_server_queued_resets", "Resets that wait for admission", registry=REGISTRY)
REFUSED_RESETS = Counts("env_server_refused_resets", "Resets refused because of overload", [], REGISTRY)
QUOTA_REFUSALS = Counts("env_server_quota_refusals", "Requests refused because of a quota", ["quota"], REGISTRY)
STEP_SECONDS = Times(
    "env_server_step_seconds",
    "Time from a step's request to its reply",
    (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
    REGISTRY,
)
SERVER_CALLS = Counts(
    "env_server_server_calls", "Calls of servers outside, by outcome", ["server", "tool", "outcome"], REGISTRY
)
SERVER_RETRIES = Counts("env_server_server_retries", "Calls made again", ["server", "tool"], REGISTRY)
SERVER_COST = Counts(
    "env_server_server_cost_units", "Cost of calls, in units of the server", ["server", "tool"], REGISTRY
)
SERVER_SECONDS = Times(
    "env_server_server_call_seconds",
    "Time of a call of a server outside, with its retries and its waiting",
    (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
    REGISTRY,
    ["server", "tool"],
)
CHILDREN = Gauge(
    "env_server_server_children", "Episodes with a child process of the server", ["server"], registry=REGISTRY
)
ANY_TOOL = "(any)"
"""Stands for a tool that may have any name, so that the number of label values stays small."""

_log = structlog.get_logger(__name__)


def count_part(domain: str, pack: str, info: Mapping[str, Any], stop: str | None, reward: float | None) -> None:
    """Count one committed part of a turn: how it was parsed, its calls, and the ending if the episode ended."""
    form = info.get("format")
    if form is not None:
        ACTIONS.add((form, "failure" if info["parse_failure"] else "ok"))
    for call in info.get("calls", ()):
        error = call["error"] or "ok"
        anything = error in ("unknown_tool", "not_executed")  # a model may invent any name
        CALLS.add((domain, ANY_TOOL if anything else call["name"], error))
    if stop is not None:
        ENDED.add((domain, pack, stop))
        if reward is not None:
            SCORED.add((domain, pack))
            REWARD.add((domain, pack), reward)


def count_server_call(server: str, tool: str, outcome: str, figures: Mapping[str, float]) -> None:
    """Count one call of a server outside. `figures` has `latency_s`, `retries` and `cost_units`, where they are known.

    A result from a recording has none: its time and its cost were counted when it was recorded.
    """
    SERVER_CALLS.add((server, tool, outcome))
    if (latency := figures.get("latency_s")) is not None:
        SERVER_SECONDS.observe(latency, (server, tool))
    if retries := figures.get("retries"):
        SERVER_RETRIES.add((server, tool), retries)
    if cost := figures.get("cost_units"):
        SERVER_COST.add((server, tool), cost)


def log_defect(where: str, error: BaseException) -> None:
    """Log an unexpected error. The response shows only the kind of the error; `where` is a path, a tool or a task."""
    _log.error("unexpected error", path=where, exc_info=error)
