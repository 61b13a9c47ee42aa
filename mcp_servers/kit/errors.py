"""Errors of tools. An error states its kind, the event and the action that the model can take."""

from enum import StrEnum

from mcp.server.mcpserver.exceptions import ToolError


class ErrorKind(StrEnum):
    """The kinds of tool failures."""

    BAD_REQUEST = "bad_request"
    """The arguments are wrong."""
    NOT_FOUND = "not_found"
    """The requested item does not exist."""
    UNAUTHORIZED = "unauthorized"
    """The service does not accept the key."""
    PLAN = "plan"
    """The key's plan does not cover this request."""
    RATE_LIMITED = "rate_limited"
    """Too many calls in too little time."""
    UNAVAILABLE = "unavailable"
    """The service cannot be reached, or failed."""
    TIMED_OUT = "timed_out"
    """The service did not answer in time."""
    MALFORMED = "malformed"
    """The service's answer cannot be read."""
    OUTCOME_UNKNOWN = "outcome_unknown"
    """A write was sent, and its outcome is unknown."""
    REFUSED = "refused"
    """This server does not support the request."""


PASSING = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.UNAVAILABLE, ErrorKind.TIMED_OUT})
"""Kinds that a retry may overcome."""

ADVICE = {
    ErrorKind.BAD_REQUEST: "correct the arguments and call again",
    ErrorKind.NOT_FOUND: "check the name, or search for it",
    ErrorKind.UNAUTHORIZED: "the operator has to set a valid key, so do not call again",
    ErrorKind.PLAN: "the operator's plan does not include this, so use another tool or other arguments",
    ErrorKind.RATE_LIMITED: "wait a while before you call again",
    ErrorKind.UNAVAILABLE: "call again later, or go on without it",
    ErrorKind.TIMED_OUT: "call again with a smaller request, or go on without it",
    ErrorKind.MALFORMED: "go on without it, or use another tool",
    ErrorKind.OUTCOME_UNKNOWN: "it may have taken place, so look before you repeat it",
    ErrorKind.REFUSED: "use another tool",
}
"""Default advice for each kind."""


class UpstreamError(ToolError):
    """The failure of a tool call. Its text is `[kind] event; advice`."""

    def __init__(
        self, kind: ErrorKind, happened: str, advice: str | None = None, retry_after: float | None = None
    ) -> None:
        """Describe the failure.

        Args:
            kind: The kind of the failure.
            happened: A clause in plain words, without a full stop. It must not hold a secret.
            advice: What the model can do. None uses `ADVICE`.
            retry_after: Seconds after which the service accepts a retry.
        """
        if advice is None and kind is ErrorKind.RATE_LIMITED and retry_after is not None:
            advice = f"wait {retry_after:.0f} s before you call again"
        super().__init__(f"[{kind}] {happened}; {advice or ADVICE[kind]}")
        self.kind = kind
        self.happened = happened
        self.retry_after = retry_after
