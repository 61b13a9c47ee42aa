"""Why an episode ended."""

from enum import StrEnum


class StopReason(StrEnum):
    """The reason why an episode ended. `docs/rewards.md` says which reasons are scored."""

    COMPLETED = "completed"
    """In an episode without a user, the agent said that the work is done. Scored."""

    USER_STOP = "user_stop"
    """The user ended the conversation. Scored."""

    TRANSFER = "transfer"
    """The agent transferred the user to a person, in a domain where that ends an episode. Scored."""

    MAX_TURNS = "max_turns"
    """The turn limit was reached. Reward 0."""

    MAX_ERRORS = "max_errors"
    """The limit of failed calls was reached. Reward 0."""

    MAX_CALLS = "max_calls"
    """The limit of calls was reached. Reward 0."""

    DEADLINE = "deadline"
    """The time limit of the episode was reached. Reward 0."""

    AGENT_ERROR = "agent_error"
    """The agent's side reported that the policy itself failed. Reward 0."""

    CLOSED = "closed"
    """The agent's side closed the episode. Reward 0, or unscored if the given reason was `infrastructure`."""

    USER_ERROR = "user_error"
    """The simulated user failed at the same turn repeatedly. Unscored."""

    EXTERNAL_STATE_LOST = "external_state_lost"
    """A tool's server has lost its state of the episode, and the state cannot be rebuilt. Unscored."""

    EXPIRED = "expired"
    """The episode received no request for too long. Unscored."""


CLOSE_INFRASTRUCTURE = "infrastructure"
"""The reason to close with when the caller's own machinery failed: the episode is then unscored."""
