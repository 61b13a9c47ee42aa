"""Tools that every domain has: `think`, `calculate`, the transfer to a human agent, and `done`."""

import ast
import re
from typing import Any

from simpleeval import (  # type: ignore[import-untyped]  # it ships no types
    DEFAULT_OPERATORS,
    EvalWithCompoundTypes,
    InvalidExpression,
)

from env_server.domains.kit.dialect import Dialect
from env_server.domains.kit.tools import READ, Tool, ToolError, tool
from env_server.state import Db

_ALLOWED = re.compile(r"[0-9+\-*/(). ]*")
_LONGEST = 500


@tool(kind=READ)
def think(db: Db[Any], thought: str) -> str:
    """Write down a thought. It changes nothing and nobody else reads it; use it to plan or to check a rule.

    Args:
        thought: The thought.
    """
    return ""


@tool(kind=READ, aliases=("calculator",))
def calculate(db: Db[Dialect], expression: str) -> str:
    """Calculate the value of an arithmetic expression, rounded to two decimals.

    Args:
        expression: Numbers, the operators + - * /, parentheses and spaces, such as '2 * (10.50 - 3)'.
    """
    if not _ALLOWED.fullmatch(expression):
        raise ToolError(db.dialect.bad_expression)
    if len(expression) > _LONGEST:
        raise ToolError(f"the expression is longer than {_LONGEST} characters")
    try:
        # Parsed here to report Python's own syntax error. The evaluator supports tuples only to fail like Python's
        # float().
        parsed = ast.parse(expression.lstrip(" "), "<string>", "eval").body
        evaluator = EvalWithCompoundTypes(operators=_OPERATORS, functions={}, names={})
        return str(round(float(evaluator.eval(expression, parsed)), 2))
    except (InvalidExpression, SyntaxError, ArithmeticError, ValueError, TypeError, MemoryError, RecursionError) as e:
        raise ToolError(db.dialect.bad_calculation.format(expression=expression, error=e)) from e


def _power(base: Any, exponent: Any) -> Any:
    """Return `base ** exponent`, bounded so that a short expression cannot keep the server busy."""
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * exponent > _MOST_BITS:
        raise OverflowError("int too large to convert to float")
    return base**exponent


_MOST_BITS = 10_000
_OPERATORS = {**DEFAULT_OPERATORS, ast.Pow: _power}


@tool(kind=READ, transfers=True)
def transfer_to_human_agents(db: Db[Any], summary: str) -> str:
    """Hand the user over to a human agent. Do so only where the policy says so.

    Args:
        summary: What the user needs, for the human agent.
    """
    return "Transfer successful"


TOOLS: tuple[Tool, ...] = (think, calculate, transfer_to_human_agents)


@tool(kind=READ, finishes=True)
def done(db: Db[Any]) -> str:
    """Say that all the work is done. Nothing can be done after it."""
    return "Done"


SOLO_TOOLS: tuple[Tool, ...] = (done,)
"""Additional tools for episodes without a user."""
