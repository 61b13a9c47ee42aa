"""The steps of the Dockerfile, followed in a clean root; and what is in the image. No container is started."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.deployment

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(os.environ.get("DEPLOYMENT_PROGRAMS", ".")) / "python" / "bin"
LOCK = ROOT / "requirements-server.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_steps_make_a_server_without_rights() -> None:
    """What the steps install serves as a user without rights, on a root that is read-only, and only /data is written.

    The health check passes, the tool servers and the trainer's command are there, and pip is not.
    """
    rights = [] if os.geteuid() == 0 else ["sudo", "--non-interactive", "--preserve-env"]
    follow = str(Path(__file__).with_name("clean_root.py"))
    command = [*rights, "unshare", "--mount", str(PROGRAMS / "python"), follow, str(ROOT / "docker" / "Dockerfile")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["healthy"]
    assert '{"episode_id":"ep_' in seen["reset"]
    assert seen["uid"] == 10001
    assert {"cache", "env-server.db"} <= {*seen["written"]}
    assert "Read-only file system" in seen["root"]
    assert "No module named pip" in seen["pip"]
    assert seen["programs"] == {"mcp-polygon": 0, "mcp-python": 0, "trainer": 0}


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `make sbom` writes; the program validates it against the schema of CycloneDX."""
    command = ["make", "-o", ".venv/.installed", "sbom", f"PYTHON={sys.executable}"]
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "ARGS")}
    file = tmp_path_factory.mktemp("sbom") / "sbom.json"
    done = subprocess.run([*command, f"SBOM={file}"], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_the_bill_of_materials_is_the_lock(bill: dict[str, Any]) -> None:
    """Each pinned package is a component with its version, its address and its hashes, and nothing else is one."""
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", PROJECT["name"])
    assert bill["metadata"]["component"]["version"] == PROJECT["version"]
    pins = dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", LOCK.read_text(encoding="utf-8"), re.M))
    assert len(pins) > 40
    assert {component["name"]: component["version"] for component in bill["components"]} == pins
    for component in bill["components"]:
        assert component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
    named = set(re.findall(r"sha256:([0-9a-f]{64})", LOCK.read_text(encoding="utf-8")))
    hashes = {h["content"] for c in bill["components"] for e in c["externalReferences"] for h in e.get("hashes", ())}
    assert hashes == named
