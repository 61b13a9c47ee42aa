"""What the desk can do."""

from env_server.domains.kit import READ, WRITE, Db, Dialect, ToolError, tool

from .tables import BOOKS, MEMBERS, Book, Member


@tool(kind=READ, identifies=True)
def find_member(db: Db[Dialect], name: str) -> Member:  # noqa: D417  # the server hands in `db`
    """Find a member.

    Args:
        name: First and last name.
    """
    found = db[MEMBERS].find("name", name.lower())
    if not found:
        raise ToolError(f"no member is called {name!r}")
    return found[0]


@tool(kind=READ)
def find_book(db: Db[Dialect], title: str) -> Book:  # noqa: D417 -- `db` is not the model's to give
    """Find a book, and who has it.

    Args:
        title: The whole title.
    """
    found = db[BOOKS].find("title", title.lower())
    if not found:
        raise ToolError(f"no book is called {title!r}")
    return found[0]


@tool(kind=WRITE)
def lend_book(db: Db[Dialect], book_id: str, member_id: str) -> Book:  # noqa: D417 -- `db` is not the model's to give
    """Lend a book to a member.

    Args:
        book_id: The copy, such as 'b1'.
        member_id: Who takes it, such as 'm1'.
    """
    book = _book(db, book_id)
    if book["lent_to"] is not None or member_id not in db[MEMBERS]:
        raise ToolError(f"book {book_id!r} cannot be lent to {member_id!r}")
    book["lent_to"] = member_id
    return db[BOOKS].put(book)


@tool(kind=WRITE)
def take_back(db: Db[Dialect], book_id: str) -> Book:  # noqa: D417 -- `db` is not the model's to give
    """Take back a book that is lent.

    Args:
        book_id: The copy, such as 'b1'.
    """
    book = _book(db, book_id)
    if book["lent_to"] is None:
        raise ToolError(f"book {book_id!r} is not lent")
    book["lent_to"] = None
    return db[BOOKS].put(book)


def _book(db: Db[Dialect], book_id: str) -> Book:
    if book_id not in db[BOOKS]:
        raise ToolError(f"there is no book {book_id!r}")
    return db[BOOKS].edit(book_id)
