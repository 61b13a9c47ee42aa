"""Policies without a model: what plays an agent's side by a rule, to measure tasks by.

A policy is told what it may know (`Brief`), hears messages and gives messages (`AgentMove`). `rollout` plays one
against an episode, wherever that runs. `oracle` knows the reference solution and should always score 1; `null`,
`refuse`,
`transfer` and `random` know nothing and should score 0. `heuristic` knows as little, but listens: it is no measure of a
task, it is what a model should do better than. `CHEATS` try to earn what they have not worked for.
"""

from collections.abc import Callable, Mapping

from env_server.policies.base import AgentMove, Brief, FixedMoves, Policy
from env_server.policies.crawl import CRAWLS
from env_server.policies.oracle.oracle import oracle
from env_server.policies.rollout import Observer, PlayedEpisode, rollout
from env_server.policies.rules.constant import null, refuse, transfer
from env_server.policies.rules.early import early_writer
from env_server.policies.rules.gold import gold
from env_server.policies.rules.heuristic import heuristic
from env_server.policies.rules.random_calls import random_calls

__all__ = [
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
"""Makes the policy for one episode."""

POLICIES: Mapping[str, Rule] = {
    "oracle": oracle,
    "null": null,
    "refuse": refuse,
    "transfer": transfer,
    "random": random_calls,
}
"""Those that a task is measured by, by name; each plays one episode."""

BLIND = tuple(name for name in POLICIES if name != "oracle")
"""Those that do not know the task; a task that one of them solves measures nothing."""

EARLY = "early-writer"
"""Who writes before anybody is signed in; it is played only where gold has a write."""

CHEATS: Mapping[str, Rule] = {**CRAWLS, EARLY: early_writer}
"""Those that read everything, or know everything, and skip the work; what they earn is what a pack gives away."""

BASELINES: Mapping[str, Rule] = {**POLICIES, "gold": gold, "heuristic": heuristic}
"""Every policy by name, for evaluations: what a model is compared with."""
