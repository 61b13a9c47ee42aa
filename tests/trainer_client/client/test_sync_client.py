"""The client for threads is generated from the client for asyncio."""

import pytest

from scripts.unasync import SENTENCES, SOURCE, TARGET, generated


def test_the_sync_client_is_what_the_script_generates() -> None:
    """The sync client has every change of the async one; if this fails, run `python scripts/unasync.py`."""
    assert TARGET.read_text(encoding="utf-8") == generated(SOURCE.read_text(encoding="utf-8"))


def test_nothing_of_asyncio_is_left() -> None:
    """The generated file mentions asyncio only as its source and as its counterpart."""
    left = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if "async" in line.lower()]
    assert [line for line in left if "unasync.py" not in line and "`AsyncClient` is the same" not in line] == []
    assert "await" not in TARGET.read_text(encoding="utf-8")


@pytest.mark.parametrize("lost", [next(iter(SENTENCES)), "send_async"])
def test_a_replacement_that_finds_nothing_is_an_error(lost: str) -> None:
    """If the source no longer has a text that the script replaces, the script fails."""
    with pytest.raises(ValueError, match=r"async_client\.py"):
        generated(SOURCE.read_text(encoding="utf-8").replace(lost, ""))
