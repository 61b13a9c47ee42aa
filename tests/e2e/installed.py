"""A domain of another package, installed beside the server's, as an installation of both would be."""

import shutil
from pathlib import Path

from tests.e2e.server import ROOT


def installed(package: Path, folder: Path) -> Path:
    """Fill `folder`: the server's packages, and `package`, whose name is its domain's, with its entry point."""
    name = package.name
    shutil.copytree(package, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for ours in ("schemas/agent_env_schemas", "env_server"):
        (folder / Path(ours).name).symlink_to(ROOT / ours)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[env_server.domains]\n{name} = {name}:domain\n", encoding="utf-8")
    return folder
