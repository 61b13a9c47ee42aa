"""Random episodes with calls to the outside and crashes at any point, compared with what was sent."""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Literal

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_env_schemas import ErrorCode, ForkRequest, ResetRequest, StepRequest
from env_server.domains.packs import available
from env_server.episodes.read.verify import Verifier
from env_server.errors import ProblemError
from env_server.records import Unit
from tests.episodes.outpost import Crash, Outside, Process, outpost

Place = Literal["before a commit", "after a commit", "before a call", "after a call"]


@dataclass(frozen=True)
class Fall:
    """The point at which a process ends in a turn: at its commit or call number `at`, if it makes so many."""

    place: Place
    at: int


@dataclass(frozen=True)
class Turn:
    """A message of the agent, the processes that end while they play it, and what happens after its reply."""

    tools: tuple[str, ...]
    falls: tuple[Fall, ...]
    then: Literal["next", "retry", "restart", "retry elsewhere", "fork"]


falls = st.builds(
    Fall,
    st.sampled_from(["before a commit", "after a commit", "before a call", "after a call"]),
    st.integers(0, 5),
)
turns = st.builds(
    Turn,
    st.lists(st.sampled_from(["look", "send"]), min_size=1, max_size=4).map(tuple),
    st.lists(falls, max_size=2).map(tuple),
    st.sampled_from(["next", "retry", "restart", "retry elsewhere", "fork"]),
)


@dataclass
class World:
    """One episode, the process that plays it, and the ledger of the test."""

    folder: Path
    outside: Outside = field(default_factory=Outside)
    texts: Any = field(default_factory=count)
    calls: list[tuple[str, str, str]] = field(default_factory=list)
    """(tool, text, what the agent read) of each call."""

    opened: list[Process] = field(default_factory=list)

    def process(self) -> Process:
        """Start a process on the database. Processes that ended have released nothing."""
        self.opened.append(Process(self.folder, self.outside))
        return self.opened[-1]


def fall(world: World, process: Process, where: Fall) -> None:
    """Let `process` end at a point."""
    numbers, commit = count(), process.store.commit

    def at_call(_text: str) -> None:
        if next(numbers) == where.at:
            raise Crash

    async def at_commit(unit: Unit) -> None:
        number = next(numbers)
        if number == where.at and where.place == "before a commit":
            raise Crash
        await commit(unit)
        if number == where.at:
            raise Crash

    if where.place == "before a call":
        world.outside.before = at_call
    elif where.place == "after a call":
        world.outside.after = at_call
    else:
        process.store.commit = at_commit  # type: ignore[method-assign]


async def play(world: World, episode: str, number: int, turn: Turn) -> None:
    """Play a turn until it is acknowledged, and check its reply against what was sent."""
    calls = [(tool, f"t{next(world.texts)}") for tool in turn.tools]
    action = {"tool_calls": [{"name": tool, "arguments": {"text": text}} for tool, text in calls]}
    step = StepRequest.model_validate({"episode_id": episode, "turn": number, "action": action})
    reply = b""
    for where in turn.falls:
        process = world.opened[-1]
        fall(world, process, where)
        with suppress(Crash):
            reply = await process.episodes.step(step)
        world.outside.before = world.outside.after = lambda _: None
        world.process()
    again = await world.opened[-1].episodes.step(step)
    assert reply in (b"", again)
    said = [message["content"] for message in orjson.loads(again)["observation"]]
    assert len(said) == len(calls)
    world.calls += [(tool, text, line) for (tool, text), line in zip(calls, said, strict=True)]
    if turn.then == "retry":
        assert await world.opened[-1].episodes.step(step) == again
    elif turn.then == "restart":
        world.process()
    elif turn.then == "retry elsewhere":
        assert await world.process().episodes.step(step) == again
    elif turn.then == "fork":
        await fork(world, episode, number)


async def fork(world: World, episode: str, number: int) -> None:
    """Fork. This succeeds only if nothing was sent, nor may have been sent."""
    refused: ProblemError | None = None
    try:
        await world.opened[-1].episodes.fork(episode, ForkRequest(turn=number), "tester")
    except ProblemError as e:
        refused = e
    sends = [text for tool, text, _ in world.calls if tool == "send"]
    if refused is None:
        assert not any(world.outside.sent[text] for text in sends)
    else:
        assert refused.code is ErrorCode.NOT_FORKABLE
        assert sends


async def run(world: World, played: list[Turn]) -> None:
    """Play an episode and check the whole of it."""
    request = ResetRequest.model_validate({"domain": "outpost"})
    begun = orjson.loads(await world.process().episodes.reset(request, "tester"))
    for number, turn in enumerate(played, 1):
        await play(world, begun["episode_id"], number, turn)
        for tool, text, line in world.calls:
            times = world.outside.sent[text]
            assert times <= 1
            if tool == "look" or "[outcome_unknown]" in line:
                continue
            assert times == (line == f"send: {text}")
    last = world.process()
    row = last.store.reads.episode_by_id(begun["episode_id"])
    assert row is not None
    stored = last.store.reads.turns(row.id)
    assert [turn.turn for turn in stored] == list(range(len(played) + 1))
    for number, turn in enumerate(played, 1):
        announced = [effect for effect in last.store.reads.effects(row.id, number) if effect.phase == 0]
        assert len(announced) <= len(turn.tools)
    verifier = Verifier(last.store, {"outpost": available(outpost(world.outside), {})})
    verifier.episode(row)
    assert (verifier.findings.turns, verifier.findings.mismatches) == (len(stored), [])
    for process in world.opened:
        await process.close()


@settings(max_examples=40)
@given(st.lists(turns, min_size=1, max_size=4))
def test_no_acknowledged_turn_changes_and_nothing_is_sent_twice(played: list[Turn]) -> None:
    """Wherever a process ends: a retry gives the acknowledged reply; a write happens at most once and is told truly."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(World(Path(folder)), played))
