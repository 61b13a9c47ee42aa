"""The files that decide what a domain's tools do."""

import sys
from pathlib import Path

import pytest

from env_server.domains.discovery import domains
from env_server.domains.kit import Domain, sources

FILES = {
    "__init__.py": "",
    "tools.py": "from shop_of_sources import pricing\nfrom .rules import RULE\nimport json\n",
    "pricing.py": "import shop_of_sources.rates as rates\n",
    "rates.py": "RATE = 1\n",
    "rules.py": "from . import limits\nRULE = 2\n",
    "limits.py": "MOST = 3\n",
    "world.py": "from shop_of_sources import tools\n",
}


def test_imports_of_the_package_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports in any form are followed; files that the tools do not import do not count."""
    package = tmp_path / "shop_of_sources"
    package.mkdir()
    for name, text in FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = sources.of(["shop_of_sources.tools"], "shop_of_sources")
    assert {path.name for path in found} == {"tools.py", "pricing.py", "rates.py", "rules.py", "limits.py"}
    for name in [name for name in sys.modules if name.startswith("shop_of_sources")]:
        del sys.modules[name]


@pytest.mark.parametrize("domain", domains().values(), ids=list(domains()))
def test_a_domains_tools_and_tables_count_and_its_tasks_do_not(domain: Domain) -> None:
    """Tools and tables count and generators of tasks do not, so that stored episodes stay playable after an edit."""
    names = {path.name for path in domain.tool_sources()}
    assert {"tools.py", "tables.py"} <= names
    assert not names & {"tasks.py", "world.py"}
