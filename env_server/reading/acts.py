"""The acts of a sentence or a message of an agent."""

from enum import StrEnum


class Act(StrEnum):
    """One act of an agent's message toward the user."""

    IDENTIFY = "identify"
    """Asks for something that identifies the user: name, email address, phone, user id, zip code, date of birth."""

    ASK = "ask"
    """Asks for a detail, a choice or a preference."""

    PROPOSE = "propose"
    """Describes a specific change that is about to be made and asks for consent."""

    CLAIM = "claim"
    """Says that a change the user wanted has been made, by the agent, now."""

    REFUSE = "refuse"
    """Says that something cannot be done or is not allowed."""

    TELL = "tell"
    """Tells values or facts that were looked up."""

    TRANSFER = "transfer"
    """Says that the user is transferred to a person, now."""

    INSTRUCT = "instruct"
    """Asks the user to do something themselves: on a device, in an app or elsewhere."""

    CLOSE = "close"
    """Asks whether there is anything else, or says goodbye."""
