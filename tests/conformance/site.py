"""The server's packages with the suite's domain beside them, as an installation of both would be."""

import shutil
from pathlib import Path

from tests.conformance.programs import HERE
from tests.e2e.server import ROOT

METADATA = "Metadata-Version: 2.1\nName: suite\nVersion: 1.0\n"
ENTRY_POINTS = "[env_server.domains]\nsuite = suite:domain\n"


def make(folder: Path) -> Path:
    """Fill `folder`."""
    shutil.copytree(HERE / "suite", folder / "suite", ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("schemas", "env_server"):
        (folder / package).symlink_to(ROOT / package)
    about = folder / "suite-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA, encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder
