"""Domains declare words for shared code, and shared code has none of these words itself."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import env_server
from env_server.errors import DomainError
from env_server.reading import Act, read
from env_server.vocabulary import KINDS, declared, either, files, filled, forms, in_file

SERVER = Path(env_server.__file__).parent
SHARED = ("audit", "episodes", "evals", "policies", "reading", "rewards", "tools", "understanding", "users")
ENGLISH_TOO = {"refill", "refills", "tip", "speed test", "sms"}
"""Words that shared code may say as well: verbs of changes in plain English, what any device can do, and how a
confirmation is sent."""


def constants(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts in a file that are no docstrings, each with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {
        id(inner.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in node.body
        if isinstance(inner, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.lineno, node.value


def test_shared_code_names_no_domain() -> None:
    """No text of shared code has a word that a domain declares: records, persons, businesses, devices, amounts."""
    kinds = ("things", "details", "bookable", "parties", "people", "clients", "identity", "devices", "rates", "amounts")
    words = {word for kind in kinds for word in forms(kind)} - ENGLISH_TOO
    told = re.compile(rf"(?<![\w?-])(?:{'|'.join(sorted(words))})(?![\w-])")
    sources = [path for folder in SHARED for path in sorted((SERVER / folder).rglob("*.py"))]
    assert len(words) > 40
    assert [
        f"{path.relative_to(SERVER)}:{line}: {found[0]}"
        for path in sources
        for line, text in constants(path)
        if (found := told.search(re.sub(r"\\[bwWsSdD]", " ", text)))
    ] == []


def test_every_domain_that_speaks_declares_words() -> None:
    """Each of the service domains has a file, and each file gives words of its own."""
    own = [in_file(path) for path in files.paths()]
    assert len(own) >= 5
    assert all(len({word for values in one.words.values() for word in values}) >= 3 for one in own)


def test_declared_words_reach_the_reader() -> None:
    """A question for something that only a domain's file names is read as one that identifies the user."""
    assert Act.IDENTIFY in read("May I have your frequent flyer number?").acts
    assert Act.IDENTIFY not in read("May I have your frequent rower number?").acts


def test_forms_are_with_and_without_optional_letters() -> None:
    """`wi-?fi` and `travell?ers?` stand for all their spellings, and a place in a pattern for all words of its kind."""
    assert {"wi-fi", "wifi"} <= set(forms("devices"))
    assert {"traveler", "travelers", "traveller", "travellers"} <= set(forms("people"))
    assert re.fullmatch(filled(r"the{clients}|the {clients}"), "the patient")
    assert filled(r"\d{0,3}") == r"\d{0,3}"


def test_a_kind_without_words_matches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no domain declares words of a kind, its place in a pattern matches no text, not even the empty one."""
    monkeypatch.setattr(files, "paths", list)
    for cached in (declared, either):
        cached.cache_clear()
    try:
        assert re.search(filled("a {things}|b"), "a  b, a things") is not None
        assert re.search(filled("a {things}"), "a  b, a things") is None
    finally:
        monkeypatch.undo()
        for cached in (declared, either):
            cached.cache_clear()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("things = [", "Invalid|Unclosed|array"),
        ('tings = ["a"]', "unknown lists: tings"),
        ('things = "a"', "things is a list of words"),
        ("things = [1]", "things is a list of words"),
        ('things = ["("]', "unterminated"),
        ("synonyms = 1", "synonyms is a table"),
        ('[synonyms]\nbook = "("', "unterminated"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, said: str) -> None:
    """The error names the file and the reason."""
    path = tmp_path / files.NAME
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DomainError, match=f"{re.escape(str(path))}: .*(?:{said})"):
        in_file(path)


def test_a_domain_of_another_package_declares_words_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file beside the module of an entry point counts; the package, which would fail, is not imported."""
    package = tmp_path / "ferry_line" / "inner"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    (package / files.NAME).write_text('parties = ["ferryman"]', encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for value in ("ferry_line.inner:domain", "ferry_line.inner.made:domain"):
        points = {files.GROUP: [EntryPoint("ferry", value, files.GROUP)]}
        monkeypatch.setattr(files, "entry_points", lambda group, points=points: points[group])
        assert files.paths()[-1] == package / files.NAME


def test_the_page_explains_each_list() -> None:
    """The table in docs/domains.md has every list, in order and in the same words."""
    page = (SERVER.parent / "docs" / "domains.md").read_text(encoding="utf-8")
    assert "".join(f"| `{kind}` | {meaning} |\n" for kind, meaning in KINDS.items()) in page


def test_words_are_read_without_importing_a_domain() -> None:
    """Reading all files imports no domain, so that a server does not load one for the words of another."""
    code = "import sys; from env_server.vocabulary import declared; assert declared().words['things']; "
    code += "print([name for name in sys.modules if name.startswith('env_server.domains')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
