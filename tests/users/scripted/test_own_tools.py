"""A user with a phone does what the agent asks them to do, and nothing that the agent would do itself."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.domains.kit import Request
from env_server.users import OwnTools
from env_server.users.scripted.user import SCRIPTED
from tests.users.talks import task_of


def done(message: str) -> list[str]:
    """Return the tools that a user has used on their phone after a message."""
    used = list[str]()

    def use(name: str, arguments: Mapping[str, Any]) -> str:
        used.append(name)
        return f"{name} {arguments}"

    own = OwnTools({}, use, domains()["telecom"].hands)
    asyncio.run(SCRIPTED.reply(task_of(Request(ask="I want roaming off.")), 0, {}, message, own))
    return used


@pytest.mark.parametrize(
    "message",
    [
        "Confirm: disable roaming, line L483858, free. Yes/no",
        "Disable data roaming, free. Yes/no?",
        "I'd switch data roaming off for you. Shall I?",
        "You could pay the bill through a payment request, or with your card.",
    ],
)
def test_what_is_proposed_is_not_done(message: str) -> None:
    """What the agent asks a yes for, or only describes, changes nothing on the phone."""
    assert done(message) == []


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Please restart your phone. Shall I then go ahead and resume line L1?", "reboot_device"),
        ("Could you pay the bill on your phone?", "make_payment"),
    ],
)
def test_what_is_asked_for_is_done(message: str, tool: str) -> None:
    """Steps for the user are done, also beside a question for a yes."""
    assert done(message) == [tool]
