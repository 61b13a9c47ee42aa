"""Random plays on two servers: an episode that caught up with the other server equals one restored from the record."""

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from agent_env_schemas import CloseRequest, ResetRequest, StepRequest, UserRequest
from env_server.app import open_episodes
from env_server.domains.kit import Task
from env_server.episodes import Episodes
from env_server.episodes.episode import Carry, Episode, Position
from env_server.episodes.live import lock
from env_server.episodes.live.restore import catch_up, restore
from env_server.errors import ProblemError
from env_server.records import News
from env_server.settings import Settings

DOMAINS = ("retail", "telecom", "doordash")
MOVES = ("gold", "gold", "gold", "several", "mistake", "talk", "user", "close", "retry", "evict", "look", "look")


@dataclass(frozen=True)
class Move:
    """What happens next, and at which of the two servers."""

    what: str
    at: int


@dataclass(frozen=True)
class Play:
    """One episode and its moves. As the last move, both servers look at it."""

    domain: str
    index: int
    external: bool
    moves: tuple[Move, ...]


plays = st.builds(
    Play,
    st.sampled_from(DOMAINS),
    st.integers(0, 40),
    st.booleans(),
    st.lists(st.builds(Move, st.sampled_from(MOVES), st.integers(0, 1)), max_size=14).map(tuple),
)


@dataclass
class Pair:
    """Two servers of one database."""

    both: tuple[Episodes, Episodes]
    runner: asyncio.Runner

    def differs(self, play: Play) -> str | None:
        """Play an episode. Return the difference between the caught-up and the restored episode, or None."""
        return self.runner.run(self._differs(play))

    async def _differs(self, play: Play) -> str | None:
        where = {"domain": play.domain, "split": "train", "index": play.index}
        user = {"user": {"strategy": "external"}} if play.external else {}
        begun = json.loads(await self.both[0].reset(ResetRequest.model_validate({**where, **user}), "test"))
        name = begun["episode_id"]
        calls = iter(_gold(self.both[0].cache.get(name)))
        sent: list[StepRequest] = []
        for number, move in enumerate(play.moves):
            server = self.both[move.at]
            with suppress(ProblemError):
                await self._made(server, name, move, calls, sent)
            if move.what == "look" and (found := await _looked(server, name)):
                return f"after move {number}: {found}"
        return next(filter(None, [await _looked(server, name) for server in self.both]), None)

    async def _made(
        self, server: Episodes, name: str, move: Move, calls: Iterator[dict[str, Any]], sent: list[StepRequest]
    ) -> None:
        action: Any = None
        match move.what:
            case "gold":
                action = {"tool_calls": [call for call in [next(calls, None)] if call]}
            case "several":
                action = {"tool_calls": [call for call in (next(calls, None), next(calls, None)) if call]}
            case "mistake":
                action = {"tool_calls": [{"name": "nothing", "arguments": {}}]}
            case "talk":
                action = {"content": "What else can I do for you?"}
            case "user":
                await server.user(name, UserRequest(content="I do not know."))
            case "close":
                await server.close(name, CloseRequest())
            case "retry" if sent:
                await server.step(sent[-1])
            case "evict" if (held := server.cache.get(name)) is not None:
                server.cache.drop(held)
        if action is not None:
            newest = server.store.reads.last_turn((await server.episode(name)).key)
            assert newest is not None
            sent.append(StepRequest(episode_id=name, turn=newest.turn + 1, action=action))
            await server.step(sent[-1])


def _gold(episode: Episode | None) -> list[dict[str, Any]]:
    assert episode is not None
    task: Task = episode.task
    return [{"name": call.name, "arguments": dict(call.arguments)} for call in task.gold.actions]


async def _looked(server: Episodes, name: str) -> str | None:
    """Let a server that holds the episode catch up. Return its difference from the restored episode, or None."""
    held = server.cache.get(name)
    if held is None:
        return None
    await server.settle(name)
    if server.cache.get(name) is not held:
        return "it was restored"
    standing = await server.store.standing(name)
    assert standing is not None
    try:
        now, then = _content(held), _content(await restore(server.library, server.users, standing))
    except ProblemError as e:
        return f"what it has led to cannot be restored: {e}"
    return next((what for what in then if now[what] != then[what]), None)


def _content(episode: Episode) -> dict[str, object]:
    return {
        "hash": episode.state.hash,
        "rows": list(episode.state.dump()),
        "journal": episode.state.journal,
        "position": episode.position,
        "carry": episode.carry.dump(),
        "ended": episode.ended,
    }


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Two servers, used for all examples."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        stack = AsyncExitStack()
        own = Settings(_env_file=None, database_url=f"sqlite:///{Path(folder)}/pair.db", domains=",".join(DOMAINS))

        async def both() -> tuple[Episodes, Episodes]:
            return (
                await stack.enter_async_context(open_episodes(own)),
                await stack.enter_async_context(open_episodes(own)),
            )

        yield Pair(runner.run(both()), runner)
        runner.run(stack.aclose())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(play=plays)
def test_what_caught_up_is_what_a_restored_one_is(pair: Pair, play: Play) -> None:
    """Rows in order, hash, position, notes and ending are equal, wherever turns were played; nothing is restored."""
    assert pair.differs(play) is None


def _without_rows(episode: Episode, news: News) -> bool:
    return catch_up(episode, news._replace(rows=[]))


def _of_the_newest_part(episode: Episode, news: News) -> bool:
    rows = [row for row in news.rows if (row.turn, row.part, row.seq) == news.last[:3]]
    return catch_up(episode, news._replace(rows=rows))


def _unproved(episode: Episode, news: News) -> bool:
    episode.position, episode.carry = Position(*news.last[:3]), Carry.load(news.last.carry)
    return True


def _without_ending(episode: Episode, news: News) -> bool:
    return catch_up(episode, news._replace(ending=None))


def _with_old_counts(episode: Episode, news: News) -> bool:
    known = episode.carry
    done = catch_up(episode, news)
    episode.carry = replace(episode.carry, calls=known.calls, notes=known.notes)
    return done


def _journaled(episode: Episode, news: News) -> bool:
    done = catch_up(episode, news)
    for row in news.rows:
        episode.state.set(row.tbl, row.key, episode.state.overlay.get(row.tbl, row.key))
    return done


@pytest.mark.parametrize(
    "planted",
    [_without_rows, _of_the_newest_part, _unproved, _without_ending, _with_old_counts, _journaled],
    ids=lambda planted: planted.__name__.strip("_"),
)
def test_planted_faults_are_found(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, planted: Callable[[Episode, News], bool]
) -> None:
    """Some random play finds each planted mistake of catching up."""
    monkeypatch.setattr(lock, "catch_up", planted)
    quick = settings(max_examples=400, database=None, deadline=None, phases=[Phase.generate])
    found = find(plays, lambda play: pair.differs(play) is not None, settings=quick)
    assert pair.differs(found) is not None
