"""Names that earlier versions of the kit used."""

import pytest

from env_server.domains import kit


@pytest.mark.parametrize(("earlier", "today"), [("Kind", kit.ToolKind), ("Move", kit.WishKind), ("Part", kit.Wish)])
def test_an_earlier_name_is_todays_class(earlier: str, today: type) -> None:
    """An import of an earlier name works, with a warning that gives the new name."""
    with pytest.warns(DeprecationWarning, match=f"is now {today.__name__}$"):
        assert getattr(kit, earlier) is today


def test_an_unknown_name_is_an_error() -> None:
    """The error for an unknown name is Python's own."""
    name = "Moves"
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(kit, name)
