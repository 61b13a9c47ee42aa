import re

from hypothesis import given
from hypothesis import strategies as st

from mcp_servers.kit.pages import ROOM, fitting, page
from mcp_servers.kit.text import CLOSING, RESULT, abridge

ROWS = st.lists(st.integers(1, 3_000).map(lambda size: "x" * size), min_size=1, max_size=200)


def test_a_page_that_has_room() -> None:
    """All rows are shown below their head, and then the cursor of the next page if there is one."""
    assert page(["a", "b"], head="name") == "name\na\nb"
    assert page(["a"], "c1") == "a\nThere is more: pass cursor='c1' for the next page."


def test_a_page_without_room_has_no_cursor() -> None:
    """A cursor would lead past what is not shown, so the text says which size of pages shows all."""
    rows = [f"row {number} {'x' * 100}" for number in range(1_000)]
    said = page(rows, "c1", head="name", size="count")
    shown = fitting(rows, ROOM - len("name") - len("c1"))
    assert said.startswith("name\nrow 0 x")
    assert f"the first {shown} of the 1,000 rows" in said
    assert f"begin again with count={shown}, " in said
    assert "c1" not in said
    assert page(rows[:shown], "c1", head="name").endswith("pass cursor='c1' for the next page.")


@given(ROWS, st.booleans(), st.none() | st.text("abc", max_size=500))
def test_rows_are_whole(rows: list[str], mark: bool, cursor: str | None) -> None:
    """No row is cut, the text of a page is short enough to be left as it is, and outside text stays in its marks."""
    said = page(rows, cursor, mark=mark)
    assert abridge(said) == said
    assert len(said) <= RESULT
    body = said.partition(CLOSING)[0] if mark else said
    shown = [line for line in body.split("\n") if re.fullmatch("x+", line)]
    assert shown == rows[: len(shown)]
    assert len(shown) == len(rows) or "begin again with limit=" in said


def test_a_row_that_is_alone_is_shown() -> None:
    """A row that is too long for a page is shown all the same."""
    assert fitting(["x" * (ROOM + 1), "y"]) == 1
