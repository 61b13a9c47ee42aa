"""Members, and single copies of books."""

from typing_extensions import TypedDict

from env_server.domains.kit import Index, Table


class Member(TypedDict):
    """Somebody with a library card."""

    member_id: str
    name: str


class Book(TypedDict):
    """One copy, and the id of the member who has it."""

    book_id: str
    title: str
    lent_to: str | None


MEMBERS = Table("members", Member, key="member_id", indexes=(Index("name", lambda row: (row["name"].lower(),)),))
BOOKS = Table("books", Book, key="book_id", indexes=(Index("title", lambda row: (row["title"].lower(),)),))
TABLES = (MEMBERS, BOOKS)
