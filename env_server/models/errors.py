"""What can go wrong when a language model is asked."""


class ModelUnavailable(Exception):
    """There is no answer now. Nothing has happened, and it may be tried again."""

    def __init__(self, detail: str, retry_after: float | None = None, *, asked: bool = True) -> None:
        """Say why, and after how many seconds another try makes sense.

        Args:
            detail: what went wrong.
            retry_after: seconds to wait, where something says how many.
            asked: whether the model was asked in vain; if not, nothing has failed, it was put off.
        """
        super().__init__(detail)
        self.retry_after = retry_after
        self.asked = asked


class SpendCapReached(Exception):
    """The run has used up the tokens that it was given."""


class EndpointRefused(ValueError):
    """An endpoint that was asked for cannot be had from this server."""
