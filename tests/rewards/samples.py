"""A small row, its tools, and outcomes of their calls."""

from typing import Any

from env_server.domains.kit import READ, AnswerRules, PlanStep, StepAnalysis, Task, TaskSample
from env_server.domains.kit.task import Component
from env_server.providers.spec import Effect, FailureKind, ServerListing, ServerTool
from env_server.tools import CallOutcome, Fault

SAMPLE = TaskSample(
    source="test",
    must_call="market.quote",
    plan=(
        PlanStep(
            step=1,
            server="market",
            tool="quote",
            params={"ticker": "A"},
            analysis=StepAnalysis(
                extract=("price", "name = who.name"),
                compute=("double = price * 2",),
                select=("half = double / 4",),
                accept_if=("half > 1",),
            ),
        ),
        PlanStep(
            step=2, server="market", tool="quote", params={"ticker": "B"}, analysis=StepAnalysis(extract=("price",))
        ),
        PlanStep(step=3, server="post", tool="send", params={"text": "${step1.who.name}: ${price}"}),
    ),
    max_tools=4,
    max_servers=1,
    answer=AnswerRules(must_include=("price", "A"), grounded_from=("price", "double"), words=(2, 6)),
)
TASK = Task(task_id="t", domain="d", instruction="i", basis=(Component.SUCCESS,), sample=SAMPLE)


def tool(server: str, name: str) -> ServerTool:
    """A tool that is never called."""
    listing = ServerListing(server, name, "", {"type": "object"})
    return ServerTool(kind=READ, listing=listing, provider=None, effect=Effect.ROWS)  # type: ignore[arg-type]


QUOTE, SEND = tool("market", "quote"), tool("post", "send")


def outcome(
    made: ServerTool | None = QUOTE,
    result: Any = None,
    fault: Fault | None = None,
    failure: FailureKind | None = None,
    **arguments: Any,
) -> CallOutcome:
    """The outcome of a call; `result` is its structure."""
    name = "nowhere" if made is None else made.name
    return CallOutcome(name, arguments, "text", fault, made, result, failure)


def quote(ticker: str = "A", price: float = 4.0) -> CallOutcome:
    """A good quote."""
    return outcome(QUOTE, {"price": price, "who": {"name": "Anna"}}, ticker=ticker)
