"""The documentation site is built without a warning, has no broken link, and needs no other host."""

import os
import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from scripts.docsite.__main__ import sphinx
from scripts.docsite.contents import SECTIONS
from scripts.docsite.gather import gather, place

pytestmark = pytest.mark.site

PYTHON = os.environ.get("SITE_PYTHON", "")
"""The interpreter of the environment that `make test-site` installs."""

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}
"""Elements that load something, with the attribute that says what."""


class Page(HTMLParser):
    """What a page loads, its links, and the anchors to which links may lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the element has."""
        found = {name: value or "" for name, value in attrs}
        if tag in LOADED and LOADED[tag] in found:
            self.loads.append(found[LOADED[tag]])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        self.anchors |= {found[name] for name in ("id", "name") if name in found}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gathered pages."""
    folder = tmp_path_factory.mktemp("site") / "source"
    gather(folder)
    return folder


@pytest.fixture(scope="module")
def site(source: Path) -> Path:
    """The built site."""
    done = sphinx(source, source.with_name("html"), PYTHON)
    assert (done.returncode, done.stderr) == (0, "")
    return source.with_name("html")


@pytest.fixture(scope="module")
def html(site: Path) -> dict[Path, Page]:
    """The pages of the site."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_built(site: Path) -> None:
    """Each page that the table of contents names is there, and the first page leads to it."""
    first = (site / "index.html").read_text(encoding="utf-8")
    names = [place(page).replace(".md", ".html") for pages in SECTIONS.values() for page in pages]
    assert len(names) > 35
    for name in names:
        assert (site / name).is_file(), name
        assert f'href="{name}"' in first, name


def test_links_and_anchors_exist(html: dict[Path, Page]) -> None:
    """Each link within the site leads to a file of it, and to an anchor of that page."""
    wrong = defaultdict(list)
    for path, page in html.items():
        for link in page.links:
            target, anchor = urldefrag(link)
            if re.match(r"[a-z]+:", target):
                continue
            file = Path(os.path.normpath(path.parent / unquote(target))) if target else path
            if not file.is_file() or (anchor and file in html and unquote(anchor) not in html[file].anchors):
                wrong[path.name].append(link)
    assert dict(wrong) == {}


def test_nothing_comes_from_another_host(site: Path, html: dict[Path, Page]) -> None:
    """Scripts, styles, fonts and pictures are files of the site; no style sheet and no script asks another host."""
    for path, page in html.items():
        assert page.loads, path
        for what in page.loads:
            assert not re.match(r"(?:[a-z]+:)?//", what), (path, what)
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "@import" not in text, style
        assert [url for url in re.findall(r"url\(['\"]?([^'\")]+)", text) if re.match(r"(?:https?:)?//", url)] == [], (
            style
        )
    for script in site.rglob("*.js"):
        assert not re.search(r"(?:fetch|importScripts|import)\(['\"]https?:", script.read_text(encoding="utf-8")), (
            script
        )


@pytest.mark.parametrize(
    "line", ["[away](nowhere.md)", "[away](playing.md#no-such-heading)", "[away](#no-such-heading)"]
)
def test_a_broken_link_fails_the_build(source: Path, tmp_path: Path, line: str) -> None:
    """A page or an anchor that does not exist is an error, so that the build above means something."""
    folder = tmp_path / "source"
    for name, text in (
        ("index.md", f"# Home\n\n{line}\n\n```{{toctree}}\nplaying\n```\n"),
        ("playing.md", "# Playing\n"),
    ):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = sphinx(folder, tmp_path / "html", PYTHON)
    assert done.returncode != 0
    assert "WARNING" in done.stderr
    assert (source / "index.md").exists()
