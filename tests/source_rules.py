"""Two rules on source code. Each is a function from a syntax tree to its findings as (line, text)."""

import ast
from collections.abc import Iterator

Finding = tuple[int, str]

IMPURE = (
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "os.environ",
    "os.getenv",
    "os.urandom",
    "random",
    "secrets",
    "time.gmtime",
    "time.localtime",
    "time.monotonic",
    "time.monotonic_ns",
    "time.perf_counter",
    "time.perf_counter_ns",
    "time.time",
    "time.time_ns",
    "uuid.uuid1",
    "uuid.uuid4",
)
SEEDED = "random.Random"
EVALUATORS = {"eval", "exec"}
NAMED = {"domain", "domain_name", "pack", "pack_name"}


def impure_uses(tree: ast.AST) -> list[Finding]:
    """Find reads of a clock, the environment or unseeded randomness, and evaluation of text."""
    names = _imported(tree)
    return sorted({finding for node in ast.walk(tree) for finding in _impure(node, names)})


def name_tests(tree: ast.AST) -> list[Finding]:
    """Find comparisons of a domain or a pack with literal names."""
    return sorted((node.lineno, ast.unparse(node).splitlines()[0]) for node in _tests(tree))


def _imported(tree: ast.AST) -> dict[str, str]:
    """Map each imported local name to the full name of what it stands for."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                names[name] = alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return names


def _impure(node: ast.AST, names: dict[str, str]) -> Iterator[Finding]:
    """Yield the impure uses in one node alone."""
    if isinstance(node, ast.ImportFrom) and not node.level:
        full = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from ((node.lineno, name) for name in full if _forbidden(name))
    elif isinstance(node, ast.Attribute):
        name = _full_name(node, names)
        if _forbidden(name):
            yield node.lineno, name
    elif isinstance(node, ast.Call):
        name = _full_name(node.func, names)
        if name in EVALUATORS or (name == SEEDED and not node.args and not node.keywords):
            yield node.lineno, f"{name}()"


def _forbidden(name: str) -> bool:
    """Return whether a full name is impure or belongs to an impure module. The seeded generator is allowed."""
    if name == SEEDED or name.startswith(SEEDED + "."):
        return False
    return any(name == impure or name.startswith(impure + ".") for impure in IMPURE)


def _full_name(node: ast.AST, names: dict[str, str]) -> str:
    """Return the full dotted name of an expression, or "" where it has none."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id if node.id in EVALUATORS else "")
    if isinstance(node, ast.Attribute):
        base = _full_name(node.value, names)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _tests(tree: ast.AST) -> Iterator[ast.Compare | ast.Match]:
    """Yield the comparisons and `match` statements that test a domain or a pack against literals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(_names_a_domain, sides)) and any(map(_literal, sides)):
                yield node
        elif isinstance(node, ast.Match) and _names_a_domain(node.subject):
            patterns = (part for case in node.cases for part in ast.walk(case.pattern))
            if any(isinstance(part, ast.MatchValue) for part in patterns):
                yield node


def _names_a_domain(node: ast.AST) -> bool:
    """Tell whether an expression is a domain or a pack, or an attribute of one."""
    if isinstance(node, ast.Attribute):
        return node.attr in NAMED or (node.attr in {"id", "name"} and _names_a_domain(node.value))
    return isinstance(node, ast.Name) and node.id in NAMED


def _literal(node: ast.AST) -> bool:
    """Tell whether an expression is a text literal or a collection of only such."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return bool(node.elts) and all(map(_literal, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
