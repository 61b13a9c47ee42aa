"""No pattern of the reader, and none that understands what it read, takes the square of the time for a longer text."""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from types import ModuleType
from typing import cast

import pytest

import env_server.reading
import env_server.understanding
from env_server.reading.sentences import patterns as made
from env_server.reading.sentences.patterns import Rules, compiled
from tests.pace import LINEAR, grown, once
from tests.reading.repetitions import beginnings

PACKAGES = (env_server.reading, env_server.understanding)
BEGINNINGS = 8
SHORT = 2_000
ROUGH = 6
"""The factor of a single measurement from which on a careful one follows."""

LATE = type(compiled("a"))
KNOWN = {"env_server.reading.words.text._BLOCK"}
"""An open tag looks for its end in the whole rest of the message, of which at most 8,000 characters are read."""

USES = re.compile(r"\b(_\w+)\.(finditer|sub|split|findall|search|match|fullmatch|pattern)\b")
MANY = frozenset({"finditer", "sub", "split", "findall"})
AT_ONE_PLACE = frozenset({"match", "fullmatch"})


def modules() -> Iterator[ModuleType]:
    """All modules of the packages."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            module = import_module(found.name)
            if module is not made:  # it lists the patterns that other modules have
                yield module


def patterns(name: str, value: object) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns in a value of a module, each with a name."""
    if isinstance(value, re.Pattern | LATE):
        yield name, cast("re.Pattern[str]", value)
    elif isinstance(value, Rules):
        for place, (_, pattern) in enumerate(value.parts):
            yield f"{name}[{place}]", pattern
    elif isinstance(value, dict):
        yield from patterns(name, list(value.values()))
    elif isinstance(value, list | tuple):
        for place, part in enumerate(value):
            yield from patterns(f"{name}[{place}]", part)


def work(pattern: re.Pattern[str], uses: set[str]) -> Callable[[str], object]:
    """The use of a pattern in its module: at all places of a text, at the first, or at the beginning only."""
    if uses & MANY:
        return lambda text: sum(1 for _ in pattern.finditer(text))
    return pattern.match if uses and uses <= AT_ONE_PLACE else pattern.search


@pytest.mark.parametrize("module", [pytest.param(module, id=module.__name__) for module in modules()])
def test_every_pattern_takes_linear_time(module: ModuleType) -> None:
    """Four times the text takes less than eight times as long, for repetitions of beginnings of what is searched."""
    rng = Random(module.__name__)
    uses: dict[str, set[str]] = {}
    for name, method in USES.findall(inspect.getsource(module)):
        uses.setdefault(name, set()).add(method)
    slow = []
    for name, value in vars(module).items():
        for place, late in patterns(name, value):
            pattern = re.compile(late.pattern, late.flags)
            used = work(pattern, uses.get(place, set()))
            for part in beginnings(pattern, rng, BEGINNINGS):
                count = SHORT // len(part) + 1
                short, long = part * count, part * (4 * count)
                if f"{module.__name__}.{place}" not in KNOWN and once(used, short, long) > ROUGH:
                    factor = grown(used, short, long)
                    slow += [(place, part, round(factor, 1))] if factor >= LINEAR else []
    assert slow == []
