"""Policies without a model: rules that play the agent's side, to measure tasks.

A policy gets a `Brief`, receives messages and returns messages (`AgentMove`). `rollout` plays a policy against an
episode, wherever the episode runs. `oracle` knows the reference solution and should always score 1. `null`, `refuse`,
`transfer` and `random` know nothing and should score 0. `heuristic` knows nothing either, but reacts to the messages:
it does not measure a task, it is a baseline that a model should beat. The policies in `CHEATS` try to earn a reward
without the work.
"""

from collections.abc import Callable, Mapping

from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy
from env_server.policies.crawl import ANSWERING, CRAWLS
from env_server.policies.oracle.oracle import oracle
from env_server.policies.rollout import Observer, PlayedEpisode, rollout
from env_server.policies.rules.constant import null, refuse, transfer
from env_server.policies.rules.early_writer import early_writer
from env_server.policies.rules.gold import gold
from env_server.policies.rules.heuristic import heuristic
from env_server.policies.rules.random_calls import random_calls

__all__ = [
    "ANSWERING",
    "BASELINES",
    "BLIND",
    "CHEATS",
    "CRAWLS",
    "EARLY",
    "POLICIES",
    "AgentMove",
    "Brief",
    "FixedMoves",
    "Observer",
    "PlayedEpisode",
    "Policy",
    "Rule",
    "rollout",
]

Rule = Callable[[Brief], Policy]
"""The function that makes a policy for one episode."""

POLICIES: Mapping[str, Rule] = {
    "oracle": oracle,
    "null": null,
    "refuse": refuse,
    "transfer": transfer,
    "random": random_calls,
}
"""The policies that measure a task, by name; each plays one episode."""

BLIND = tuple(name for name in POLICIES if name != "oracle")
"""The policies that do not know the task. A task that one of them solves measures nothing."""

EARLY = "early-writer"
"""The policy that writes before the user is signed in. It is played only if gold has a write."""

CHEATS: Mapping[str, Rule] = {**CRAWLS, EARLY: early_writer, **ANSWERING}
"""The policies that read everything, or know everything, and skip the work. Their reward shows a
weakness of the pack.
"""

BASELINES: Mapping[str, Rule] = {**POLICIES, "gold": gold, "heuristic": heuristic}
"""Every policy by name, as baselines for the evaluation of models."""
