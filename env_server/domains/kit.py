"""Everything a domain author imports: `@tool`, `Domain`, `Task` and what they are made of."""

from env_server.domains.dialect import Dialect
from env_server.domains.domain import Domain, Hands, TaskSource, Use
from env_server.domains.generate.part import ONLY_ASKING, Caller, Case, Part, Patch, Row, World, asked, read, write
from env_server.domains.generate.tasks import GeneratedTasks
from env_server.domains.generate.template import NOTHING, Move, Template, nothing
from env_server.domains.task import (
    Component,
    EnvAssertion,
    Gold,
    GoldCall,
    NoSuchTask,
    OwnCheck,
    Request,
    Task,
    UserScript,
)
from env_server.domains.tool import READ, WRITE, Kind, Tool, ToolError, tool, tools_of
from env_server.state import Db, Index, Table

__all__ = [
    "NOTHING",
    "ONLY_ASKING",
    "READ",
    "WRITE",
    "Caller",
    "Case",
    "Component",
    "Db",
    "Dialect",
    "Domain",
    "EnvAssertion",
    "GeneratedTasks",
    "Gold",
    "GoldCall",
    "Hands",
    "Index",
    "Kind",
    "Move",
    "NoSuchTask",
    "OwnCheck",
    "Part",
    "Patch",
    "Request",
    "Row",
    "Table",
    "Task",
    "TaskSource",
    "Template",
    "Tool",
    "ToolError",
    "Use",
    "UserScript",
    "World",
    "asked",
    "nothing",
    "read",
    "tool",
    "tools_of",
    "write",
]
