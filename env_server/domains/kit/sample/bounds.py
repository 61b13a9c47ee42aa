"""Bounds of a row's expressions: on their steps, on the bytes that they look at and make, and on their patterns."""

import ast
from functools import lru_cache
from typing import Any, Final

import regex  # type: ignore[import-untyped]  # it ships no types
from simpleeval import EvalWithCompoundTypes  # type: ignore[import-untyped]  # it ships no types

from env_server.domains.kit.sample.problem import SampleProblem

MOST_STEPS: Final = 100_000
"""Maximum number of parts that the expressions of one result evaluate. A part of a comprehension counts once for each
item.
"""

MOST_WORK: Final = 32_000_000
"""Maximum bytes that the expressions of one result look at and make, all together."""

MOST_VALUE: Final = 1_000_000
"""Maximum bytes of a value that is kept. A part that occurs several times counts each time."""

MOST_TEXT: Final = 20_000
"""Maximum characters of a text in which a pattern is searched."""

LONGEST: Final = 1_000
"""Maximum characters of an expression, and of a pattern in it."""

SEARCH_S: Final = 0.05
"""Maximum seconds of CPU of a search for a pattern."""

PROBE: Final = 2_000
"""The length of the texts of one repeated character on which a pattern is tried before it is used."""

_ITEM: Final = 8
_MAKES: Final = (
    ast.BinOp,
    ast.Call,
    ast.Dict,
    ast.DictComp,
    ast.GeneratorExp,
    ast.List,
    ast.ListComp,
    ast.Tuple,
    ast.UnaryOp,
)
_COMPARES: Final = (ast.Eq, ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.NotEq)
_LOOKS_AT_NOTHING: Final = frozenset({"count_keys", "first", "get", "isinstance", "len", "safe_attr", "safe_index"})
"""Functions and methods that take the same time however large their arguments are."""


class OverBounds(SampleProblem):
    """An expression that takes more than the bounds allow."""


class Work:
    """The work that is left to the expressions of one result."""

    def __init__(self, steps: int = MOST_STEPS, size: int = MOST_WORK) -> None:
        """Allow `steps` steps, and `size` bytes of values that are looked at or made."""
        self._steps, self._left = steps, size
        self._sizes: dict[int, tuple[Any, int]] = {}
        """`id` of a list or an object -> the value and its size. Python reuses the `id` of a freed value, so the values
        are kept.
        """

    def step(self) -> None:
        """Count a step.

        Raises:
            OverBounds: if no step is left.
        """
        self._steps -= 1
        if self._steps < 0:
            raise OverBounds(f"it takes more than {MOST_STEPS:,} steps")

    def charge(self, value: Any) -> None:
        """Count the bytes of a value that is looked at or made.

        Raises:
            OverBounds: if fewer bytes are left.
        """
        self._left -= self.size(value)
        if self._left < 0:
            raise OverBounds(f"it looks at or makes more than {MOST_WORK:,} bytes")

    def size(self, value: Any) -> int:
        """Return about how many bytes a value takes as JSON. The sizes of lists and objects are computed once."""
        if isinstance(value, str):
            return _ITEM + len(value)
        if isinstance(value, int):
            return _ITEM + value.bit_length() // 8
        if not isinstance(value, list | tuple | dict):
            return _ITEM * (1 + len(value)) if hasattr(value, "__len__") else _ITEM
        known = self._sizes.get(id(value))
        if known is not None:
            return known[1]
        parts = (part for item in value.items() for part in item) if isinstance(value, dict) else value
        size = _ITEM + sum(map(self.size, parts))
        self._sizes[id(value)] = value, size
        return size


class BoundedEvaluator(EvalWithCompoundTypes):  # type: ignore[misc]  # it ships no types
    """Evaluates an expression as far as `work` allows."""

    def __init__(self, work: Work, whole: frozenset[int], searched: frozenset[int], **given: Any) -> None:
        """Charge all steps and values to `work`. `whole` and `searched` are the results of `looked_at`."""
        super().__init__(**given)
        self._work, self._whole, self._searched = work, whole, searched

    def _eval(self, node: ast.AST) -> Any:
        self._work.step()
        value = super()._eval(node)
        makes = isinstance(node, _MAKES) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))
        if makes or id(node) in self._whole or (id(node) in self._searched and not isinstance(value, dict)):
            self._work.charge(value)
        return value

    def _check_disallowed_items(self, item: Any) -> None:
        """Check a value, but not its items. An item is JSON, or the value of a part that was already checked."""
        if not isinstance(item, list | tuple | dict):
            super()._check_disallowed_items(item)


def looked_at(tree: ast.AST) -> tuple[frozenset[int], frozenset[int]]:
    """Return the parts whose values an expression looks at as a whole, and those in which it searches, by `id`."""
    whole: set[int] = set()
    searched: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.BinOp():
                whole |= {id(node.left), id(node.right)}
            case ast.Compare():
                for sign, part in zip(node.ops, node.comparators, strict=True):
                    (whole if isinstance(sign, _COMPARES) else searched).add(id(part))
                whole.add(id(node.left))
            case ast.Call(func=ast.Name(id=name)) if name not in _LOOKS_AT_NOTHING:
                whole |= {id(part) for part in (*node.args, *(word.value for word in node.keywords))}
            case ast.Call(func=ast.Attribute(attr=name)) if name not in _LOOKS_AT_NOTHING:
                assert isinstance(node.func, ast.Attribute)
                whole |= {id(part) for part in (node.func.value, *node.args)}
    return frozenset(whole), frozenset(searched)


@lru_cache(maxsize=1024)
def pattern(text: str) -> Any:
    """Return the compiled pattern.

    Raises:
        SampleProblem: if the text is no pattern.
    """
    if len(text) > LONGEST:
        raise SampleProblem("the pattern is too long")
    try:
        return regex.compile(text)
    except (regex.error, RecursionError, OverflowError, MemoryError) as e:
        raise SampleProblem(f"{text[:80]!r} is no pattern: {e}") from e


def occurs(text: str, value: str) -> bool:
    """Return whether the pattern `text` occurs in `value`.

    Raises:
        SampleProblem: if `text` is no pattern, or the search takes too long.
    """
    try:
        return pattern(text).search(value[:MOST_TEXT], timeout=SEARCH_S) is not None
    except TimeoutError:
        raise OverBounds(f"the pattern {text[:80]!r} takes too long") from None


def occurrences(text: str, value: str) -> list[Any]:
    """Return all matches of the pattern `text` in `value`.

    Raises:
        SampleProblem: if `text` is no pattern, or the search takes too long.
    """
    try:
        return list(pattern(text).findall(value[:MOST_TEXT], timeout=SEARCH_S))
    except TimeoutError:
        raise OverBounds(f"the pattern {text[:80]!r} takes too long") from None


def check_pattern(text: str) -> None:
    """Refuse a text that is no pattern, or that takes too long on a text of one repeated character.

    Raises:
        SampleProblem: with the reason.
    """
    pattern(text)
    own = [character for character in text if character.isalnum()]
    for character in dict.fromkeys([*own[:12], "a", "1", " "]):
        occurs(text, character * PROBE + "\N{REPLACEMENT CHARACTER}")
