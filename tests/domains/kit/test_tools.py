"""The description that a docstring becomes."""

from typing import Any

from env_server.domains.kit.tools import READ, tool


@tool(kind=READ)
def look(db: Any, name: str) -> str:
    """Look for a name.

    Upper and lower case
    do not matter.

    Args:
        db: The tables.
        name: The name, first and last, as it
            is in the records.
    """
    return name


def test_a_line_break_of_the_source_is_none_of_the_description() -> None:
    """Each paragraph, and each argument's description, is one line, whatever the width of the source."""
    function = look.schema["function"]
    assert function["description"] == "Look for a name.\nUpper and lower case do not matter."
    described = function["parameters"]["properties"]["name"]["description"]
    assert described == "The name, first and last, as it is in the records."
