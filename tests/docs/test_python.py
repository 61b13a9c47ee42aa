"""The Python examples of the pages, executed page by page, and names in pages that must exist."""

import re
from pathlib import Path

import pytest

from env_server.settings import Settings
from env_server.telemetry.metrics import ACTIONS, BEGUN, CALLS, ENDED, REGISTRY, REWARD, SCORED

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "env_server" / "README.md", ROOT / "examples" / "README.md"]
GUIDES = [ROOT / "AGENTS.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES = [ROOT / "README.md", *GUIDES, *sorted((ROOT / "docs").rglob("*.md")), *FOLDERS]

ELSEWHERE = {"clients.md", "data.md", "training.md", "mcp.md", "4_training.md"}
"""Pages whose examples need a server; they have tests of their own."""


def blocks(page: Path) -> list[str]:
    """A page's Python blocks."""
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.S)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p) and p.name not in ELSEWHERE], ids=lambda p: p.name)
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    """All blocks of a page run in order, as one module."""
    source = "\n".join(blocks(page))
    exec(compile(source, str(page), "exec"), {"__name__": f"example_{page.stem}"})  # noqa: S102 - our own pages


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file of the repository."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_env_example_names_every_setting_with_its_default() -> None:
    """`.env.example`, above the tool servers, and the settings class have the same settings and defaults."""
    text, servers, _ = (ROOT / ".env.example").read_text().partition("# --- Tool servers")
    assert servers
    shown = dict(re.findall(r"^#(?:ENV_SERVER_)?([A-Z0-9_]+)=(.*)$", text, re.M))
    fields = Settings.model_fields
    assert {name.lower() for name in shown} == set(fields)
    for name, value in shown.items():
        default = fields[name.lower()].default
        if default is not None and fields[name.lower()].default_factory is None:
            assert value.lower() == str(default).lower().removesuffix(".0"), name


def test_every_path_of_the_step_page_exists() -> None:
    """All file names in env_server/README.md exist."""
    page = ROOT / "env_server" / "README.md"
    named = re.findall(r"^\s+((?:\w+/)+\w+\.py)", page.read_text(), re.M)
    assert len(named) > 10
    for name in [*named, *re.findall(r"`(\w+/\w+\.py)`", page.read_text())]:
        assert (page.parent / name).exists(), name


def test_every_metric_is_documented() -> None:
    """The table of docs/operating.md has exactly the metrics of /metrics, with their labels."""
    page = (ROOT / "docs" / "operating.md").read_text()
    shown = {
        name: set(labels.replace(" ", "").split(",")) - {""}
        for name, labels in re.findall(r"^\| `((?:env_server|process)_\w+)` \|([^|]*)\|$", page, re.M)
    }
    families = list(REGISTRY.collect())
    names = {f.name + ("_total" if f.type == "counter" else "") for f in families}
    assert names == set(shown)
    for counts in (BEGUN, ENDED, SCORED, REWARD, CALLS, ACTIONS):
        (family,) = counts.describe()
        assert set(family._labelnames) == shown[family.name + "_total"]
