"""The tools, on both backends."""

import ast
from datetime import UTC
from typing import Any, Literal, cast

import anyio
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.kit.deadline import deadline
from mcp_servers.kit.errors import UpstreamError
from mcp_servers.python import assemble
from mcp_servers.python.api import PythonTool
from mcp_servers.python.sessions import Entry
from mcp_servers.python.settings import Settings
from mcp_servers.world import NOW
from mcp_servers.world.store import Scope, Store, within
from tests.mcp_servers.python.asking import Asking, text_of


async def test_execute_python(asking: Asking) -> None:
    """The result has what was printed, the last value, errors and files, as prose and as structure."""
    result = await asking.raw(
        "execute_python", code="print('a')\nopen('f.txt', 'w').write('x')\n6 * 7", description="d"
    )
    assert text_of(result) == "a\n42\nFiles written: f.txt"
    assert await asking("execute_python", python_code="1 + 1") == {"value": "2"}
    assert "ZeroDivisionError" in (await asking("execute_python", code="1 / 0"))["error"]
    assert text_of(await asking.raw("execute_python", code="x = 1")) == "(no output)"
    assert (await asking("execute_python", code="print('a\\x1b[31m\\u202eb')"))["stdout"] == "a[31mb\n"


async def test_sessions(asking: Asking) -> None:
    """With a handle a session goes on; without one each call starts afresh; an unknown handle is said to be so."""
    handle = (await asking("execute_python", code="x = 5", session="new"))["session"]
    assert await asking("execute_python", code="x + 1", session=handle) == {"value": "6", "session": handle}
    assert "NameError" in (await asking("execute_python", code="x"))["error"]
    other = (await asking("execute_python", code="x = 6", session="new"))["session"]
    assert other != handle
    with pytest.raises(ToolError, match="not_found"):
        await asking("execute_python", code="x", session=handle[:-1])


async def test_a_killed_worker_is_one_error(asking: Asking) -> None:
    """What ends the worker is said once, with what to do; the session goes on without its variables."""
    handle = (await asking("execute_python", code="x = 5", session="new"))["session"]
    flood = "for n in range(2000):\n    open('f' + str(n), 'w').write('')"
    with pytest.raises(
        ToolError, match=r"^\[refused\] the code was ended because its scratch folder holds .*; .* begin"
    ):
        await asking("execute_python", code=flood, session=handle)
    assert "NameError" in (await asking("execute_python", code="x", session=handle))["error"]


async def test_want_of_time_is_said() -> None:
    """Code that takes too long has the result `timed_out`."""
    settings = Settings(python_backend="monty", python_seconds=0.1)
    api = PythonTool(settings)
    with pytest.raises(ToolError, match=r"^\[timed_out\] .* more than 0.1 seconds"):
        await assemble(api, settings).call_tool("execute_python", {"code": "while True:\n    pass"})
    await api.aclose()


@pytest.mark.parametrize("backend", ["process", "monty"])
async def test_the_deadline_of_a_call_ends_its_session(backend: Literal["process", "monty"]) -> None:
    """A call that is ended says that variables and files are gone. Later code sees the stored results again."""
    settings = Settings(python_backend=backend, call_timeout_s=2, python_seconds=60)
    api = PythonTool(settings)
    asking = Asking(assemble(api, settings), api, backend)
    handle = (await asking("execute_python", code="x = 5", session="new"))["session"]
    await asking("store_execution_result", context_key="kept", data=[7], session=handle)
    assert (await asking("execute_python", code="context['kept']", session=handle))["value"] == "[7]"
    with pytest.raises(
        ToolError, match=r"^\[timed_out\] the call was ended after 2 s, .*; its variables and files are gone, so begin"
    ):
        await asking("execute_python", code="while True:\n    pass", session=handle)
    assert "NameError" in (await asking("execute_python", code="x", session=handle))["error"]
    assert (await asking("execute_python", code="context['kept']", session=handle))["value"] == "[7]"
    await api.aclose()


async def test_a_call_that_waited_loses_nothing() -> None:
    """A call that is ended while it waits for another call of its session does not say that variables are lost."""
    api = PythonTool(Settings(python_backend="monty"))
    entry = Entry(api.backend.open(), 0.0)
    await api.run(entry, "x = 5")
    waiting = "import asyncio\nawait asyncio.sleep(1)"
    async with anyio.create_task_group() as group:
        group.start_soon(api.run, entry, waiting)
        await anyio.sleep(0.1)
        with pytest.raises(UpstreamError, match="call again with a smaller request"), deadline(0.1):
            await api.run(entry, "x")
    assert (await api.run(entry, "x")).value == "5"
    await entry.conversation.close()
    await api.aclose()


async def test_process_mcp_data(asking: Asking) -> None:
    """Code sees the data as JSON has them."""
    data = {"rows": [{"close": 10.5}, {"close": None}], "name": "ü"}
    code = "[row['close'] for row in data['rows']], data['name']"
    assert (await asking("process_mcp_data", data=data, processing_code=code))["value"] == "([10.5, None], 'ü')"


@pytest.mark.parametrize(
    ("kind", "name", "field", "value"),
    [
        ("summary", "close", "median", 11.0),
        ("returns", "close", "total", 0.2),
        ("volatility", "close", "per_period", 0.2182),
        ("drawdown", "close", "largest", -0.25),
        ("trend", "close", "slope_per_period", 0.3),
        ("moving_average", "close", "last_5", 10.8),
        ("correlation", "close and volume", None, 1.0),
    ],
)
async def test_analyses(asking: Asking, kind: str, name: str, field: str | None, value: float) -> None:
    """Usual figures of rows, of lists by name, or of a list."""
    close = [10.0, 12.0, 9.0, 11.0, 12.0]
    forms: list[Any] = [[{"close": each, "volume": each * 100, "day": "d"} for each in close]]
    forms += [{"close": close, "volume": [each * 100 for each in close]}]
    for form in forms:
        found = ast.literal_eval((await asking("analyze_financial_data", data=form, analysis_type=kind))["value"])[name]
        assert (found if field is None else found[field]) == pytest.approx(value, abs=1e-4)


async def test_analyses_of_ones_own(asking: Asking) -> None:
    """Custom code runs alone or after an analysis, and a mistake in the arguments has a name."""
    own = {"data": {"a": [1, 2]}, "custom_code": "sum(series['a'])"}
    assert (await asking("analyze_financial_data", analysis_type="custom", **own))["value"] == "3.0"
    own["custom_code"] = "result['a']['mean']"
    assert (await asking("analyze_financial_data", analysis_type="summary", **own))["value"] == "1.5"
    with pytest.raises(ToolError, match="custom_code"):
        await asking("analyze_financial_data", data=[1], analysis_type="custom")
    assert "no numbers" in (await asking("analyze_financial_data", data="text", analysis_type="summary"))["error"]
    with pytest.raises(ToolError, match="analysis_type"):
        await asking("analyze_financial_data", data=[1], analysis_type="horoscope")


async def test_pipelines(asking: Asking) -> None:
    """Each step works on what the one before left, as its last value or in `data`; the first mistake ends it."""
    steps = ["[x * 2 for x in data]", {"code": "print(data)", "name": "look"}, "data = sum(data)"]
    result = await asking("create_data_pipeline", pipeline_steps=steps, input_data=[1, 2])
    assert result == {"value": "6", "stdout": "[2, 4]\n"}
    steps[1] = {"code": "data.x", "name": "bad"}
    result = await asking("create_data_pipeline", pipeline_steps=steps, input_data=[1, 2])
    assert result["step"] == "step 2 (bad)"
    assert "AttributeError" in result["error"]
    with pytest.raises(ToolError, match="pipeline_steps"):
        await asking("create_data_pipeline", pipeline_steps=[], input_data=1)


async def test_stored_results(asking: Asking) -> None:
    """Stored values are listed, returned, and seen by code; a value that is too large is refused."""
    stored = await asking("store_execution_result", context_key="closes", data=[1, 2], description="prices")
    handle = stored["session"]
    assert stored["stored"] == [{"context_key": "closes", "description": "prices"}]
    assert (await asking("get_execution_context", context_key="closes", session=handle))["data"] == [1, 2]
    assert (await asking("execute_python", code="sum(context['closes'])", session=handle))["value"] == "3"
    with pytest.raises(ToolError, match="the names are: closes"):
        await asking("get_execution_context", context_key="opens", session=handle)
    assert text_of(await asking.raw("get_execution_context")) == "Nothing is stored."
    with pytest.raises(ToolError, match="bytes"):
        await asking("store_execution_result", context_key="big", data="x" * 5_000_000, session=handle)


async def test_an_episode_is_a_session(asking: Asking) -> None:
    """Calls within an episode share variables and the world's clock; ending the episode ends them."""
    one, other = (Scope(cast("Store", None), NOW, episode=name) for name in ("one", "other"))
    with within(one):
        await asking("execute_python", code="import datetime\nx = 1")
        value = (await asking("execute_python", code="x, str(datetime.datetime.now())"))["value"]
    assert value == f"(1, '{NOW.astimezone(UTC).replace(tzinfo=None)}')"
    with within(other):
        assert "NameError" in (await asking("execute_python", code="x"))["error"]
    await asking.api.sessions.close_episode("one")
    with within(one):
        assert "NameError" in (await asking("execute_python", code="x"))["error"]
    for name in ("one", "other"):
        await asking.api.sessions.close_episode(name)


async def test_what_a_model_is_told(asking: Asking) -> None:
    """The description says which modules there are in the backend at hand."""
    tools = {tool.name: tool for tool in await asking.server.list_tools()}
    description = tools["execute_python"].description or ""
    assert ("CPython with the standard library, numpy" in description) == (asking.backend == "process")
    assert ("without pandas" in description) == (asking.backend == "monty")
    assert "{" not in description
