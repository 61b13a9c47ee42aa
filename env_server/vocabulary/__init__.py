"""Words of the domains that shared code listens for. Each domain declares its own in `vocabulary.toml`."""

from env_server.vocabulary.files import KINDS, Vocabulary, declared, in_file
from env_server.vocabulary.patterns import either, filled, forms

__all__ = ["KINDS", "Vocabulary", "declared", "either", "filled", "forms", "in_file"]
