"""Endpoints for domains and their tasks."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request

from agent_env_schemas import Difficulty, DomainList, ErrorCode, TaskDetail, TaskList, TaskOrder
from env_server.api.context import episodes
from env_server.api.problems import responses
from env_server.episodes.packs.task_filter import TaskFilter

router = APIRouter(prefix="/domains", tags=["domains"])

_FOUND = responses(ErrorCode.NOT_FOUND)
ORDERS = "`id`: as in the splits, with ascending ids. `difficulty`: from easy to hard, and by id within a level."
DomainName = Annotated[str, Path(examples=["retail"])]
PackName = Annotated[str, Query(description="A pack of the domain: a source of its tasks.")]


@router.get("", summary="List domains", response_model=DomainList, responses=responses())
async def list_domains(request: Request) -> dict[str, Any]:
    """Return the domains of this server, with their packs, splits and tools."""
    return await episodes(request).catalogue.domains()


@router.get("/{domain}/tasks", summary="List the tasks of a domain", response_model=TaskList, responses=_FOUND)
async def list_tasks(
    request: Request,
    domain: DomainName,
    pack: PackName = "builtin",
    split: Annotated[str | None, Query(description="The split. The default is all splits.")] = None,
    difficulty: Annotated[
        Difficulty | None,
        Query(description="A level from 1 to 5 or a range, such as `1-3`. The default is all levels."),
    ] = None,
    order: Annotated[TaskOrder, Query(description=ORDERS)] = "id",
    offset: Annotated[int, Query(ge=0, le=10**9, description="Number of tasks to skip.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of tasks on the page.")] = 50,
) -> dict[str, Any]:
    """Return a page of the listed tasks. The first request for a split that uses difficulty takes seconds."""
    return await episodes(request).catalogue.tasks(domain, pack, TaskFilter(split, difficulty, order), offset, limit)


@router.get("/{domain}/tasks/{task_id:path}", summary="Look at a task", response_model=TaskDetail, responses=_FOUND)
async def get_task(
    request: Request,
    domain: DomainName,
    task_id: Annotated[str, Path(max_length=400)],
    pack: PackName = "builtin",
    gold: Annotated[bool, Query(description="Whether to show the reference solution.")] = False,
) -> dict[str, Any]:
    """Return one task."""
    return await episodes(request).catalogue.task(domain, pack, task_id, gold=gold)
