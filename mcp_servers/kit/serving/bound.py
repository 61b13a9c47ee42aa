"""An SDK tool that is bound to an API: strict arguments, prose and structure in the result, limits and redaction."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, get_type_hints

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.context_injection import find_context_parameter
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, func_metadata
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic_core import ErrorDetails, to_json

from mcp_servers.kit.deadline import deadline
from mcp_servers.kit.errors import ErrorKind
from mcp_servers.kit.redact import Redactor
from mcp_servers.kit.text import abridge, clean, clip, inline, unclean, unmarked
from mcp_servers.kit.tools import ToolSpec

STRUCTURE = 200_000
"""Maximum bytes of JSON in the structure of a result. Texts and lists of a longer structure are cut."""


class _Strict(ArgModelBase):
    """Arguments of which no other names are taken."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class BoundTool(Tool):
    """An SDK tool that calls a function with an API. It differs from the SDK's tool in its errors, prose and limits."""

    finish: Callable[[BaseModel], CallToolResult] = Field(exclude=True)
    seconds: float = Field(exclude=True)
    """How long a call may take in all."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:  # noqa: ARG002
        """Run the tool; see `Tool.run`. The result is always a `CallToolResult`."""
        given = self._checked(arguments)
        if self.context_kwarg is not None:
            given[self.context_kwarg] = context
        try:
            with deadline(self.seconds, self._late()):
                return self.finish(await self.fn(**given))
        except (MCPError, ToolError):
            raise
        except Exception as e:
            raise UnexpectedToolError(f"Error executing tool {self.name}") from e

    def _late(self) -> ErrorKind:
        """Return the error kind of a call that did not finish. Only a write can have an unknown outcome."""
        marked = self.annotations
        writes = marked is not None and not marked.read_only_hint and marked.open_world_hint
        return ErrorKind.OUTCOME_UNKNOWN if writes else ErrorKind.TIMED_OUT

    def _checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        model = self.fn_metadata.arg_model
        try:
            return model.model_validate(arguments).model_dump_one_level()
        except ValidationError as e:
            parsed = self.fn_metadata.pre_parse_json(arguments)  # Some clients send lists and objects as text.
            try:
                if parsed != arguments:
                    return model.model_validate(parsed).model_dump_one_level()
            except ValidationError:
                pass
            raise ToolError(
                f"[{ErrorKind.BAD_REQUEST}] {_wrong(e.errors())}; correct the arguments and call again"
            ) from e


def bind(spec: ToolSpec, api: object, name: str, redact: Redactor, seconds: float) -> BoundTool:
    """Make an SDK tool from a declared tool. `name` may be an alias. `seconds` limits the time of a call."""
    context = find_context_parameter(spec.fn)
    first = next(iter(inspect.signature(spec.fn).parameters))
    skipped = [first, *([context] if context else [])]
    metadata = func_metadata(spec.fn, skip_names=skipped, structured_output=False)
    strict = _strict(metadata.arg_model)
    return BoundTool(
        fn=partial(spec.fn, api),
        name=name,
        title=spec.title,
        description=inspect.cleandoc(spec.fn.__doc__ or ""),
        parameters=strict.model_json_schema(by_alias=True),
        fn_metadata=metadata.model_copy(update={"arg_model": strict, "output_schema": _output(spec)}),
        is_async=True,
        context_kwarg=context,
        annotations=spec.annotations,
        meta={"alias_of": spec.name} if name != spec.name else {"aliases": [*spec.aliases]} if spec.aliases else None,
        finish=partial(result, redact),
        seconds=seconds,
    )


def result(redact: Redactor, model: BaseModel) -> CallToolResult:
    """Return the result for the client: the prose and the fields of the tool's model, cleaned, cut and redacted."""
    structure, text = _harmless(model.model_dump(mode="json", by_alias=True), redact)
    prose: Callable[[], str] | None = getattr(model, "prose", None)
    said = abridge(redact.text(clean(prose() if prose is not None else text)))
    if len(text) > STRUCTURE:
        structure = shrink(structure, len(text))
        said += "\n[... the structure of this result was cut as well: long texts, and the ends of long lists]"
    return CallToolResult(content=[TextContent(text=said)], structured_content=structure)


def _harmless(structure: Any, redact: Redactor) -> tuple[Any, str]:
    """Return the structure and its JSON, without secrets, invisible characters and marks of outside text."""
    json = to_json(structure)
    text = json.decode()
    if not redact.holds(json) and not unclean(text):
        return structure, text
    structure = _cleaned(redact.value(structure))
    return structure, to_json(structure).decode()


def shrink(value: Any, size: int) -> Any:
    """Return a JSON value of `size` bytes with its texts and lists cut until it has at most `STRUCTURE` bytes."""
    texts, items = 4_000, 500
    while size > STRUCTURE and (texts > 60 or items > 1):
        value = _cut(value, texts, items)
        size = len(to_json(value))
        texts, items = max(60, texts // 2), max(1, items // 2)
    return value


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return unmarked(clean(value))
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {unmarked(clean(name)): _cleaned(item) for name, item in value.items()}
    return value


def _cut(value: Any, texts: int, items: int) -> Any:
    if isinstance(value, str):
        return clip(value, texts)
    if isinstance(value, list):
        return [_cut(item, texts, items) for item in value[:items]]
    if isinstance(value, dict):
        return {name: _cut(item, texts, items) for name, item in value.items()}
    return value


def _output(spec: ToolSpec) -> dict[str, Any]:
    """Return the schema of the structure that `result` makes.

    Names and types may differ from the model's input schema.
    """
    return TypeAdapter(get_type_hints(spec.fn, include_extras=True)["return"]).json_schema(mode="serialization")


def _strict(arguments: type[ArgModelBase]) -> type[ArgModelBase]:
    return create_model(arguments.__name__, __base__=(arguments, _Strict))


def _wrong(errors: list[ErrorDetails]) -> str:
    """Return the faults of the arguments, each under its name."""
    said = [f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {inline(e['msg'], 200)}" for e in errors[:8]]
    return inline("; ".join(said), 1_500)
