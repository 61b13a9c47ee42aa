"""The decorator `@tool`. It makes a tool of a plain function, with a schema from the signature and the Google-style
docstring.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Annotated, Any, get_type_hints

from docstring_parser import DocstringStyle, parse
from pydantic import BaseModel, ConfigDict, Field, create_model

from env_server.providers.spec import READ, WRITE, ToolKind, ToolSpec, untitled

__all__ = ["READ", "WRITE", "Tool", "ToolError", "ToolKind", "ToolSpec", "tool", "tools_of"]


class ToolError(Exception):
    """A check of the tool failed. The agent reads the message. The call leaves no change behind."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool(ToolSpec):
    """A tool that is a function on rows. `Tool(db, **arguments)` calls it."""

    fn: Callable[..., Any]

    @property
    def name(self) -> str:
        """The function's name."""
        return self.fn.__name__

    def __call__(self, db: Any, /, *values: Any, **arguments: Any) -> Any:
        """Call the function, for use by other tools."""
        return self.fn(db, *values, **arguments)

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """A pydantic model of the arguments, in the signature's order, with the docstring's descriptions."""
        return self._model({})

    @property
    def argument_names(self) -> tuple[str, ...]:
        """The arguments that callers give, in the signature's order."""
        return tuple(self.signature({}))

    def signature(self, types: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
        """Return argument -> (its type, or the replacement in `types`; its default, or `...` if it is required)."""
        hints = {**get_type_hints(self.fn, include_extras=True), **types}
        parameters = list(inspect.signature(self.fn).parameters.values())[1:]
        return {p.name: (hints[p.name], ... if p.default is inspect.Parameter.empty else p.default) for p in parameters}

    def _model(self, types: Mapping[str, Any]) -> type[BaseModel]:
        described = {p.arg_name: _joined(p.description or "") for p in self._docstring.params}
        fields: dict[str, Any] = {}
        for name, (hint, default) in self.signature(types).items():
            if name not in described:
                raise TypeError(f"tool {self.name}: the docstring does not describe argument {name!r}")
            fields[name] = (Annotated[hint, Field(description=described[name])], default)
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def description(self) -> str:
        """The docstring up to its sections, one paragraph per line."""
        paragraphs = (self._docstring.description or "").strip().split("\n\n")
        return "\n".join(map(_joined, paragraphs))

    @cached_property
    def _docstring(self) -> Any:
        return parse(inspect.getdoc(self.fn) or "", DocstringStyle.GOOGLE)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The OpenAI function schema."""
        return self.schema_with({})

    def schema_with(self, types: Mapping[str, Any]) -> dict[str, Any]:
        """Return the OpenAI function schema with other types for some arguments, argument -> type."""
        parameters = untitled((self._model(types) if types else self.arguments).model_json_schema())
        parameters.setdefault("required", [])
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


def tool(
    *,
    kind: ToolKind,
    aliases: tuple[str, ...] = (),
    argument_aliases: Mapping[str, str] | None = None,
    transfers: bool = False,
    finishes: bool = False,
    identifies: bool = False,
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a tool of `function(db, typed arguments) -> result`.

    Args:
        kind: READ, or WRITE if it may change rows.
        aliases: other names that models use for it.
        argument_aliases: other name -> argument.
        transfers: whether it transfers the user to people.
        finishes: whether it declares the work done.
        identifies: whether it finds or checks the user's identity.

    The agent sees the result: text unchanged, anything else as JSON.
    """

    def decorate(fn: Callable[..., Any]) -> Tool:
        return Tool(
            fn=fn,
            kind=kind,
            aliases=aliases,
            argument_aliases=argument_aliases or {},
            transfers=transfers,
            finishes=finishes,
            identifies=identifies,
        )

    return decorate


def tools_of(module: ModuleType) -> tuple[Tool, ...]:
    """Return the tools that a module defines, in the order of their definition."""
    return tuple(v for v in vars(module).values() if isinstance(v, Tool) and v.fn.__module__ == module.__name__)


def _joined(text: str) -> str:
    """Return a paragraph as one line, since line breaks of the source have no meaning in a prompt."""
    return " ".join(text.split())
