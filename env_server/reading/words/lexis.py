"""Lists of words, written as one string."""


def words(*lines: str) -> list[str]:
    """Return the words of a few lines, in order."""
    return " ".join(lines).split()
