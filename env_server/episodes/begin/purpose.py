"""The purpose of a run, and the guard that keeps tasks of the test split out of training."""

import asyncio
from typing import Final, Literal, cast

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.domains.kit import Task
from env_server.domains.pack import Pack, plain
from env_server.errors import ProblemError
from env_server.records import Store

Purpose = Literal["train", "eval"]

TEST: Final = "test"
"""Name of the split that is never used for training."""


async def settle(store: Store, pack: Pack, task: Task, request: ResetRequest) -> Purpose | None:
    """Return the purpose of the episode: that of `request`, else that of its run.

    A run keeps its first purpose. A run that plays a test task without a stated purpose is an evaluation, so that it
    cannot become a training run later.

    Raises:
        ProblemError: `purpose_conflict` if the run has another purpose; `test_task` if it trains on a test task.
    """
    known = _known(store, request.run)
    silent = request.purpose is None and known is None and request.run is not None
    purpose = "eval" if silent and task.split == TEST else request.purpose or known
    _refuse_other(request, known)
    if purpose == "train" and await _is_test(pack, task):
        detail = f"task {task.task_id!r} is of the {TEST} split, which is kept for evaluation: a run cannot train on it"
        raise ProblemError(ErrorCode.TEST_TASK, detail)
    if request.run is not None and purpose is not None and known is None:
        _refuse_other(request, cast(Purpose, await store.memos.keep("purpose", request.run, purpose)))
    return purpose


def _known(store: Store, run: str | None) -> Purpose | None:
    return None if run is None else cast("Purpose | None", store.memos.get("purpose", run))


def _refuse_other(request: ResetRequest, known: Purpose | None) -> None:
    if known is not None and request.purpose not in (None, known):
        detail = f"run {request.run!r} is for {known!r}; use another run for another purpose"
        raise ProblemError(ErrorCode.PURPOSE_CONFLICT, detail)


async def _is_test(pack: Pack, task: Task) -> bool:
    """Return whether `task` belongs to the test split. An inline task does if a test task has the same instruction."""
    if task.split is not None or TEST not in pack.splits:
        return task.split == TEST
    return plain(task.instruction) in await asyncio.to_thread(lambda: pack.test_instructions)
