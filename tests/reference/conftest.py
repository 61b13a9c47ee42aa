"""The fixture of the tests on recorded vectors."""

from pathlib import Path

import pytest

from tests.reference import vectors


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of the recordings; without them, a test that needs it says so."""
    if not vectors.DIRECTORY.is_dir():
        pytest.skip("no recorded vectors here: set REFERENCE_DIR to where they are")
    return vectors.DIRECTORY
