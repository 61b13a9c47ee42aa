"""What a user that is a language model costs."""

from pydantic import ConfigDict

from agent_env_schemas.base import Wire


class UserUsage(Wire):
    """The cost of one message of a user that a language model plays."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str
    calls: int
    """Number of answers of the model, including those that judge a draft."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Seconds of waiting for the answers."""
    cost: float | None = None
    """The price in US dollars. Null if the operator has set no price for the model."""
    cached: int = 0
    """Number of answers from the response cache. The fields above do not count them."""
    unusable: int = 0
    """Number of answers that could not be used. The model was asked again."""
    rejected: int = 0
    """Number of drafts that the judge rejected (`verify`, `reflection`)."""
    fallback: str | None = None
    """Why a message was sent that the judge did not approve: `rejected` (the judge approved no draft) or
    `no_verdict`."""
