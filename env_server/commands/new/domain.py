"""Writes the files of a new domain from the texts in `skeleton`."""

import importlib.util
import keyword
import re
from pathlib import Path
from string import Template

from env_server.commands.output import console, fail, print_json, program, readable_errors
from env_server.domains.discovery import domains

SKELETON = Path(__file__).parent / "skeleton"
OUTSIDE = frozenset({"pyproject.toml"})
"""Files that are beside the package and not in it."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")


def run(name: str, into: Path, *, as_json: bool) -> None:
    """Write the package `into`/NAME and print its files and what to do next.

    Raises:
        typer.Exit: with 2 if there can be no domain of that name, or if the folder exists.
    """
    _refuse_name(name)
    folder = into / name
    try:
        files = write(name, folder)
    except FileExistsError:
        fail(f"{folder} exists already; choose another name, or another folder with --into")
    except OSError as e:
        fail(f"{folder} cannot be written: {e}")
    if as_json:
        print_json({"domain": name, "folder": str(folder), "files": [str(file) for file in files]})
        return
    screen = console(as_json=False)
    for file in files:
        screen.print(str(file), soft_wrap=True)
    screen.print("\nInstall it beside the server, then play and audit it:\n", style="dim")
    for line in (
        f"{program('pip')} install -e {folder}",
        f"{program()} play --domain {name} --as oracle",
        f"{program()} audit --domain {name}",
    ):
        screen.print(f"  {line}", soft_wrap=True)


def write(name: str, folder: Path) -> list[Path]:
    """Write the package of the domain `name` into the new `folder`; return the paths of its files in order.

    Raises:
        FileExistsError: if the folder exists.
        OSError: if it cannot be written.
    """
    folder.mkdir(parents=True)
    (folder / name).mkdir()
    files = []
    for text in sorted(SKELETON.glob("*.txt")):
        file = (folder if text.stem in OUTSIDE else folder / name) / text.stem
        words = Template(text.read_text(encoding="utf-8")).substitute(name=name, title=name.replace("_", " ").title())
        file.write_text(words, encoding="utf-8")
        files.append(file)
    return files


def _refuse_name(name: str) -> None:
    """End the program if a package or a domain cannot have this name, or if one has it already."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        fail(f"{name!r} cannot be the name of a domain: up to 41 of a-z 0-9 _, beginning with a letter")
    with readable_errors():
        if name in domains():
            fail(f"there is a domain {name!r} already")
    if importlib.util.find_spec(name) is not None:
        fail(f"there is a Python package {name!r} already; choose another name")
