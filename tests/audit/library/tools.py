"""A small library: tables and tools."""

from typing_extensions import TypedDict

from env_server.domains.kit import READ, WRITE, Db, Dialect, Table, ToolError, tool


class Book(TypedDict):
    """One copy."""

    book_id: str
    title: str
    printed: int
    lent_to: str | None


class Member(TypedDict):
    """Who may borrow."""

    member_id: str
    card: str


BOOKS = Table("books", Book, key="book_id")
MEMBERS = Table("members", Member, key="member_id")


@tool(kind=READ)
def get_book(db: Db[Dialect], book_id: str) -> Book:
    """Look at a book.

    Args:
        book_id: The copy, such as 'b1'.
    """
    book = db[BOOKS].get(book_id)
    if book is None:
        raise ToolError(f"there is no book {book_id!r}")
    return book


@tool(kind=WRITE)
def lend_book(db: Db[Dialect], book_id: str, member_id: str) -> Book:
    """Lend a book to a member.

    Args:
        book_id: The copy, such as 'b1'.
        member_id: Who takes it.
    """
    if get_book(db, book_id=book_id)["lent_to"] is not None:
        raise ToolError(f"book {book_id!r} is lent already")
    changed = db[BOOKS].edit(book_id)
    changed["lent_to"] = member_id
    return db[BOOKS].put(changed)


@tool(kind=WRITE)
def bind_book(db: Db[Dialect], book_id: str) -> str:
    """Have a book bound; this tool has a defect, which one book brings out.

    Args:
        book_id: The copy.
    """
    if book_id == "b9":
        raise RuntimeError("the binder is broken")
    return "It is bound."


def is_lent(db: Db[Dialect], book_id: str) -> bool:
    """Whether a book is lent."""
    return get_book(db, book_id=book_id)["lent_to"] is not None
