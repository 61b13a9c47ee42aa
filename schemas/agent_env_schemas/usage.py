"""What a user that is a language model costs."""

from pydantic import ConfigDict

from agent_env_schemas.base import Wire


class UserUsage(Wire):
    """What one message of such a user cost."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str
    calls: int
    """Answers of the model, judging included."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Time spent waiting for them."""
    cost: float | None = None
    """US dollars; null where the operator has named no price for the model."""
    cached: int = 0
    """Answers from the response cache, which are not counted in the above."""
    unusable: int = 0
    """Answers that could not be used, so that the model was asked again."""
    rejected: int = 0
    """Drafts that the judge sent back (`verify`, `reflection`)."""
    fallback: str | None = None
    """Why a message went out that the judge had not approved: `rejected` (it approved none) or `no_verdict`."""
