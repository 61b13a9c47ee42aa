"""Limits of arguments: the size of numbers in any call, and the length of text in a call that writes."""

from typing import Any

import pytest

from env_server.domains.kit import READ, WRITE, Db, Tool, tool
from env_server.tools.arguments import LONGEST_TEXT, MOST_ENTRIES, ArgumentError, bind

TOO_LONG = "x" * (LONGEST_TEXT + 1)
TOO_MANY = ["x"] * (MOST_ENTRIES + 1)


@tool(kind=WRITE)
def keep(  # noqa: D417  # the database is no argument of the model's
    db: Db[Any],
    text: str = "",
    count: int = 0,
    share: float = 0.0,
    counts: dict[str, int] | None = None,
    records: list[dict[str, Any]] | None = None,
    anything: Any = None,
) -> str:
    """Keep all sorts of values.

    Args:
        text: A text.
        count: A count.
        share: A share.
        counts: Counts by name.
        records: Records.
        anything: Anything.
    """
    return ""


@tool(kind=READ)
def look(db: Db[Any], text: str, counts: list[int]) -> str:  # noqa: D417 -- `db` is not the model's to give
    """Look something up.

    Args:
        text: A text.
        counts: Counts.
    """
    return ""


def bound(to: Tool, **given: Any) -> dict[str, Any]:
    """The arguments as a dialect that checks types binds them."""
    return bind(to, given, aliases=True, types=True)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"count": "9" * 25}, "count"),
        ({"count": 10**25}, "count"),
        ({"count": -(2**63) - 1}, "count"),
        ({"share": "inf"}, "share"),
        ({"share": "-1e999"}, "share"),
        ({"share": float("nan")}, "share"),
        ({"counts": {"a": 1, "b": "9" * 400}}, "counts.b"),
        ({"records": [{}, {"a": [0, 10**25]}]}, "records.1.a.1"),
        ({"anything": {"a": float("inf")}}, "anything.a"),
    ],
)
def test_numbers_must_fit_json(given: dict[str, Any], where: str) -> None:
    """Numbers over 64 bits, NaN and infinities are refused by name, at any depth and in any notation."""
    with pytest.raises(ArgumentError, match=f"argument '{where}' is "):
        bound(keep, **given)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"text": TOO_LONG}, "text"),
        ({"counts": {TOO_LONG: 1}}, "counts"),
        ({"counts": dict.fromkeys(map(str, range(MOST_ENTRIES + 1)), 1)}, "counts"),
        ({"records": [{}] * (MOST_ENTRIES + 1)}, "records"),
        ({"records": [{"a": TOO_LONG}]}, "records.0.a"),
        ({"anything": [[TOO_MANY]]}, "anything.0.0"),
    ],
)
def test_what_is_written_is_short(given: dict[str, Any], where: str) -> None:
    """Texts and lists for a tool that writes have a limit, which the message names."""
    with pytest.raises(
        ArgumentError, match=f"'{where}' has ({LONGEST_TEXT + 1} characters|{MOST_ENTRIES + 1} entries)"
    ):
        bound(keep, **given)


def test_what_is_within_the_limits_is_bound() -> None:
    """The longest text, the fullest list and the largest numbers are accepted unchanged."""
    given = {
        "text": TOO_LONG[1:],
        "count": 2**64 - 1,
        "share": 1e308,
        "counts": {TOO_LONG[1:]: -(2**63)},
        "records": [{"a": TOO_MANY[1:]}] * MOST_ENTRIES,
        "anything": True,
    }
    assert bound(keep, **given) == given
    assert bound(keep, text="a") == {"text": "a"}


def test_a_read_may_be_long_but_not_endless() -> None:
    """A tool that only reads stores nothing: its texts have no limit here, but its numbers have."""
    given = {"text": TOO_LONG, "counts": [1] * (MOST_ENTRIES + 1)}
    assert bound(look, **given) == given
    with pytest.raises(ArgumentError, match=r"'counts\.0' is an integer of more than 64 bits"):
        bound(look, text="", counts=["9" * 25])


def test_where_types_are_not_checked_nothing_is() -> None:
    """The public benchmarks' rules accept any value under the right name."""
    given = {"text": TOO_LONG, "count": "9" * 25}
    assert bind(keep, given, aliases=False, types=False) == given
