"""Gathers what Sphinx reads: the repository's pages, the files that they name, and the generated reference.

On the site, the pages of `docs/` are in the top folder, so links are rewritten.
"""

import os
import re
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from scripts.docsite.contents import BELOW, HOME, SECTIONS
from scripts.docsite.reference import pages

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "env_server", "examples", "mcp_servers", "packages")
"""The folders that hold pages of the site, in addition to the root."""

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.S | re.M)
INDEX = "index.md"


def gather(into: Path) -> None:
    """Write the sources of the site into a folder, which is emptied first."""
    shutil.rmtree(into, ignore_errors=True)
    texts = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in own_pages()}
    found = {place(page): _linked(page, text, into) for page, text in texts.items()}
    found |= {f"reference/{name}": text for name, text in pages().items()}
    found[INDEX] += "".join(_tree(map(place, listed), title) for title, listed in SECTIONS.items())
    listed = {INDEX, *(place(page) for section in SECTIONS.values() for page in section)}
    for page, folder in BELOW.items():
        below = sorted(name for name in found.keys() - listed if name.startswith(place(folder)))
        found[place(page)] += _tree(below)
    for name, text in found.items():
        _file(into, name).write_text(text, encoding="utf-8")


def own_pages() -> list[Path]:
    """Return the pages that people have written."""
    below = (page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))
    return [*sorted(ROOT.glob("*.md")), *filter(is_page, below)]


def is_page(file: Path) -> bool:
    """Return whether a file is a page of the site. Policies and other texts of the program are none."""
    at = file.relative_to(ROOT).parts
    return file.suffix == ".md" and (len(at) == 1 or at[0] == "docs" or (at[0] in FOLDERS and at[-1] == "README.md"))


def place(path: str) -> str:
    """Return the place on the site of a page or folder of the repository. Pages of the reference keep their place."""
    if path == HOME:
        return INDEX
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if path.startswith("reference/") else f"project/{path}"


def _linked(page: str, text: str, into: Path) -> str:
    """Return the text of a page with the links of the site. Copy the files that it names."""
    change = partial(_link, page=page, into=into)
    parts = CODE.split(_without_code_in_links(text))
    return "".join(part if i % 2 else LINK.sub(change, part) for i, part in enumerate(parts))


def _without_code_in_links(text: str) -> str:
    """Return a text in which the words of links are not marked as code: splitting at code would cut such links."""
    return re.sub(r"\[`([^`\]\n]+)`\]\(", r"[\1](", text)


def _link(found: re.Match[str], page: str, into: Path) -> str:
    shown, target, anchor = found[2], found[3], found[4] or ""
    if not target or "://" in target:
        return found[0]
    file = Path(os.path.normpath(ROOT / page / ".." / target))
    if file.is_dir():
        file /= "README.md"
        if not file.is_file():
            return shown
    name = file.relative_to(ROOT).as_posix()
    at = place(name)
    if not is_page(file):
        at = f"files/{name}".replace(".md", ".txt")  # Sphinx takes every `.md` for a page
        shutil.copy(file, _file(into, at))
    return f"{found[1]}[{shown}]({os.path.relpath(at, Path(place(page)).parent)}{anchor})"


def _file(into: Path, name: str) -> Path:
    path = into / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _tree(names: Iterable[str], title: str = "") -> str:
    """Return a hidden table of contents."""
    caption = f":caption: {title}\n" if title else ""
    lines = "".join(f"/{name.removesuffix('.md')}\n" for name in names)
    return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n{caption}\n{lines}```\n"
