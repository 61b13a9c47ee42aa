"""The subjects of wishes, and twins of tasks."""

from collections.abc import Iterator
from typing import Any

from env_server.domains.kit import Known, Row, Spot, Wish, WishKind, about, about_caller, handover, texts, twins

WORLD: Any = None
USER = {"orders": {"o1": 5, "o2": 50}}


def spots(world: Any, user: Row) -> Iterator[tuple[str, Spot[Any]]]:
    """The user's orders."""
    return ((key, Spot(world, user, {"total": total})) for key, total in user["orders"].items())


def never(case: Any) -> Wish:
    """Raise an error: this wish is not filled in here."""
    raise AssertionError(case)


def dear(at: Spot[Any]) -> bool:
    """Whether an order is expensive."""
    return bool(at.row["total"] > 10)


def test_a_wish_is_about_the_rows_that_pass_all_tests() -> None:
    """Without a test every row fits; a caller without a fitting row cannot have the wish."""
    assert tuple(about(spots, never).subjects(WORLD, USER)) == ("o1", "o2")
    assert tuple(about(spots, never, dear).subjects(WORLD, USER)) == ("o2",)
    assert tuple(about(spots, never, dear, lambda _: False).subjects(WORLD, USER)) == ()


def test_a_wish_about_no_row_fits_a_caller_or_does_not() -> None:
    """A wish about no row has one subject without a name and without a row."""
    assert tuple(about_caller(Spot, never).subjects(WORLD, USER)) == ("",)
    assert tuple(about_caller(Spot, never, lambda at: not at.row).subjects(WORLD, USER)) == ("",)
    assert tuple(about_caller(Spot, never, lambda at: "o3" in at.user["orders"]).subjects(WORLD, USER)) == ()


def test_twins_share_their_moves() -> None:
    """The twin has the same wishes, but is due, and its name says that it is a twin."""
    refused, due = twins("late", WishKind(never), chain=True)
    assert (refused.name, refused.due, due.name, due.due) == ("late", False, "late-due", True)
    assert (refused.kinds, refused.chain) == (due.kinds, due.chain)


def test_answers_and_transfers_are_plain() -> None:
    """A detail is its text, and the summary of a transfer is not compared."""
    assert texts({"order": Known("It is o1.", says=("o1",)), "reason": "Just so."}) == {
        "order": "It is o1.",
        "reason": "Just so.",
    }
    (call,) = handover("The order is lost.")
    assert (call.name, call.compare) == ("transfer_to_human_agents", ())
