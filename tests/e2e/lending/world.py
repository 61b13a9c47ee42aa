"""The base: twenty members, each of whom has a book, and as many books on the shelf."""

from random import Random
from typing import Any

SIZE = 20
FIRST = ("Ada", "Bo", "Cleo", "Dan", "Eva")
LAST = ("Alder", "Birch", "Cedar", "Dogwood")
HEADS = ("Quiet", "Long", "Last", "Blue", "Second")
TAILS = ("Harbour", "Winter", "Letter", "Orchard", "Journey", "Island", "Garden", "Bridge")


def world(*, scale: int = 1) -> dict[str, list[dict[str, Any]]]:
    """The rows of `members` and `books`; there is no larger village."""
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    titles = [f"The {head} {tail}" for head in HEADS for tail in TAILS]
    Random(7).shuffle(titles)
    members = [{"member_id": f"m{i}", "name": name} for i, name in enumerate(names)]
    lent = [f"m{i}" for i in range(SIZE)] + [None] * (len(titles) - SIZE)
    books = [
        {"book_id": f"b{i}", "title": t, "lent_to": who} for i, (t, who) in enumerate(zip(titles, lent, strict=True))
    ]
    return {"members": members, "books": books}
