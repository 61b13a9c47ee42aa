"""The tools: code, code over data, analyses, pipelines, and results put aside."""

from typing import Any

from mcp.server.mcpserver import Context as Call
from mcp.types import ToolAnnotations

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.tools import tool
from mcp_servers.python import analysis
from mcp_servers.python import arguments as take
from mcp_servers.python.api import PythonTool
from mcp_servers.python.results import Context, Execution, StoredName
from mcp_servers.python.sessions import ConversationLease, Stored

RUN = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
"""Annotations of a tool that changes variables and files of the session, and nothing outside."""
LOOK = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


@tool(profile="limited", annotations=RUN, title="Run Python")
async def execute_python(
    api: PythonTool,
    call: Call[Any, Any],
    code: take.Code,
    description: take.Description = None,  # noqa: ARG001 -- for people who read along
    session: take.Session = None,
) -> Execution:
    r"""Run Python code in a sandbox; gives what it prints, the value of its last expression, and its errors.

    {offers} Later calls of the same session see its variables and files.

    Example: execute_python(code="prices = [101.2, 99.8, 104.5]\nmax(prices) / min(prices) - 1")
    """
    async with api.lease(call, session) as lease:
        return Execution.of(await api.run(lease.entry, code), lease.handle)


@tool(annotations=RUN, title="Process data with Python")
async def process_mcp_data(
    api: PythonTool,
    call: Call[Any, Any],
    data: take.Data,
    processing_code: take.Processing,
    description: take.Description = None,  # noqa: ARG001
    session: take.Session = None,
) -> Execution:
    """Run Python code over the result of another tool, which it sees as `data`.

    {offers}

    Example: process_mcp_data(data=[{"close": 10.5}, {"close": 11.0}], processing_code="sum(r['close'] for r in data)")
    """
    async with api.lease(call, session) as lease:
        return Execution.of(await api.run(lease.entry, processing_code, {"data": data}), lease.handle)


@tool(annotations=RUN, title="Analyse figures")
async def analyze_financial_data(
    api: PythonTool,
    call: Call[Any, Any],
    data: take.Data,
    analysis_type: take.Analysis,
    custom_code: take.Custom = None,
    session: take.Session = None,
) -> Execution:
    """Compute usual figures of a series: a list of numbers, a list of rows, or lists by name, oldest first.

    Example: analyze_financial_data(data=[{"close": 10.0}, {"close": 11.0}, {"close": 10.5}], analysis_type="returns")
    """
    if analysis_type == "custom" and not custom_code:
        raise UpstreamError(ErrorKind.BAD_REQUEST, "analysis_type is custom and there is no custom_code")
    inputs = {"data": data, "analysis_type": analysis_type}
    async with api.lease(call, session) as lease:
        analysed = await api.run(lease.entry, f"{analysis.CODE}\nresult", inputs)
        if analysed.error is not None or not custom_code:
            return Execution.of(analysed, lease.handle)
        return Execution.of(await api.run(lease.entry, custom_code), lease.handle)


@tool(annotations=RUN, title="Run steps over data")
async def create_data_pipeline(
    api: PythonTool,
    call: Call[Any, Any],
    pipeline_steps: take.Steps,
    input_data: take.Input,
    description: take.Description = None,  # noqa: ARG001
    session: take.Session = None,
) -> Execution:
    """Run steps of Python code one after the other, each over what the one before made of `data`.

    The value is `data` after the last step. The first step that fails ends it. {offers}

    Example: create_data_pipeline(pipeline_steps=["[x * 2 for x in data]", "sum(data)"], input_data=[1, 2, 3])
    """
    steps = [take.Step(code=step) if isinstance(step, str) else step for step in pipeline_steps]
    async with api.lease(call, session) as lease:
        return await _run_steps(api, lease, steps, {"data": input_data})


async def _run_steps(
    api: PythonTool, lease: ConversationLease, steps: list[take.Step], inputs: dict[str, Any]
) -> Execution:
    done: list[Execution] = []
    for number, step in enumerate(steps, 1):
        result = await api.run(lease.entry, step.code, inputs, keep="data")
        name = f"step {number} ({step.name})" if step.name else f"step {number}"
        done.append(Execution.of(result, lease.handle, name if result.error else None))
        if result.error:
            break
        inputs = {}
    else:
        done.append(Execution.of(await api.run(lease.entry, "data"), lease.handle))
    return done[-1].model_copy(
        update={
            "stdout": "".join(each.stdout for each in done),
            "stderr": "".join(each.stderr for each in done),
            "files": sorted({name for each in done for name in each.files}),
        }
    )


@tool(annotations=LOOK, title="Look at stored results")
async def get_execution_context(
    api: PythonTool, call: Call[Any, Any], context_key: take.AnyKey = None, session: take.Session = None
) -> Context:
    """List the results that `store_execution_result` put aside in this session, or give one of them.

    Example: get_execution_context()
    """
    async with api.lease(call, session) as lease:
        stored = lease.entry.stored
        if context_key is not None and context_key not in stored:
            known = ", ".join(stored) or "none"
            raise UpstreamError(
                ErrorKind.NOT_FOUND, "nothing is stored under this context_key", f"the names are: {known}"
            )
        return _context(lease, None if context_key is None else stored[context_key])


@tool(annotations=RUN, title="Store a result")
async def store_execution_result(
    api: PythonTool,
    call: Call[Any, Any],
    context_key: take.Key,
    data: take.Data,
    description: take.Description = None,
    session: take.Session = None,
) -> Context:
    """Put a value aside under a name for the rest of the session; code sees all of them in the dictionary `context`.

    Example: store_execution_result(context_key="closes", data=[101.2, 99.8], description="closing prices")
    """
    async with api.lease(call, session, keep=True) as lease:
        api.store(lease.entry, context_key, Stored(data, description))
        return _context(lease)


def _context(lease: ConversationLease, found: Stored | None = None) -> Context:
    names = [StoredName(context_key=key, description=each.description) for key, each in lease.entry.stored.items()]
    return Context(stored=names, data=found.data if found else None, session=lease.handle)
