import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.kit.errors import ErrorKind
from tests.mcp_servers.contract.servers import Case, call, cases, fresh_world, text_of

TYPED = re.compile(rf"\[({'|'.join(ErrorKind)})\] .+; .+", re.S)
ODD = ["ZZZZQ", "", " ", "../../v1/secret", "a/b?c=d#e", "\x00\u202e\ud7ff", "ü" * 3, "x" * 5_000, "-1", "null", "[]"]


@pytest.fixture(autouse=True)
def _world() -> Any:
    """Every test plays in a world of its own."""
    with fresh_world():
        yield


@pytest.mark.parametrize("case", cases(), ids=str)
async def test_the_example_works(case: Case, server: MCPServer[Any]) -> None:
    """The call in the docstring gives prose, and a structure of the declared shape and of limited length."""
    result = await call(server, case.tool.name, case.example)
    assert not result.is_error
    assert 0 < len(text_of(result)) < 40_000
    structure = json.loads(json.dumps(result.structured_content, allow_nan=False))
    assert case.tool.output_schema is not None
    Draft202012Validator(case.tool.output_schema).validate(structure)
    assert not text_of(result).startswith('{"'), "the text is prose"


@pytest.mark.parametrize("case", cases(), ids=str)
async def test_the_same_call_gives_the_same(case: Case, server: MCPServer[Any], another: MCPServer[Any]) -> None:
    """Two servers, each in a world from the same seed, give results with equal bytes."""
    first = await call(server, case.tool.name, case.example)
    with fresh_world():
        second = await call(another, case.tool.name, case.example)
    assert _stable(first.model_dump_json()) == _stable(second.model_dump_json())


@pytest.mark.parametrize("case", cases(), ids=str)
async def test_wrong_arguments_are_named(case: Case, server: MCPServer[Any]) -> None:
    """An argument that is missing, unknown or of a wrong type is refused with its name."""
    schema, example = case.tool.input_schema, case.example
    wrong: list[tuple[str, dict[str, Any]]] = [("zzz", {**example, "zzz": 1})]
    for name, argument in schema["properties"].items():
        if name in schema.get("required", ()):
            wrong.append((name, {other: value for other, value in example.items() if other != name}))
        takes = Draft202012Validator({**argument, "$defs": schema.get("$defs", {})})
        wrong += [(name, {**example, name: value}) for value in ({"a": [1]}, [[None]]) if not takes.is_valid(value)]
    for name, arguments in wrong:
        with pytest.raises(ToolError, match=r"^\[bad_request\] ") as failed:
            await server.call_tool(case.tool.name, arguments)
        assert name in str(failed.value), arguments
        assert len(str(failed.value)) < 2_000


@pytest.mark.parametrize("case", cases(), ids=str)
async def test_odd_words_are_no_crash(case: Case, server: MCPServer[Any]) -> None:
    """Whatever replaces a word of the example, the tool answers or says what is wrong."""
    for name, value in case.example.items():
        for odd in ODD if isinstance(value, str) else ():
            assert len(await _said(server, case, {**case.example, name: odd})) < 40_000


@pytest.mark.parametrize("case", cases(), ids=str)
async def test_numbers_at_the_edges(case: Case, server: MCPServer[Any]) -> None:
    """The smallest and the greatest number that a schema allows are no crash, and one beyond is refused by name."""
    for name, argument in case.tool.input_schema["properties"].items():
        low, high = _bounds(argument)
        for value in (low, high):
            if value is not None:
                assert await _said(server, case, {**case.example, name: value})
        for value in (None if low is None else low - 1, None if high is None else high + 1):
            if value is not None:
                with pytest.raises(ToolError, match=rf"^\[bad_request\] .*{name}"):
                    await server.call_tool(case.tool.name, {**case.example, name: value})


async def _said(server: MCPServer[Any], case: Case, arguments: dict[str, Any]) -> str:
    """The text of a result, or of an error with a kind."""
    try:
        return text_of(await call(server, case.tool.name, arguments))
    except ToolError as e:
        if not TYPED.fullmatch(str(e)):
            raise AssertionError(f"{e}: {arguments}") from e.__cause__
        return str(e)


def _bounds(argument: dict[str, Any]) -> tuple[int | None, int | None]:
    forms = argument.get("anyOf", [argument])
    (number,) = [form for form in forms if form.get("type") in ("integer", "number")] or [{}]
    return number.get("minimum"), number.get("maximum")


def _stable(text: str) -> str:
    """The text without the handles of conversations, which are random."""
    return re.sub(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])", "HANDLE", text)
