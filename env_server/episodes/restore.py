"""Bringing an episode back from SQL: its layers plus its row versions up to the newest turn."""

from time import time

from env_server.domains.kit import Task
from env_server.episodes.episode import Carry, Ended, Episode, Position
from env_server.episodes.library import Library, LivePack
from env_server.episodes.rows import row_value
from env_server.errors import ProblemError
from env_server.records import EpisodeRow, Store
from env_server.state import Change, State
from env_server.users import STRATEGIES, User
from schemas import ErrorCode, ResetRequest, StopReason


async def restore(store: Store, library: Library, row: EpisodeRow) -> Episode:
    """The live episode of `row` as of its newest committed part.

    Raises:
        ProblemError: if its pack is gone, or what is stored contradicts its own hash.
    """
    live, drifted = await library.of_episode(row.pack)
    task = read_task(store, row.task)
    options = ResetRequest.model_validate_json(row.options)
    last = store.reads.last_turn(row.id)
    if last is None:
        raise ProblemError(ErrorCode.INTERNAL, "the episode has no turns", row.episode_id)
    carry = Carry.load(last.carry)
    state = stored_state(store, live, task, row.id)
    if state.hash != carry.state_hash:
        raise ProblemError(ErrorCode.INTERNAL, "the stored rows do not give the stored hash", row.episode_id)
    ending = store.reads.ending(row.id)
    return Episode(
        key=row.id,
        episode_id=row.episode_id,
        live=live,
        task=task,
        seed=row.seed,
        user=user_of(task, options),
        options=options,
        created_at=row.created_at,
        drifted=drifted,
        state=state,
        position=Position(last.turn, last.part, last.seq),
        carry=carry,
        ended=ending and Ended(ending.turn, StopReason(ending.stop_reason), ending.reward, ending.scored),
        touched=time(),
    )


def read_task(store: Store, key: int) -> Task:
    """The task that an episode began with."""
    body = store.catalog.task(key)
    if body is None:
        raise ProblemError(ErrorCode.INTERNAL, f"task {key} is missing from the database")
    return Task.model_validate_json(body.body)


def user_of(task: Task, options: ResetRequest) -> User:
    """The user's strategy: the one asked for, else `scripted` where the task has a script, else `external`."""
    return STRATEGIES[options.user.strategy or ("scripted" if task.user is not None else "external")]


def stored_state(store: Store, live: LivePack, task: Task, key: int, upto: int | None = None) -> State:
    """The state of episode `key` after turn `upto` (default: the newest), from SQL alone."""
    changes = task.changes()
    for version in store.reads.row_versions(key, upto):
        changes.append(Change(version.tbl, version.key, None if version.row is None else row_value(version.row)))
    return State.at(live.pack.snapshot, changes)
