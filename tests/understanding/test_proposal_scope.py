"""The values that a proposal sets aside."""

import pytest

from env_server.domains.kit import Value
from env_server.understanding.proposal_scope import set_aside

CABIN = Value(says=("business",), others=("basic economy", "economy"))


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("cabin: basic economy -> business", True),
        ("cabin: economy => business", True),
        ("cabin: economy → business", True),
        ("from economy to business", True),
        ("cabin: business -> economy", False),
        ("business to economy", False),
    ],
)
def test_an_arrow_leads_from_the_old_value_to_the_new_one(text: str, old: bool) -> None:
    """A value before an arrow or `to` is the old one if the right one follows, and a wrong proposal behind it."""
    assert set_aside("economy", CABIN, text, [text]) == old
