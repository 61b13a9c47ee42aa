"""Measures episodes in this process: the score of one that has ended, and the memory of one that is live.

A score reads the hash, compares it, lists differing rows and adds up. The memory is that of live objects; unlike the
size of a process, it excludes freed memory.
"""

import asyncio
import gc
import tracemalloc
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter

import orjson

from agent_env_schemas import ResetRequest, StepRequest, StopReason
from env_server.app import open_episodes
from env_server.bench import BenchError
from env_server.bench.figures import ScoringCost
from env_server.bench.plans import SPLIT, SessionPlan
from env_server.episodes import Episodes
from env_server.episodes.episode import Episode
from env_server.episodes.turn.ending import ending_part
from env_server.providers.spec import CallScope
from env_server.settings import Settings
from env_server.state import thaw
from env_server.state.frozen import freeze

_TASKS, _REPEATS = 20, 50
_MOST = 500
"""Maximum number of episodes whose memory is measured. Tracing makes their steps slow."""


def time_scoring(domain: str, plans: list[SessionPlan], folder: Path, scale: int = 1) -> ScoringCost:
    """Play some tasks that write, completely and without their last write, and time the score of each.

    The world is `scale` times its usual size.
    """
    return asyncio.run(_timed(domain, plans, folder, scale))


async def _timed(domain: str, plans: list[SessionPlan], folder: Path, scale: int) -> ScoringCost:
    # `.env` belongs to the operator's server, so this one does not read it.
    settings = Settings(_env_file=None, database_url=f"sqlite:///{folder / 'scoring.db'}", world_scale=scale)
    writing = [p for p in plans if any(t.writes and t.fault is None for t in p.turns)][:_TASKS]
    if not writing:
        raise BenchError(f"{domain} has no task that writes")
    async with open_episodes(settings) as episodes:
        ended = [await played(episodes, domain, plan, whole=True) for plan in writing]
        hashes = [_time_hash(episode) for episode in ended]
        equal = [await _time(episodes, episode, whole=True) for episode in ended]
        ended = [await played(episodes, domain, plan, whole=False) for plan in writing]
        different = [await _time(episodes, episode, whole=False) for episode in ended]
    return ScoringCost(median(equal), median(different), median(hashes))


def _time_hash(episode: Episode) -> float:
    """Time the write of one of the episode's changed rows and the hash after it, repeatedly."""
    state, taken = episode.state.fork(), []
    changes = state.overlay.changes.items()
    table, key, changed = next((t, k, r) for t, rows in changes for k, r in rows.rows.items() if r is not None)
    row = thaw(changed)
    for _ in range(_REPEATS):
        began = perf_counter()
        state.set(table, key, freeze(row))
        _ = state.hash
        taken.append(1000 * (perf_counter() - began))
    return median(taken)


async def _time(episodes: Episodes, episode: Episode, *, whole: bool) -> float:
    part = ending_part(episode, StopReason.USER_STOP)
    await episodes.scorer.score(episode, part)  # the first score also runs gold, once per task
    taken = []
    for _ in range(_REPEATS):
        began = perf_counter()
        part.carry.state_hash = episode.state.hash
        score = await episodes.scorer.score(episode, part)
        taken.append(1000 * (perf_counter() - began))
        if score is None or bool(score.row_diff) == whole:
            raise BenchError(f"task {episode.task.task_id} does not score as its gold does")
    return median(taken)


def episode_bytes(domain: str, plans: Sequence[SessionPlan], folder: Path, episodes: int, scale: int = 1) -> float:
    """Return the bytes of Python objects per live episode that plays `plans`, in a world `scale` times its usual size.

    Tasks are shared by their episodes, so they are loaded before the measurement.
    """
    return asyncio.run(_counted(domain, plans, folder, min(episodes, _MOST), scale))


async def _counted(domain: str, plans: Sequence[SessionPlan], folder: Path, count: int, scale: int) -> float:
    # `.env` belongs to the operator's server, so this one does not read it.
    settings = Settings(_env_file=None, database_url=f"sqlite:///{folder / 'footprint.db'}", world_scale=scale)
    async with open_episodes(settings) as episodes:
        for plan in plans:
            await played(episodes, domain, plan)
        gc.collect()
        tracemalloc.start()
        try:
            for plan in islice(cycle(plans), count):
                await played(episodes, domain, plan)
            gc.collect()
            grown, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return grown / count


async def played(episodes: Episodes, domain: str, plan: SessionPlan, *, whole: bool = True) -> Episode:
    """Return the live episode after playing a plan, without its last write unless `whole`."""
    request = ResetRequest(domain=domain, split=SPLIT, index=plan.index)
    name = orjson.loads(await episodes.reset(request, "bench"))["episode_id"]
    left_out = None if whole else max(i for i, turn in enumerate(plan.turns) if turn.writes and turn.fault is None)
    for i, turn in enumerate(plan.turns):
        if i != left_out:
            action = StepRequest.model_validate({"episode_id": name, "action": orjson.loads(turn.action)})
            await episodes.step(action)
    episode = await episodes.episode(name)
    await _answer(episode)
    return episode


async def _answer(episode: Episode) -> None:
    """Make gold's calls that end an episode, which plans leave out. They change only the rows."""
    scope = CallScope(episode.state, episode.episode_id, episode.task.moment)
    for call in episode.task.gold.actions:
        if episode.side.tools[call.name].finishes:
            await episode.side.call_any(scope, call.name, call.arguments)
