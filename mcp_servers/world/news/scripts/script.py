"""The form of a script."""

from typing import NamedTuple


class Script(NamedTuple):
    """Sentences for articles of one kind. Places in braces are named in `news.telling`."""

    keys: tuple[str, ...]
    """The places that every lead has: with them an article agrees with its event, or does not."""
    titles: tuple[str, ...]
    leads: tuple[str, ...]
    body: tuple[str, ...]
    quotes: tuple[str, ...] = ()
