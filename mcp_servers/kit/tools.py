"""Declares tools and resources.

The decorators apply to module-level functions whose first parameter is the server's API.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, TypeVar

from mcp.types import ToolAnnotations

Profile = Literal["limited", "full"]

READ = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
"""Annotations of a tool that only reads."""
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""Annotations of a tool that adds external data at each call."""
WRITE_ONCE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
"""Annotations of a tool that changes external data. A second call with the same arguments changes nothing more."""

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class ToolSpec:
    """A tool that is not yet bound to an API."""

    fn: Callable[..., Awaitable[Any]]
    name: str
    profile: Profile
    aliases: tuple[str, ...]
    annotations: ToolAnnotations
    title: str | None


@dataclass(frozen=True)
class ResourceSpec:
    """A resource, or a template of resources, that is not yet bound to an API."""

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

    The first parameter is the server's API and is not part of the schema. A parameter of the SDK's type `Context` is
    not part of the schema either. The docstring becomes the description. The result is a pydantic model, and its
    `prose()` is the text of the result.

    Args:
        profile: `limited` for the few tools that a research task needs. The profile `full` includes all tools.
        aliases: Other names of the tool. Only the profile `full` lists them.
        annotations: The effect of the tool on external data.
        name: The name of the tool. None uses the function's name.
        title: A name to show to users.
    """

    def declare(fn: F) -> F:
        setattr(fn, "__mcp_tool__", ToolSpec(fn, name or fn.__name__, profile, aliases, annotations, title))  # noqa: B010
        return fn

    return declare


def resource(uri: str, mime_type: str = "text/plain") -> Callable[[F], F]:
    """Make a function a resource: `async def f(api: Api, ...) -> str`.

    The function has one parameter for each `{name}` in `uri`.
    """

    def declare(fn: F) -> F:
        setattr(fn, "__mcp_resource__", ResourceSpec(fn, uri, mime_type))  # noqa: B010
        return fn

    return declare


def tools_of(modules: Iterable[ModuleType]) -> list[ToolSpec]:
    """Return the tools of modules, in the order of their definition."""
    return list(_declared(modules, "__mcp_tool__"))


def resources_of(modules: Iterable[ModuleType]) -> list[ResourceSpec]:
    """Return the resources of modules, in the order of their definition."""
    return list(_declared(modules, "__mcp_resource__"))


def _declared(modules: Iterable[ModuleType], mark: str) -> Iterable[Any]:
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, mark) and value.__module__ == module.__name__:
                yield getattr(value, mark)
