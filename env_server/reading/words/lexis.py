"""Word lists, written as strings of words with spaces between them."""


def words(*lines: str) -> list[str]:
    """Return the words of a few lines, in order."""
    return " ".join(lines).split()
