"""Which pages the site has, and how their links are written anew."""

import re
from pathlib import Path

import pytest

from scripts.docsite import gather
from scripts.docsite.contents import BELOW, HOME, SECTIONS
from scripts.docsite.gather import ROOT, own_pages, place
from scripts.docsite.gather import gather as gathered


def test_every_page_has_its_place() -> None:
    """Each page of the repository is in one section, or below a page of one; nothing else is named."""
    listed = [page for pages in SECTIONS.values() for page in pages]
    own = {page.relative_to(ROOT).as_posix() for page in own_pages()}
    below = {page for page in own - {*listed} if page.startswith(tuple(BELOW.values()))}
    assert len(listed) == len({*listed})
    assert own - {*listed} - below == {HOME}
    assert {page for page in listed if not page.startswith("reference/")} <= own


def test_links_are_those_of_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links lead to the pages' new places, to copies of files, or nowhere; links in code stay as they are."""
    monkeypatch.setattr(gather, "pages", lambda: {f"{name}.md": "# R\n" for name in ("rest", "tools")})
    gathered(tmp_path)
    tutorial = (tmp_path / "tutorial" / "2_own_task.md").read_text(encoding="utf-8")
    assert "](1_first_episode.md)" in tutorial
    assert "](../playing.md#with-a-user-script)" in tutorial
    (copied,) = re.findall(r"\]\(([^)]+custom_tasks\.jsonl)\)", tutorial)
    assert (tmp_path / "tutorial" / copied).read_bytes() == (ROOT / "examples" / "custom_tasks.jsonl").read_bytes()
    assert "](../rewards.md" in (tmp_path / "project" / "README.md").read_text(encoding="utf-8")
    assert "![" in (tmp_path / "how_it_works.md").read_text(encoding="utf-8")
    for page in tmp_path.rglob("*.md"):
        assert page.parent / "x" != page
    assert (place("docs/README.md"), place("SECURITY.md")) == ("index.md", "project/SECURITY.md")
