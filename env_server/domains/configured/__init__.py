"""The domain that an operator makes of MCP servers and a file of tasks, without a line of code."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from env_server.domains.configured.task_file import FileTasks
from env_server.domains.kit import ANSWERS, Dialect, Domain, Task
from env_server.providers.spec import OutsideProvider

POLICY: Final = Path(__file__).parent / "instructions.md"


def nothing() -> Mapping[str, Iterable[Any]]:
    """Return the world: no rows, since the servers are outside."""
    return {}


def configured(name: str, servers: OutsideProvider, tasks: tuple[Task, ...], policy: Path | None = None) -> Domain:
    """Return the domain of these servers and tasks. `policy` is a text file with the agent's rules."""
    return Domain(
        name=name,
        description="Tools of MCP servers, and tasks from a file.",
        tables=(ANSWERS,),
        tools_module=sys.modules[__name__],
        world=nothing,
        tasks=FileTasks(tasks),
        dialects={"builtin": Dialect(tools=())},
        outside=servers,
        policy_path=policy or POLICY,
    )
