"""The fixture of the tests on recorded vectors."""

from pathlib import Path

import pytest

from tests.reference import vectors


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of the recorded vectors. Without it, the test is skipped with a message."""
    if not vectors.DIRECTORY.is_dir():
        pytest.skip("no recorded vectors here: set REFERENCE_DIR to where they are")
    return vectors.DIRECTORY
