"""The one exception of this package."""


class DataError(Exception):
    """A data set cannot be made as asked for; the message says in one line what would help."""
