"""Decides which tests share a worker of `pytest -n`, so that only one worker builds the tasks of a domain."""

import re
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

DOMAINS = "|".join(path.name for path in (Path(__file__).parent / "domains").iterdir() if path.is_dir())
FOLDERS = "audit|commands|contract|domains|policies"
OF_DOMAIN = re.compile(rf"tests/(?:{FOLDERS})/.*[\[-]({DOMAINS})[\]-]|tests/domains/({DOMAINS})/")
"""Tests of one domain: those in these folders that have it as a parameter, and those in its own folder."""


class DomainScheduling(LoadFileScheduling):
    """Run the tests of each domain on one worker, and the other tests of each file on one worker."""

    def _split_scope(self, nodeid: str) -> str:
        found = OF_DOMAIN.match(nodeid)
        return (found[1] or found[2]) if found else super()._split_scope(nodeid)
