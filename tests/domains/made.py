"""The builtin world and tasks of each domain, made once for all tests of a process."""

from functools import cache

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import GeneratedTasks, Task
from env_server.domains.pack import Pack
from env_server.file_cache import kept
from env_server.settings import Settings


@cache
def pack(domain: str) -> Pack:
    """The builtin pack, loaded once in a process, also for servers in this process with the usual cache folder."""
    return packs(domains()[domain], {}, kept=kept(Settings(_env_file=None)))["builtin"]


@cache
def listed(domain: str, split: str) -> tuple[Task, ...]:
    """All listed tasks of a split."""
    made = pack(domain)
    return tuple(made.task_at(split, i) for i in range(made.splits[split]))


@cache
def twins(domain: str, split: str, each: int) -> tuple[tuple[Task, Task], ...]:
    """Pairs of a refused task and its twin: `each` pairs of every template with a twin."""
    source = pack(domain).tasks
    assert isinstance(source, GeneratedTasks)
    return tuple(source.twins(pack(domain).snapshot, split, each))
