"""The operator's configuration of language models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from env_server.models.answer import Price

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Endpoint, model and limits; see the settings of the same names."""

    base_url: str = OPENAI
    api_key: str | None = None
    model: str | None = None
    allowed: frozenset[str] = frozenset()
    """Endpoints that a reset may name, in the form that `normal_url` returns."""

    temperature: float | None = None
    timeout_s: float = 30.0
    retries: int = 2
    calls_per_s: float | None = None
    breaker_failures: int = 10
    breaker_pause_s: float = 10.0
    run_tokens: int | None = None
    """The token limit for all models of one run."""

    prices: Mapping[str, Price] = field(default_factory=dict)


def normal_url(url: str) -> str:
    """Return a base URL in its normal form, for comparisons.

    Raises:
        ValueError: if it is no http address, or if it has credentials, a query or a fragment.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is not an http address")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("a base URL must not have credentials, a query or a fragment")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}:{port}{parts.path.rstrip('/')}"
