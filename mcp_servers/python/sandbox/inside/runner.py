"""Runs pieces of code in one namespace, one after another, as a notebook does."""

import ast
import linecache
import sys
import traceback
from collections.abc import Mapping
from types import CodeType, ModuleType
from typing import Any, Final, TypedDict

from mcp_servers.python.sandbox.inside.output import Streams, clipped

_HERE: Final = __file__.rpartition("/")[0] + "/"
_TRACEBACK: Final = 6_000  # Characters. The end of a traceback is kept, because it names the error.


class Outcome(TypedDict):
    """The outcome of one piece of code."""

    stdout: str
    stderr: str
    value: str | None
    error: str | None


class Runner:
    """The namespace and the output streams of one conversation.

    Args:
        limit: How much of each stream (in bytes) and of the value (in characters) is kept.
        shown_as: Paths to shorten in tracebacks and warnings, so that their text is the same on every machine.
    """

    def __init__(self, limit: int, shown_as: Mapping[str, str]) -> None:
        self.limit = limit
        self.shown_as = shown_as
        self.streams = Streams(limit)
        self.module = ModuleType("__main__")
        self.value: str | None = None
        self.keep: str | None = None
        self.calls = 0
        sys.modules["__main__"] = self.module

    def run(self, code: str, inputs: Mapping[str, Any], keep: str | None) -> Outcome:
        """Run code with `inputs` bound in its namespace. Return its output and its last value.

        The value is also bound to the name `keep`, if `keep` is set.
        """
        self.keep = keep
        self.calls += 1
        self.module.__dict__.update(inputs)
        self.value = None
        error = self._execute(code, f"<call {self.calls}>")
        stdout, stderr = self.streams.take()
        return {"stdout": stdout, "stderr": self._shortened(stderr), "value": self.value, "error": error}

    def _execute(self, code: str, name: str) -> str | None:
        out, err = self.streams.out, self.streams.err
        vars(sys).update(stdout=out, __stdout__=out, stderr=err, __stderr__=err)
        sys.displayhook = self._show
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        try:
            for part in _parts(code, name):
                exec(part, self.module.__dict__)  # noqa: S102 - this process is locked in for just that
        except BaseException as error:
            return self._described(error)
        return None

    def _show(self, value: object) -> None:
        self.value = None if value is None else clipped(repr(value), self.limit)
        if self.keep is not None and value is not None:
            vars(self.module)[self.keep] = value

    def _described(self, error: BaseException) -> str:
        """Return the traceback without the frames of this package."""
        report = traceback.TracebackException.from_exception(error)
        text = self._shortened("".join(_own_frames(report).format()).rstrip())
        return text if len(text) <= _TRACEBACK else f"[... {len(text) - _TRACEBACK} cut]\n{text[-_TRACEBACK:]}"

    def _shortened(self, text: str) -> str:
        for path, name in self.shown_as.items():
            text = text.replace(path, name)
        return text


def _own_frames(report: traceback.TracebackException) -> traceback.TracebackException:
    """Remove the frames of this package from a report and from the reports of its causes."""
    pending: list[traceback.TracebackException | None] = [report]
    while pending:
        each = pending.pop()
        if each is not None:
            each.stack[:] = [frame for frame in each.stack if not frame.filename.startswith(_HERE)]
            pending += [each.__cause__, each.__context__]
    return report


def _parts(code: str, name: str) -> list[CodeType]:
    """Compile the code. A last expression is compiled as at an interactive prompt, so that its value is available."""
    tree = compile(code, name, "exec", ast.PyCF_ONLY_AST)
    assert isinstance(tree, ast.Module)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(tree, name, "exec")] if tree.body else []
    if last is not None:
        parts.append(compile(ast.Interactive([last]), name, "single"))
    return parts
