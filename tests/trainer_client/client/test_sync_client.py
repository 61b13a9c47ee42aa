"""The client for threads is generated from the client for asyncio."""

import pytest

from scripts.unasync import SENTENCES, SOURCE, TARGET, generated


def test_the_sync_client_is_what_the_script_generates() -> None:
    """A change of the async client is not forgotten in the sync one; if this fails run `python scripts/unasync.py`."""
    assert TARGET.read_text(encoding="utf-8") == generated(SOURCE.read_text(encoding="utf-8"))


def test_nothing_of_asyncio_is_left() -> None:
    """The only thing that the generated file says of asyncio is where it comes from, and what its counterpart is."""
    left = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if "async" in line.lower()]
    assert [line for line in left if "unasync.py" not in line and "`AsyncClient` is the same" not in line] == []
    assert "await" not in TARGET.read_text(encoding="utf-8")


@pytest.mark.parametrize("lost", [next(iter(SENTENCES)), "send_async"])
def test_a_replacement_that_finds_nothing_is_an_error(lost: str) -> None:
    """When the words of the source change, the script fails instead of leaving them as they are."""
    with pytest.raises(ValueError, match=r"async_client\.py"):
        generated(SOURCE.read_text(encoding="utf-8").replace(lost, ""))
