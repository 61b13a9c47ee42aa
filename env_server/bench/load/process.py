"""The loading process. `python -m env_server.bench.load.process` reads a job from stdin and writes a sample to stdout.

It reads and checks every reply. A status other than 200, another turn, or another fault than gold's ends the job.
"""

import asyncio
import json
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import cycle, islice, repeat
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import orjson

from env_server.bench import BenchError
from env_server.bench.load.http import HttpError, Spread
from env_server.bench.load.job import Job, Sample
from env_server.bench.load.mcp import begin_at_peer, peer_sessions, play_call, play_peer
from env_server.bench.load.meter import Meter

EPISODES_PER_S = 512
"""Approximate number of episodes played per second. About that many are begun before the clock runs."""

_EPISODE_ID = re.compile(rb'"episode_id":"(\w+)"')
_TOKEN = re.compile(rb'"agent_token":"([\w.-]+)"')
_ECHO_ID = b"ep_0000000000000000"


class _RefusedError(Exception):
    """A reset that the server refuses for now."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Ready(NamedTuple):
    """An episode that has begun and can be played."""

    episode_id: bytes
    token: bytes
    """The agent's token for MCP."""

    turns: list[tuple[bytes, str | None]]
    """Action and fault of each turn."""


async def run(job: Job) -> Sample:
    """Carry out a job.

    Raises:
        BenchError: if a reply is wrong.
    """
    plans = orjson.loads(Path(job.plans).read_bytes())
    sessions = await peer_sessions(job) if job.what == "peer" else []
    connections = [await Spread.open((job.port, *job.replicas)) for _ in range(job.sessions)]
    try:
        if job.what == "peer":
            return await play_peer(job, connections, sessions)
        if job.what == "peer_resets":
            return await begin_at_peer(job, connections)
        play = {"resets": _resets, "resume": _resume, "episodes": _episodes}.get(job.what, _steps)
        return await play(job, connections, plans)
    finally:
        for connection in connections:
            connection.close()


async def _resets(job: Job, connections: list[Spread], plans: list[dict[str, Any]]) -> Sample:
    meter = Meter(job.pid, job.also)
    supply = islice(cycle(plans), job.episodes)
    limit = float("inf") if job.episodes else job.seconds

    async def session(connection: Spread) -> None:
        for plan in supply:
            if meter.seconds() >= limit:
                break
            await _begin(connection, job.domain, plan, meter)
        meter.stop()

    meter.start()
    await asyncio.gather(*map(session, connections))
    return meter.sample()


async def _steps(job: Job, connections: list[Spread], plans: list[dict[str, Any]]) -> Sample:
    meter, supply = Meter(job.pid, job.also), cycle(plans)
    size = job.episodes or max(4 * job.sessions, int(EPISODES_PER_S * min(1.0, job.seconds)))
    limit = float("inf") if job.episodes else job.seconds
    while meter.seconds() < limit:
        batch = islice(supply, size)
        ready = _unbegun(batch) if job.what == "echo" else await _begun(job, connections, batch)
        await _play_all(connections, ready, meter, limit, over_mcp=job.what == "mcp")
        if job.episodes:
            break
    return meter.sample()


async def _resume(job: Job, connections: list[Spread], plans: list[dict[str, Any]]) -> Sample:
    """Play the first turn of all episodes, then the second one of all, and so on."""
    meter = Meter(job.pid, job.also)
    ready = await _begun(job, connections, islice(cycle(plans), job.episodes))
    meter.start()
    for turn in range(1, max(len(episode.turns) for episode in ready) + 1):
        supply = iter([episode for episode in ready if len(episode.turns) >= turn])

        async def session(connection: Spread, supply: Iterator[Ready] = supply, turn: int = turn) -> None:
            for episode in supply:
                await _play_turn(connection, episode, turn, meter)

        await asyncio.gather(*map(session, connections))
    meter.stop()
    return meter.sample()


async def _episodes(job: Job, connections: list[Spread], plans: list[dict[str, Any]]) -> Sample:
    """Begin and play episodes, one after the other in each session, until the time is up."""
    meter, supply, loop = Meter(job.pid, job.also), cycle(plans), asyncio.get_running_loop()
    ends = loop.time() + job.seconds

    async def session(connection: Spread) -> None:
        for plan in supply:
            begun = await _begin_in_time(connection, job.domain, plan, ends)
            if begun is None:
                break
            await _play(connection, Ready(*begun, _turns(plan)), meter)
        meter.stop()

    loop.call_later(job.seconds / 2, meter.start)
    await asyncio.gather(*map(session, connections))
    return meter.sample()


async def _begin_in_time(
    connection: Spread, domain: str, plan: dict[str, Any], ends: float
) -> tuple[bytes, bytes] | None:
    """Begin an episode as soon as the server takes it; None if the time is up."""
    loop = asyncio.get_running_loop()
    while loop.time() < ends:
        try:
            return await _begin(connection, domain, plan)
        except _RefusedError as e:
            await asyncio.sleep(min(e.wait_s, max(0.0, ends - loop.time())))
    return None


async def _play_all(
    connections: list[Spread], ready: deque[Ready], meter: Meter, limit: float, *, over_mcp: bool
) -> None:
    """Play the ready episodes.

    The clock stops when the first session finds none left, so that all sessions were busy.
    """
    play = _play_over_mcp if over_mcp else _play

    async def session(connection: Spread) -> None:
        while ready and meter.seconds() < limit:
            await play(connection, ready.popleft(), meter)
        meter.stop()

    meter.start()
    await asyncio.gather(*map(session, connections))


async def _play(connection: Spread, episode: Ready, meter: Meter) -> None:
    for turn in range(1, len(episode.turns) + 1):
        await _play_turn(connection, episode, turn, meter)


async def _play_turn(connection: Spread, episode: Ready, turn: int, meter: Meter) -> None:
    action, fault = episode.turns[turn - 1]
    body = b'{"episode_id":"%b","turn":%d,"action":%b}' % (episode.episode_id, turn, action)
    sent = perf_counter()
    status, answer = await connection.post(b"/step", body)
    meter.note(sent, len(answer))
    if status != 200:
        raise BenchError(f"/step answered {status}: {answer.decode()} to {body.decode()}")
    reply = orjson.loads(answer)
    faults = [call["error"] for call in reply["info"]["calls"]]
    if reply["turn"] != turn or reply["done"] or faults != [fault]:
        raise BenchError(f"/step answered {answer.decode()} to {body.decode()}, where gold has {fault}")


async def _play_over_mcp(connection: Spread, episode: Ready, meter: Meter) -> None:
    for turn, (action, fault) in enumerate(episode.turns, 1):
        await play_call(connection, episode.episode_id, episode.token, turn, action, fault, meter)


async def _begun(job: Job, connections: list[Spread], plans: Iterable[dict[str, Any]]) -> deque[Ready]:
    """Begin an episode for each plan, outside of the measurement."""
    ready: deque[Ready] = deque()
    supply = iter(plans)

    async def session(connection: Spread) -> None:
        for plan in supply:
            ready.append(Ready(*await _begin(connection, job.domain, plan), _turns(plan)))

    await asyncio.gather(*map(session, connections))
    return ready


def _unbegun(plans: Iterable[dict[str, Any]]) -> deque[Ready]:
    """Return the same turns for an echo, which has no episodes and reports no faults."""
    return deque(Ready(_ECHO_ID, b"", list(zip(_actions(plan), repeat(None)))) for plan in plans)


def _turns(plan: dict[str, Any]) -> list[tuple[bytes, str | None]]:
    return list(zip(_actions(plan), (turn["fault"] for turn in plan["turns"]), strict=True))


def _actions(plan: dict[str, Any]) -> Iterator[bytes]:
    return (turn["action"].encode() for turn in plan["turns"])


async def _begin(
    connection: Spread, domain: str, plan: dict[str, Any], meter: Meter | None = None
) -> tuple[bytes, bytes]:
    """Begin an episode of a plan's task, and return its id and its agent's token."""
    body = b'{"domain":"%b","split":"train","index":%d,"max_turns":1000}' % (domain.encode(), plan["index"])
    sent = perf_counter()
    status, answer = await connection.post(b"/reset", body)
    if meter is not None:
        meter.note(sent, len(answer))
    wait_s = orjson.loads(answer).get("retry_after") if status == 503 else None
    if wait_s is not None:
        raise _RefusedError(wait_s)
    found, token = _EPISODE_ID.search(answer, 0, 200), _TOKEN.search(answer)
    if status != 200 or found is None or token is None or b'"tools":[{' not in answer:
        raise BenchError(f"/reset answered {status}: {answer[:500].decode()} to {body.decode()}")
    return found[1], token[1]


def main() -> None:
    """Run the job from stdin. An error ends the process with status 1 and one line on stderr."""
    job = Job(**json.load(sys.stdin))
    try:
        import uvloop  # noqa: PLC0415  # optional, and imported only when a job runs

        runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    except ImportError:
        runner = asyncio.Runner()
    try:
        with runner:
            sample = runner.run(run(job))
    except (BenchError, HttpError, OSError, _RefusedError) as e:
        sys.exit(f"{type(e).__name__}: {e}")
    json.dump(asdict(sample), sys.stdout)


if __name__ == "__main__":
    main()
