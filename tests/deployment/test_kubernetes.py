"""The schemas of Kubernetes accept the files of docker/kubernetes. No cluster is asked."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.deployment

FOLDER = Path(__file__).parents[2] / "docker" / "kubernetes"
PROGRAM = Path(os.environ.get("DEPLOYMENT_PROGRAMS", ".")) / "python" / "bin" / "kubernetes-validate"
VERSIONS = ("1.28", "1.37")
"""An old version that clusters still run, and the newest that the validator knows."""


def complaints(*files: Path) -> str:
    """What the schemas of Kubernetes say against files, strictly: unknown fields are errors."""
    said = ""
    for version in VERSIONS:
        command = [str(PROGRAM), "--strict", "--quiet", "--kubernetes-version", version, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert bool(done.returncode) == bool(done.stdout + done.stderr)
        said += done.stdout + done.stderr
    return said


def test_the_schemas_accept_the_manifests() -> None:
    """Every file is valid."""
    assert complaints(*sorted(FOLDER.glob("*.yaml"))) == ""


@pytest.mark.parametrize(
    ("right", "wrong"), [("readOnlyRootFilesystem", "readOnlyRoot"), ("containerPort: 8000", "containerPort: '8000'")]
)
def test_the_schemas_refuse_mistakes(tmp_path: Path, right: str, wrong: str) -> None:
    """An unknown field and a value of another type are found, so that the test above means something."""
    text = (FOLDER / "server.yaml").read_text("utf-8")
    assert right in text
    file = tmp_path / "server.yaml"
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    assert complaints(file)
