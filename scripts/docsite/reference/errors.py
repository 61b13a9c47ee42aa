"""The page of errors: codes, and reasons why an episode ends."""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from enum import Enum

from agent_env_schemas import ErrorCode, StopReason
from env_server.errors import ProblemError, status_of
from env_server.providers.spec import FailureKind
from scripts.docsite.markdown import code, table

HEAD = """# Errors

*Generated from the code.*

An error is a problem document (`application/problem+json`). Its `code` is one of those below. If `retryable` is true,
the same request may succeed later, and the answer has the header `Retry-After`.

"""


def page() -> str:
    """Return the page."""
    texts = docstrings(ErrorCode)
    codes = table(
        ("code", "status", "retryable", "meaning"),
        (
            (code(c.value), str(int(status_of(c))), "yes" if ProblemError(c, "").retryable else "", texts[c.name])
            for c in ErrorCode
        ),
    )
    return (
        HEAD
        + "## Codes\n\n"
        + codes
        + "## Why an episode ends\n\n`stop_reason` of the last turn, and whether it is [scored](../rewards.md).\n\n"
        + _enumerated(StopReason)
        + "## Failures of tool servers\n\nWhy a call to an [MCP server](../tools.md) failed although the model made "
        "no mistake: the `outcome` of a call, and a label of metrics.\n\n" + _enumerated(FailureKind)
    )


def _enumerated(kind: type[Enum]) -> str:
    texts = docstrings(kind)
    return table(("value", "meaning"), ((code(member.value), texts.get(member.name, "")) for member in kind))


def docstrings(kind: type[Enum]) -> Mapping[str, str]:
    """Return member -> the text below it in the source."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for statement in body.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and name:
            found[name] = str(statement.value.value)
            name = ""
    return found
