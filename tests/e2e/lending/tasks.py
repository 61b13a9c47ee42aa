"""Who comes to the desk: members with a book to bring back, to borrow, or both."""

from collections.abc import Iterable, Mapping

from env_server.domains.kit import (
    Caller,
    Case,
    GeneratedTasks,
    Known,
    Row,
    Snapshot,
    Template,
    Wish,
    WishKind,
    change,
    read,
    shape,
    wish,
    write,
)


class Village:
    """The base as tasks look things up in it."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`."""
        self.customers: Mapping[str, Row] = base.tables["members"].rows
        self.books: Mapping[str, Row] = base.tables["books"].rows

    def owned(self, customer: Row) -> Iterable[str]:
        """A member's id, name and book."""
        return (customer["member_id"], customer["name"], *self.lent(customer))

    def lent(self, customer: Row) -> list[str]:
        """The ids of the books that a member has."""
        return [key for key, book in self.books.items() if book["lent_to"] == customer["member_id"]]


def bring_back(case: Case[Village]) -> Wish:
    """Bring back a book."""
    book = case.world.books[case.subject]
    request = wish(
        case,
        "bring back a book",
        "return a book",
        "hand in a book",
        details={"title": Known(f"It is {book['title']}.", says=(book["title"],))},
        changes=[
            change(
                f"take back {book['title']}",
                f"{book['title']} has been returned",
                verbs=("take back", "return", "bring back"),
                names=("title",),
                calls=[shape("take_back", book_id=case.subject)],
            )
        ],
    )
    return Wish(
        requests=(request,),
        goal=f"You bring back {book['title']}.",
        writes=(write("take_back", book_id=case.subject),),
        reads=(read("find_book", title=book["title"]),),
        slots={"book": case.subject},
    )


def borrow(case: Case[Village]) -> Wish:
    """Borrow a book that is on the shelf."""
    book = case.world.books[case.subject]
    request = wish(
        case,
        "borrow a book",
        "take out a book",
        "lend a book from you",
        details={"title": Known(f"I want {book['title']}.", says=(book["title"],))},
        changes=[
            change(
                f"lend you {book['title']}",
                f"{book['title']} has been lent to you",
                verbs=("lend", "lent", "borrow", "check out"),
                names=("title",),
                calls=[shape("lend_book", book_id=case.subject)],
            )
        ],
    )
    return Wish(
        requests=(request,),
        goal=f"You want to borrow {book['title']}.",
        writes=(write("lend_book", book_id=case.subject, member_id=case.customer["member_id"]),),
        reads=(read("find_book", title=book["title"]),),
        slots={"book": case.subject},
    )


def caller(case: Case[Village], strict: bool) -> Caller:
    """The member, known by name."""
    name = case.customer["name"]
    return Caller(f"You are {name}.", {"name": name}, (), (read("find_member", name=name),))


BACK = WishKind(bring_back, Village.lent)
BORROW = WishKind(borrow, lambda village, _: [key for key, book in village.books.items() if book["lent_to"] is None])

TASKS = GeneratedTasks(
    domain="lending",
    templates=(
        Template("bring-back", (BACK,)),
        Template("borrow", (BORROW,)),
        Template("swap", (BACK, BORROW)),
    ),
    world=Village,
    case=Case,
    caller=caller,
    rules={1: "bring-back", 2: "borrow"},
    module=__name__,
    splits={"train": 9, "test": 6},
)
