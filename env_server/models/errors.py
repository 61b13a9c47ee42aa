"""Errors of requests to a language model."""


class ModelUnavailable(Exception):
    """There is no answer now. The request had no effect, and it may be retried."""

    def __init__(self, detail: str, retry_after: float | None = None, *, asked: bool = True) -> None:
        """Store the reason, and the seconds after which a retry makes sense.

        Args:
            detail: the reason.
            retry_after: seconds to wait, if known.
            asked: whether the model was asked and failed; if not, the request was only put off.
        """
        super().__init__(detail)
        self.retry_after = retry_after
        self.asked = asked


class SpendCapReached(Exception):
    """The run has used up its tokens."""


class EndpointRefused(ValueError):
    """The server cannot provide the requested endpoint."""
