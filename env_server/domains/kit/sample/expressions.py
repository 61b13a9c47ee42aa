"""Values and conditions that a row computes from extracted values, in a small part of Python's expressions.

`simpleeval` evaluates them. Only the functions and methods below can be called, and `bounds.py` bounds their work.
"""

import ast
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
from simpleeval import DEFAULT_OPERATORS  # type: ignore[import-untyped]  # it ships no types

from env_server.domains.kit.sample.bounds import (
    LONGEST,
    MOST_VALUE,
    BoundedEvaluator,
    OverBounds,
    Work,
    check_pattern,
    looked_at,
    occurrences,
    occurs,
)
from env_server.domains.kit.sample.problem import SampleProblem

MOST_DEEP: Final = 30
"""Maximum depth of an expression."""

_ASSIGNED: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?![=~])\s*(\S.*)", re.DOTALL)
_MATCHES: Final = re.compile(r"(.+?)\s*~=\s*(['\"]?)(.*)\2\s*", re.DOTALL)
_OF_EACH: Final = re.compile(r"\b([A-Za-z_]\w*)\[\]\[\s*['\"]?([A-Za-z_]\w*)['\"]?\s*\]")
_TYPES: Final = (str, int, float, bool, list, dict)


def check_assignment(text: str) -> str:
    """Check `name = expression`; return the name.

    Raises:
        SampleProblem: if the text has another form, or uses a name or function that does not exist.
    """
    name, expression = _split(text)
    _check_patterns(_parsed(expression))
    return name


def check_condition(text: str) -> None:
    """Check a condition.

    Raises:
        SampleProblem: if the text is no condition, or uses a name or function that does not exist.
    """
    expression, pattern = _matching(text)
    _check_patterns(_parsed(expression))
    if pattern is not None:
        check_pattern(pattern)


def assigned(text: str, facts: Mapping[str, Any], work: Work | None = None) -> tuple[str, Any]:
    """Return the name and the value of `name = expression`, with the values of `facts`. The value is a JSON value.

    `work` is the work that is left; None for all the work that the expressions of one result may take.

    Raises:
        SampleProblem: if it has no value; `OverBounds` if it takes more work than is left.
    """
    name, expression = _split(text)
    work = work or Work()
    return name, _plain(_value(expression, facts, work), work)


def holds(text: str, facts: Mapping[str, Any], work: Work | None = None) -> bool:
    """Return whether a condition holds; one that cannot be evaluated does not. `work` is as in `assigned`."""
    try:
        return _holds(text, facts, work or Work())
    except SampleProblem:
        return False


def probed(compute: Iterable[str], conditions: Iterable[str], facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield one sentence for each expression that takes more work than is allowed, if `facts` are the known values."""
    known, work = dict(facts), Work()
    for text in compute:
        try:
            name, value = assigned(text, known, work)
            known[name] = value
        except OverBounds as e:
            yield f"{text[:80]!r}: {e}"
        except SampleProblem:
            continue
    for text in conditions:
        try:
            _holds(text, known, work)
        except OverBounds as e:
            yield f"{text[:80]!r}: {e}"
        except SampleProblem:
            continue


def _holds(text: str, facts: Mapping[str, Any], work: Work) -> bool:
    expression, pattern = _matching(text)
    value = _value(expression, facts, work)
    if pattern is None:
        return bool(value)
    work.charge(value)
    return occurs(pattern, str(value))


def _check_patterns(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="regex_extract_all"), args=[ast.Constant(value=str(text)), *_]):
                check_pattern(text)


def _split(text: str) -> tuple[str, str]:
    found = _ASSIGNED.fullmatch(text)
    if found is None:
        raise SampleProblem(f"{text[:80]!r} is not `name = expression`")
    return found[1], found[2]


def _matching(text: str) -> tuple[str, str | None]:
    """Return the expression of a condition, and the pattern that its value has to contain (`value ~= 'pattern'`)."""
    found = _MATCHES.fullmatch(text)
    return (text, None) if found is None else (found[1], found[3])


def _value(expression: str, facts: Mapping[str, Any], work: Work) -> Any:
    tree = _parsed(expression)
    whole, searched = looked_at(tree)
    evaluator = BoundedEvaluator(work, whole, searched, operators=_OPERATORS, functions=FUNCTIONS, names=dict(facts))
    try:
        return evaluator.eval(expression, previously_parsed=tree)
    except OverBounds:
        raise
    except Exception as e:  # an expression of a row may fail in any way
        raise SampleProblem(f"{expression[:80]!r} has no value: {e}") from e


def _plain(value: Any, work: Work) -> Any:
    if work.size(value) > MOST_VALUE:
        raise OverBounds(f"its value has more than {MOST_VALUE:,} bytes")
    try:
        return orjson.loads(orjson.dumps(value))
    except (TypeError, ValueError) as e:
        raise SampleProblem("the value is no JSON") from e


@lru_cache(maxsize=4096)
def _parsed(expression: str) -> ast.expr:
    text = _OF_EACH.sub(r"of_each(\1, '\2')", expression.strip())
    if len(text) > LONGEST:
        raise SampleProblem("the expression is too long")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise SampleProblem(f"{expression[:80]!r} is no expression: {getattr(e, 'msg', e)}") from e
    for node, depth in _nodes(tree, 0):
        if depth > MOST_DEEP:
            raise SampleProblem("the expression is too deep")
        _check(node, expression)
    return tree


def _nodes(node: ast.AST, depth: int) -> Iterator[tuple[ast.AST, int]]:
    yield node, depth
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child, depth + 1)


def _check(node: ast.AST, expression: str) -> None:
    if isinstance(node, ast.operator | ast.unaryop | ast.cmpop):
        if type(node) not in _OPERATORS:
            raise SampleProblem(f"{expression[:80]!r} uses an operator that is not supported ({type(node).__name__})")
    elif not isinstance(node, _NODES):
        raise SampleProblem(f"{expression[:80]!r} uses a form that is not supported ({type(node).__name__})")
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute):
            if called.attr not in METHODS:
                raise SampleProblem(f"there is no method {called.attr!r}")
        elif not isinstance(called, ast.Name) or called.id not in FUNCTIONS:
            raise SampleProblem(f"there is no function {ast.unparse(called)[:80]!r}")


def _power(base: Any, exponent: Any) -> float:
    return float(float(base) ** float(exponent))


def _remainder(left: Any, right: Any) -> Any:
    if not isinstance(left, int | float):  # a text would be a format, which can be as wide as it says
        raise SampleProblem("`%` is for numbers")
    return left % right


_LEFT_OUT: Final = (ast.LShift, ast.RShift, ast.BitXor, ast.BitOr, ast.BitAnd, ast.Invert)
_OPERATORS: Final = {
    **{kind: function for kind, function in DEFAULT_OPERATORS.items() if kind not in _LEFT_OUT},
    ast.Pow: _power,
    ast.Mod: _remainder,
}
_NODES: Final = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.Dict,
    ast.DictComp,
    ast.GeneratorExp,
    ast.IfExp,
    ast.List,
    ast.ListComp,
    ast.Name,
    ast.Slice,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.boolop,
    ast.comprehension,
    ast.expr_context,
    ast.keyword,
)


def _change(prices: Any) -> dict[str, float]:
    """Return the relative change from the last but one to the last `close` of each ticker."""
    found = {}
    for ticker, bars in prices.items():
        if len(bars) > 1 and float(bars[-2]["close"]):
            found[ticker] = float(bars[-1]["close"]) / float(bars[-2]["close"]) - 1.0
    return found


def _top(values: Any, count: int) -> list[Any]:
    return sorted(values, key=lambda name: values[name], reverse=True)[:count] if isinstance(values, dict) else []


def _head(values: Any, count: int = 1) -> list[Any]:
    return values[: max(count, 0)] if isinstance(values, list) else []


def _at(values: Any, index: int = 0) -> Any:
    return values[index] if isinstance(values, list) and -len(values) <= index < len(values) else None


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _of_each(values: Any, name: str) -> list[Any]:
    return [_field(value, name) for value in values] if isinstance(values, list) else []


def _unique(values: Any) -> list[Any]:
    return list({repr(value): value for value in values}.values()) if isinstance(values, list) else []


def _concat(*lists: Any) -> list[Any]:
    return [value for values in lists if isinstance(values, list) for value in values]


def _keys(value: Any) -> int:
    return len(value) if isinstance(value, dict) else 0


def _found(pattern: str, text: Any) -> list[Any]:
    return occurrences(pattern, str(text or ""))


def _sum(values: Any, start: float = 0) -> float:
    numbers = [start, *values]
    if not all(isinstance(number, int | float) for number in numbers):  # lists would be copied for each of them
        raise SampleProblem("`sum` is for numbers")
    total: float = sum(numbers)
    return total


def _is(value: Any, kind: Any) -> bool:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return isinstance(value, tuple(one for one in kinds if one in _TYPES))


def _round(value: Any, digits: int = 0) -> float:
    return round(float(value), max(-300, min(digits, 300)))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **{kind.__name__: kind for kind in _TYPES},
    **{function.__name__: function for function in (abs, all, any, len, max, min, sorted)},
    "concat": _concat,
    "count_keys": _keys,
    "first": _at,
    "head": _head,
    "isinstance": _is,
    "mean": statistics.fmean,
    "median": statistics.median,
    "of_each": _of_each,
    "pct_change_last_day": _change,
    "regex_extract_all": _found,
    "round": _round,
    "safe_attr": _field,
    "safe_index": _at,
    "sum": _sum,
    "topk": _top,
    "unique": _unique,
}
"""The functions that an expression may call, by name."""

METHODS: Final = frozenset(
    {"endswith", "get", "items", "keys", "lower", "split", "startswith", "strip", "title", "upper", "values"}
)
"""The methods that an expression may call. None of them makes a value much larger than its own."""
