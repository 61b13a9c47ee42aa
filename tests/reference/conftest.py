"""What the tests against recorded vectors share."""

from pathlib import Path

import pytest

from tests.reference import vectors


@pytest.fixture(scope="session")
def reference() -> Path:
    """Where the recordings are; a test that needs them says so where they are absent."""
    if not vectors.DIRECTORY.is_dir():
        pytest.skip("no recorded vectors here: set REFERENCE_DIR to where they are")
    return vectors.DIRECTORY
