"""The strategies that play a user, and the words by which a user ends an episode."""

from enum import StrEnum


class UserStrategy(StrEnum):
    """Who plays the user: the values of `user.strategy` of a reset."""

    SCRIPTED = "scripted"
    """Rules that follow the task's script."""

    EXTERNAL = "external"
    """The caller, by `POST /episodes/{id}/user`."""

    NONE = "none"
    """Nobody: the agent works alone."""

    LLM = "llm"
    """A language model."""

    REACT = "react"
    """A language model that writes down a thought before each message."""

    VERIFY = "verify"
    """A language model whose messages are checked; a message that does not pass is written anew."""

    REFLECTION = "reflection"
    """A language model whose messages are checked; it reflects on a message that does not pass."""


USER_STOP = "###STOP###"
"""Ends the episode if a line of the user's message is only this text."""

USER_TRANSFERRED = "###TRANSFER###"
"""Ends the episode under `tau2`: the user says that they were handed over."""

USER_OUT_OF_SCOPE = "###OUT-OF-SCOPE###"
"""Ends the episode under `tau2`: the user says that their instructions do not cover the situation."""
