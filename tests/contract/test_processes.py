"""The data of every domain has the same bytes in every process."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.acts import NAMES, Stage

ROOT = Path(__file__).parents[2]
STEP = 41
CODE = "from tests.contract.test_processes import fingerprints; print(fingerprints())"


def fingerprints() -> str:
    """A digest for each pack: its version, tasks of all splits, and the outcome of their gold."""
    return json.dumps({domain: fingerprint(domain) for domain in NAMES})


def fingerprint(domain: str) -> str:
    """A digest of one pack, of some of its tasks, and of the outcome of their gold."""
    on = Stage(domain)
    tasks = [task for split in on.pack.splits for task in on.some(split, STEP)]
    made = [(task.model_dump_json(), on.gold(task).hash) for task in tasks]
    seen = [on.pack.version, on.pack.snapshot.digest, on.pack.tools_digest, made]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


@pytest.mark.slow
def test_another_process_makes_the_same() -> None:
    """World, tasks, gold and versions are the same in every process, however it hashes strings."""
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == fingerprints()
