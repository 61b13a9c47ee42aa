"""A message that the agent makes very long by repetition is read at once."""

import pytest

from env_server.domains.telecom.instructions import orders
from tests.pace import units

HEADS = ("Please turn Wi-Fi off", "turn off wifi", "Please turn your phone off", "If airplane mode is on", "Grant", "")
BITS = (
    ", and then", " wait", ", then", " and", "turn off ", "turn off (, ", "turn wifi on ", "if so ", "please ",
    "on off ", "your phone ", "go to settings > ", "make sure ", "check ", ", ", ". ", "? ", "permission ", "not ",
)  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("bit", BITS)
def test_a_message_that_repeats_itself_is_read_in_linear_time(head: str, bit: str) -> None:
    """Eight thousand characters of any fragment cost little (exponential patterns would not end)."""
    message = (head + bit * 8000)[:8000] + "."
    assert units(lambda: orders(message)) < 10
