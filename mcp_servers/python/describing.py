"""Tool descriptions that depend on the machine."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from types import ModuleType
from typing import Any

from mcp_servers.kit.tools import ToolSpec, tools_of


def described(module: ModuleType, **words: str) -> ModuleType:
    """Return a module with the same tools. Replace the placeholders in their descriptions by `words`."""
    copy = ModuleType(module.__name__)
    for spec in tools_of([module]):
        setattr(copy, spec.fn.__name__, _told(spec, words))
    return copy


def _told(spec: ToolSpec, words: dict[str, str]) -> Callable[..., Any]:
    fn = spec.fn

    @wraps(fn)
    async def told(*args: Any, **kwargs: Any) -> Any:
        return await fn(*args, **kwargs)

    text = fn.__doc__ or ""
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    told.__doc__ = text
    setattr(told, "__mcp_tool__", replace(spec, fn=told))  # noqa: B010
    return told
