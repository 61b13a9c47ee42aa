"""The files that the pages name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = [
    ROOT / name for name in ("env_server", "mcp_servers", "trainer_client", "schemas", "scripts", "examples", "tests")
]
NAMED = re.compile(r"`([\w/]+/\w+\.py)`")
"""A file with at least one folder, as `kit/serving/main.py`."""

PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *(page for top in CODE for page in top.rglob("*.md")))
    if page.name != "CHANGELOG.md"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page: Path) -> None:
    """If a module moves, pages that name it with its folder must change too."""
    named = set(NAMED.findall(page.read_text(encoding="utf-8")))
    files = {f"/{path.relative_to(ROOT).as_posix()}" for path in _files()} if named else set()
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in files)] == []


def _files() -> list[Path]:
    return [path for top in CODE for path in top.rglob("*.py")]
