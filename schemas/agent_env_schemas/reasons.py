"""Why an episode ended."""

from enum import StrEnum


class StopReason(StrEnum):
    """Why an episode ended. Which reasons are scored is said in `docs/rewards.md`."""

    COMPLETED = "completed"
    """The agent said that the work is done, in an episode without a user. Scored."""

    USER_STOP = "user_stop"
    """The user ended the conversation. Scored."""

    TRANSFER = "transfer"
    """The agent handed the user over to people, where that ends an episode. Scored."""

    MAX_TURNS = "max_turns"
    """The turn limit was reached. Reward 0."""

    MAX_ERRORS = "max_errors"
    """The limit of failed calls was reached. Reward 0."""

    MAX_CALLS = "max_calls"
    """The limit of calls was reached. Reward 0."""

    DEADLINE = "deadline"
    """The episode's time was up. Reward 0."""

    AGENT_ERROR = "agent_error"
    """The agent's side reported that the policy itself failed. Reward 0."""

    CLOSED = "closed"
    """The agent's side closed the episode. Reward 0, but unscored where the reason was `infrastructure`."""

    USER_ERROR = "user_error"
    """The simulated user failed at the same turn repeatedly. Unscored."""

    EXPIRED = "expired"
    """Nobody called for too long. Unscored."""


CLOSE_INFRASTRUCTURE = "infrastructure"
"""The reason to close with when the caller's own machinery failed: the episode is then unscored."""
