"""Rules on the source itself that no linter knows."""

import ast
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_rules import impure_uses, name_tests

ROOT = Path(__file__).parents[1]
PACKAGES = ("schemas", "env_server", "mcp_servers", "trainer_client")
SOURCE = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
DOMAINS = sorted((ROOT / "env_server" / "domains").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def lines(path: Path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def found(paths: list[Path], rule: str) -> list[str]:
    """Apply a rule to files and return what it found as `path:line: what`."""
    check = {"impure": impure_uses, "name": name_tests}[rule]
    return [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in paths
        for line, what in check(ast.parse(path.read_text(encoding="utf-8")))
    ]


def test_no_file_is_over_500_lines() -> None:
    """Every Python file is one idea of at most 500 lines."""
    assert SOURCE
    assert [path.name for path in SOURCE + TESTS if lines(path) > 500] == []


def test_median_file_is_small() -> None:
    """Half of the source files have at most 120 lines."""
    assert statistics.median(map(lines, SOURCE)) <= 120


def inside_a_domain(path: Path) -> bool:
    """Return whether a file belongs to one domain. The author of a domain decides how its files are divided."""
    return path.is_relative_to(ROOT / "env_server" / "domains") and any(
        (folder / "policy.md").exists() for folder in path.parents
    )


def test_folders_hold_few_modules() -> None:
    """A folder of the source holds at most 15 modules; a domain's folders are excepted."""
    held: dict[str, int] = defaultdict(int)
    for path in SOURCE:
        if path.name != "__init__.py" and not inside_a_domain(path):
            held[str(path.parent.relative_to(ROOT))] += 1
    assert {folder: count for folder, count in held.items() if count > 15} == {}


def classes(paths: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield the public classes at the top of files: name, file."""
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, str(path.relative_to(ROOT))


@pytest.mark.parametrize("package", ["env_server", "trainer_client"])
def test_public_class_names_are_unique(package: str) -> None:
    """One name means one class within a package; each domain is a package of its own."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, file in classes([p for p in SOURCE if p.is_relative_to(ROOT / package) and not inside_a_domain(p)]):
        found[name].append(file)
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def drawn(page: str) -> set[str]:
    """Return the paths that a page draws as a tree of folders: indented names in a fenced block, two spaces a level."""
    paths, levels = set(), [""]
    for line in "\n".join(re.findall(r"```tree\n(.*?)```", page, re.DOTALL)).splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()  # type: ignore[union-attr]
        levels = [*levels[: len(indent) // 2 + 1], levels[len(indent) // 2] + name]
        paths.add(levels[-1])
    return paths


def test_the_page_draws_the_tree() -> None:
    """`env_server/README.md` names exactly the folders of the server, without those inside a domain."""
    server = ROOT / "env_server"
    there = {
        f"{path.parent.relative_to(server).as_posix()}/"
        for path in server.rglob("*.py")
        if path.parent != server and not inside_a_domain(path)
    }
    assert drawn((server / "README.md").read_text(encoding="utf-8")) == there


def test_domains_import_the_kit_and_themselves() -> None:
    """A domain takes from the server only `env_server.domains.kit`, and nothing from another domain."""
    policies = sorted((ROOT / "env_server" / "domains").glob("*/policy.md"))
    strange = [
        f"{path.relative_to(ROOT)}: {module}"
        for folder in (policy.parent for policy in policies)
        for path in sorted(folder.rglob("*.py"))
        for module in imported(path)
        if not re.match(rf"env_server\.domains\.(kit$|{folder.name}\b)", module)
    ]
    assert policies
    assert strange == []


def imported(path: Path) -> Iterator[str]:
    """Yield the server's modules that a file imports. `from env_server.domains import x` imports x."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "env_server")
        elif isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "env_server":
            own = node.module == "env_server.domains"
            yield from (f"{node.module}.{alias.name}" for alias in node.names) if own else [str(node.module)]


def test_domains_are_pure() -> None:
    """Domain code reads no clock, no environment and no unseeded randomness, and evaluates no text."""
    assert DOMAINS
    assert found(DOMAINS, "impure") == []


def test_no_code_asks_for_a_domain_or_pack_by_name() -> None:
    """No source file compares a domain or a pack with a literal name. Tests may."""
    assert found(SOURCE, "name") == []


@pytest.mark.parametrize(
    "code",
    [
        "import random\nrandom.choice([1])",
        "import random as r\nr.seed(1)",
        "from random import shuffle",
        "import random\nrandom.Random()",
        "import random\nrandom.SystemRandom()",
        "import time\ntime.time()",
        "from time import time_ns as now",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime\ndatetime.utcnow()",
        "from datetime import date as d\nd.today()",
        "import uuid\nuuid.uuid4()",
        "import os\nos.environ['A']",
        "from os import getenv",
        "import secrets\nsecrets.token_hex()",
        "eval('1')",
        "exec('1')",
    ],
)
def test_impure_code_is_seen(code: str) -> None:
    """Each way to read the outside world is seen, whatever name it was imported under."""
    assert impure_uses(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "import random\nrandom.Random(7).choice([1])",
        "from random import Random\nRandom(7)",
        "from random import Random\ndef f(rng: Random) -> None: ...",
        "import datetime\ndatetime.datetime(2024, 5, 15)",
        "from datetime import date\ndate.fromisoformat('2024-05-15')",
        "import re\nre.compile('a')",
        "def f(time): return time.time",
    ],
)
def test_pure_code_is_let_through(code: str) -> None:
    """Seeded generators, fixed dates and like-named local values are no finding."""
    assert impure_uses(ast.parse(code)) == []


@pytest.mark.parametrize(
    "code",
    [
        "if domain == 'retail': pass",
        "x = 'tau2' != task.pack",
        "if domain.name in ('airline', 'retail'): pass",
        "x = self.pack_name == 'tau1'",
        "match domain:\n    case 'retail': pass",
        "match pack.name:\n    case 'tau1' | 'tau2': pass",
    ],
)
def test_name_tests_are_seen(code: str) -> None:
    """A comparison of a domain or pack with literal names is seen in each of its forms."""
    assert name_tests(ast.parse(code))


@pytest.mark.parametrize("code", ["a.domain == b.domain", "kind == 'retail'", "domain in known", "domain is None"])
def test_other_comparisons_are_let_through(code: str) -> None:
    """Comparing with another value, or asking whether a name is known, is no finding."""
    assert name_tests(ast.parse(code)) == []
