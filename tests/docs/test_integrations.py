"""The table of docs/integrations.md has the results that the adapters' tests recorded."""

import pytest

from tests import integrations


def test_the_page_has_the_recorded_table() -> None:
    """The page is exactly what `make integrations` writes from the records."""
    assert integrations.PAGE.read_text(encoding="utf-8") == integrations.page(integrations.records())


@pytest.mark.parametrize("name", integrations.records())
def test_a_record_tells_a_good_agent_from_an_idle_one(name: str) -> None:
    """In every recorded library the good agent earned 1, and the idle agent 0."""
    kept = integrations.records()[name]
    assert (kept["good"], kept["idle"]) == (1, 0)
