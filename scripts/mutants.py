"""Seeded mutants: small faults put into the source one at a time, each tried against the tests that mirror its package.

    python scripts/mutants.py --seed 14 --mutants 15 state episodes rewards records

It works in a copy of the commit (`git archive`), so the checkout stays as it is. First it runs the tests of the package
once and notes which lines each test executes. Each mutant is then tried against the tests that execute its lines, those
that execute the fewest lines first. If only imports or other processes execute them, it is tried against all tests of
the package. A mutant is killed if a test fails, and it survives if all these tests pass; a line that is never executed
counts as survived. The same seed, commit and number choose the same mutants.
"""

import argparse
import ast
import copy
import importlib.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

MARKS = "not slow and not conformance and not servers and not packages and not page and not postgres and not faults"
LEAST_SECONDS = 30
TIMES_LONGER = 1.5
"""A mutant is out of time after this many times the duration of all tests of the package without a mutant."""

MEASURED = "[run]\nbranch = true\npatch = subprocess\n"
"""The configuration of the measurement, which older commits do not have."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,  # codespell:ignore notin
    ast.NotIn: ast.In,  # codespell:ignore notin
}


@dataclass(frozen=True)
class Mutant:
    """One fault: bytes `start` to `end` of a file become `text`."""

    file: str
    line: int
    last_line: int
    start: int
    end: int
    text: str
    was: str


def mutated(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the expressions of a node that a mutant replaces, each with what replaces it."""
    match node:
        case ast.Compare(ops=[operator]):
            yield node, ast.Compare(node.left, [COMPARISONS[type(operator)]()], node.comparators)
        case ast.BoolOp():
            yield node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node, node.operand
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            yield node, ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int() as number):
            yield node, ast.Constant(number + 1)
        case ast.If() | ast.While() | ast.IfExp():
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, ast.Constant(None)
        case ast.Expr(value=(ast.Call() | ast.Await()) as value):
            yield value, ast.Constant(None)


def nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, without annotations, decorators, f-strings and assertions."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "keywords" if _is_class(node) else ""):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, (ast.JoinedStr, ast.Assert)):
                yield from nodes(child)


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef)


def mutants_of(root: Path, file: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: dict[tuple[int, int, str], Mutant] = {}
    for node in nodes(ast.parse(source)):
        for old, new in mutated(node):
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[(old.end_lineno or old.lineno) - 1] + (old.end_col_offset or 0)
            text = f"({ast.unparse(ast.fix_missing_locations(copy.deepcopy(new)))})"
            last = old.end_lineno or old.lineno
            one = Mutant(str(file.relative_to(root)), old.lineno, last, start, end, text, ast.unparse(old))
            found.setdefault((start, end, text), one)
    return list(found.values())


class Tests:
    """The tests of a package, in a copy of the tree."""

    def __init__(self, root: Path, package: str) -> None:
        """Run all of them once.

        Raises:
            SystemExit: if one fails.
        """
        self.root, self._all = root, [f"tests/{package}"]
        settings, found = root / "mutants.coveragerc", root / ".coverage"
        settings.write_text(MEASURED, encoding="utf-8")
        found.unlink(missing_ok=True)
        measure = [f"--cov=env_server.{package}", "--cov-context=test", "--cov-report=", f"--cov-config={settings}"]
        verdict, self.seconds = self.run([*measure, *self._all], None)
        if verdict != "survived":
            raise SystemExit(f"tests/{package} fail without a mutant; mend them first")
        self._data = CoverageData(str(found))
        self._data.read()
        self._executed: Counter[str] = Counter()
        for file in self._data.measured_files():
            for contexts in self._data.contexts_by_lineno(file).values():
                self._executed.update(_tests_in(contexts))
        if self.run(["--collect-only", *self._executed], None)[0] != "survived":
            raise SystemExit(f"tests/{package}: pytest does not find the tests by their names")

    def of(self, one: Mutant) -> list[str]:
        """Return the tests that execute the lines of a mutant; none if nothing executes them."""
        lines = self._data.contexts_by_lineno(str(self.root / one.file))
        contexts = {each for line in range(one.line, one.last_line + 1) for each in lines.get(line, ())}
        focused = sorted(_tests_in(contexts), key=lambda name: (self._executed[name], name))
        return focused or (self._all if contexts else [])

    def run(self, arguments: Iterable[str], limit: float | None) -> tuple[str, float]:
        """Run pytest; return `killed`, `survived` or `out of time`, and the seconds that it took."""
        listed = self.root / "mutants.arguments"
        listed.write_text("\n".join(arguments), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", MARKS]
        path = os.pathsep.join([str(self.root), str(self.root / "schemas")])
        began = time.monotonic()
        with subprocess.Popen(  # a session of its own, so that servers that a test started end with it
            [*command, f"@{listed}"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                verdict = "killed" if process.wait(limit) else "survived"
            except subprocess.TimeoutExpired:
                verdict = "out of time"
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        return verdict, time.monotonic() - began


def _tests_in(contexts: Iterable[str]) -> set[str]:
    """Return the tests of contexts. One is `path::test|run`, and empty where no test ran in this process."""
    return {each.rpartition("|")[0] for each in contexts if each}


def write(path: Path, source: bytes) -> None:
    """Write a source file, and remove its compiled file: with a time stamp in seconds, it could seem to be current."""
    path.write_bytes(source)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def tried(tests: Tests, one: Mutant) -> tuple[str, float]:
    """Return the tests' result for a mutant; the file is as before afterwards."""
    focused = tests.of(one)
    if not focused:
        return "survived", 0.0
    path = tests.root / one.file
    source = path.read_bytes()
    write(path, source[: one.start] + one.text.encode() + source[one.end :])
    try:
        return tests.run(focused, max(LEAST_SECONDS, TIMES_LONGER * tests.seconds))
    finally:
        write(path, source)


def try_package(root: Path, package: str, options: argparse.Namespace) -> Counter[str]:
    """Try the chosen mutants of a package one by one, and print each as soon as it is known."""
    files = sorted((root / "env_server" / package).rglob("*.py"))
    sites = [one for file in files if "migrations" not in file.parts for one in mutants_of(root, file)]
    chosen = random.Random(f"{options.seed} {package}").sample(sites, min(options.mutants, len(sites)))
    tests = Tests(root, package)
    print(f"{package}: {len(chosen)} of {len(sites)} mutants; its tests take {tests.seconds:.0f} s", flush=True)
    counts: Counter[str] = Counter()
    for one in chosen:
        verdict, seconds = tried(tests, one)
        counts[verdict] += 1
        change = f"{one.was[:70]}  ->  {one.text[:70]}"
        print(f"  {verdict:11} {seconds:4.0f} s  {one.file}:{one.line}  {change}", flush=True)
    print(f"{package}: {counts['killed']} of {counts.total()} killed, {counts['out of time']} out of time", flush=True)
    return counts


def main() -> None:
    """Try mutants of each package that was named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=["state", "records", "rewards", "episodes"])
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--mutants", type=int, default=15, help="how many of each package")
    parser.add_argument("--commit", default="HEAD", help="the commit whose files are tried")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        with subprocess.Popen(["git", "archive", options.commit], stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        total = sum((try_package(Path(folder), package, options) for package in options.packages), Counter[str]())
    print(f"all: {total['killed']} of {total.total()} killed, {total['out of time']} out of time")


if __name__ == "__main__":
    main()
