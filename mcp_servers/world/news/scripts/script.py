"""The data type of a script."""

from typing import NamedTuple


class Script(NamedTuple):
    """Sentences for articles of one kind. `news.telling` names the placeholders in braces."""

    keys: tuple[str, ...]
    """The placeholders of every lead. Their facts decide whether an article agrees with its event."""
    titles: tuple[str, ...]
    leads: tuple[str, ...]
    body: tuple[str, ...]
    quotes: tuple[str, ...] = ()
