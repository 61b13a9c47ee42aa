"""Declares tools and resources: decorators on module-level functions, whose first parameter is the server's API."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, TypeVar

from mcp.types import ToolAnnotations

Profile = Literal["limited", "full"]

READ = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
"""Asks, and changes nothing."""
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""Adds something outside each time it is called."""
WRITE_ONCE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
"""Changes something outside; a second call changes nothing more."""

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class ToolSpec:
    """A tool before it is bound to an API."""

    fn: Callable[..., Awaitable[Any]]
    name: str
    profile: Profile
    aliases: tuple[str, ...]
    annotations: ToolAnnotations
    title: str | None


@dataclass(frozen=True)
class ResourceSpec:
    """A resource, or a template of resources, before it is bound to an API."""

    fn: Callable[..., Awaitable[str]]
    uri: str
    mime_type: str


def tool(
    *,
    profile: Profile = "full",
    aliases: tuple[str, ...] = (),
    annotations: ToolAnnotations = READ,
    name: str | None = None,
    title: str | None = None,
) -> Callable[[F], F]:
    """Make a function a tool: `async def f(api: Api, ticker: Ticker, ...) -> Model`.

    The first parameter is the server's API and no part of the schema; a parameter of the SDK's type `Context` is none
    either. The docstring is the description, the result a pydantic model whose `prose()` is the text of the result.

    Args:
        profile: `limited` where the tool belongs to the few that a research task needs; the profile `full` has all.
        aliases: Other names of the tool, which only the profile `full` lists.
        annotations: What the tool does to the outside.
        name: The function's where None.
        title: A name for people.
    """

    def declare(fn: F) -> F:
        setattr(fn, "__mcp_tool__", ToolSpec(fn, name or fn.__name__, profile, aliases, annotations, title))  # noqa: B010
        return fn

    return declare


def resource(uri: str, mime_type: str = "text/plain") -> Callable[[F], F]:
    """Make a function a resource: `async def f(api: Api, ...) -> str` with a parameter for each `{name}` of `uri`."""

    def declare(fn: F) -> F:
        setattr(fn, "__mcp_resource__", ResourceSpec(fn, uri, mime_type))  # noqa: B010
        return fn

    return declare


def tools_of(modules: Iterable[ModuleType]) -> list[ToolSpec]:
    """The tools of modules, in the order in which they are defined."""
    return list(_declared(modules, "__mcp_tool__"))


def resources_of(modules: Iterable[ModuleType]) -> list[ResourceSpec]:
    """The resources of modules, in the order in which they are defined."""
    return list(_declared(modules, "__mcp_resource__"))


def _declared(modules: Iterable[ModuleType], mark: str) -> Iterable[Any]:
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, mark) and value.__module__ == module.__name__:
                yield getattr(value, mark)
