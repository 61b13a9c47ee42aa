"""The strategies by name, and the strategies without words of their own."""

import re

import pytest

from env_server.domains.kit import Request
from env_server.users import STRATEGIES
from tests.users.talks import NO_TOOLS, task_of

CANCEL = Request(ask="I'd like to cancel an order.", details={"order": "It is order #W1234567."})


def test_strategies() -> None:
    """Three strategies by name; only `external` awaits, none is remote."""
    assert {name: (user.remote, user.awaits) for name, user in STRATEGIES.items()} == {
        "scripted": (False, False),
        "external": (False, True),
        "none": (False, False),
    }


@pytest.mark.parametrize("name", ["external", "none"])
async def test_users_without_words(name: str) -> None:
    """Asking a user that has no words of its own is an error of the caller, named as such."""
    user = STRATEGIES[name]
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.first(task_of(CANCEL), 0)
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.reply(task_of(CANCEL), 0, {}, "Hello", NO_TOOLS)
