"""The checks of a task."""

import pytest
from pydantic import ValidationError

from env_server.domains.kit import OwnCheck


def test_what_a_user_waits_to_see_is_something() -> None:
    """Every answer contains the empty text, so a user who waits for it would be satisfied at once."""
    assert OwnCheck(name="check_status_bar", says="5G").says == "5G"
    with pytest.raises(ValidationError, match="says"):
        OwnCheck(name="check_status_bar", says="")
