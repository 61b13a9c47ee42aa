"""What a task may hold."""

import pytest
from pydantic import ValidationError

from env_server.domains.kit import OwnCheck


def test_what_a_user_waits_to_see_is_something() -> None:
    """Every answer contains nothing at all, so a check for that would be settled before anybody acts."""
    assert OwnCheck(name="check_status_bar", says="5G").says == "5G"
    with pytest.raises(ValidationError, match="says"):
        OwnCheck(name="check_status_bar", says="")
