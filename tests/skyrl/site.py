"""The server's packages with the desk beside them, as an installation of both would be."""

import shutil
from pathlib import Path

from tests.e2e.server import ROOT

HERE = Path(__file__).parent
METADATA = "Metadata-Version: 2.1\nName: desk\nVersion: 1.0\n"
ENTRY_POINTS = "[env_server.domains]\ndesk = desk:domain\n"


def make(folder: Path) -> Path:
    """Fill `folder`."""
    shutil.copytree(HERE / "desk", folder / "desk", ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("schemas", "env_server"):
        (folder / package).symlink_to(ROOT / package)
    about = folder / "desk-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA, encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder
