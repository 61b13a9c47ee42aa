"""Everything a domain author imports: `@tool`, `Domain`, `Task` and what they are made of."""

from env_server.domains.dialect import Dialect
from env_server.domains.domain import Domain, TaskSource
from env_server.domains.task import Component, Gold, GoldCall, Request, Task, UserScript
from env_server.domains.tool import READ, WRITE, Kind, Tool, ToolError, tool, tools_of
from env_server.state import Db, Index, Table

__all__ = [
    "READ",
    "WRITE",
    "Component",
    "Db",
    "Dialect",
    "Domain",
    "Gold",
    "GoldCall",
    "Index",
    "Kind",
    "Request",
    "Table",
    "Task",
    "TaskSource",
    "Tool",
    "ToolError",
    "UserScript",
    "tool",
    "tools_of",
]
