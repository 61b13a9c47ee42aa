"""The shell example of docs/domains.md: a new domain is written, installed, played and audited, line by line."""

import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import hatchling.build
import pytest

from env_server.policies import BLIND
from tests.e2e.forked import commanded
from tests.e2e.server import without_settings

ROOT = Path(__file__).parents[2]
PATIENCE_S = 300


def lines(name: str) -> list[list[str]]:
    """The lines of these commands in a page's examples, split into words."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", page, re.S)
    wanted = [
        line
        for block in blocks
        for line in block.splitlines()
        if line.startswith((".venv/bin/env-server", ".venv/bin/pip"))
    ]
    return [line.partition("#")[0].removeprefix(".venv/bin/").split() for line in wanted if "orchard" in line]


def installed(package: Path, site: Path) -> None:
    """Install a package into `site` as pip does: build its wheel and unpack it. Unlike pip, this needs no network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(package)
        wheel = hatchling.build.build_wheel(str(site))
    with zipfile.ZipFile(site / wheel) as archive:
        archive.extractall(site)


def environment(site: Path) -> Mapping[str, str]:
    """An environment without settings that finds the packages of `site` besides those of this checkout."""
    return {**without_settings(), "PYTHONPATH": str(site)}


def ran(words: list[str], folder: Path, site: Path) -> dict[str, Any]:
    """Run one `env-server` line in `folder`, with `--json`, and return its result."""
    done = commanded([*words, "--json"], folder, environment(site), PATIENCE_S)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.parametrize("page", ["domains.md", "tutorial/3_own_domain.md"])
def test_a_new_domain_is_played_and_audited(tmp_path: Path, page: str) -> None:
    """The oracle earns 1 in every task, cheats and blind policies earn nothing, and the audit finds no fault."""
    site = tmp_path / "site"
    site.mkdir()
    results = {}
    for program, *words in lines(page):
        if program == "pip":
            installed(tmp_path / words[-1], site)
        else:
            results[words[0]] = ran(words, tmp_path, site)
    assert (results["eval"]["success"], results["eval"]["scored"]) == (1.0, results["eval"]["tasks"])
    audit = results["audit"]
    assert audit["faults"] == 0
    for split, rates in audit["rates"].items():
        assert rates["oracle"]["solved"] == audit["tasks"][split] > 0
        assert {*BLIND, "crawl-refuse", "crawl-dump", "opening"} <= {*rates}
        assert [name for name, rate in rates.items() if name != "oracle" and rate["solved"]] == []
