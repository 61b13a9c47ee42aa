"""The exception of this package."""


class DataError(Exception):
    """A data set cannot be made as asked; the message says in one line what would help."""
