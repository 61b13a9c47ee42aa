"""A level, or a range of levels, in its one form."""

import pytest
from pydantic import ValidationError

from agent_env_schemas import EASIEST, HARDEST, ResetRequest, levels
from env_server.domains.kit.generate.compose import LEVELS


@pytest.mark.parametrize(
    ("given", "plain", "taken"),
    [(2, 2, [2]), ("2", 2, [2]), ("1-3", "1-3", [1, 2, 3]), ("4-4", 4, [4]), ("1-5", "1-5", [1, 2, 3, 4, 5])],
    ids=repr,
)
def test_one_meaning_has_one_form(given: int | str, plain: int | str, taken: list[int]) -> None:
    """A query has numbers as text; the same request has the same bytes, by which a retry is known."""
    assert list(levels(given)) == taken
    assert ResetRequest.model_validate({"domain": "d", "difficulty": given}).difficulty == plain


@pytest.mark.parametrize(
    "given", [0, 6, -1, "", "0", "1-6", "3-1", "1-", "1-2-3", " 1", "easy", [1, 3], True, 2.0, {}], ids=repr
)
def test_anything_else_is_refused_in_one_sentence(given: object) -> None:
    """The error names the allowed values."""
    with pytest.raises(ValidationError) as refused:
        ResetRequest.model_validate({"domain": "d", "difficulty": given})
    (error,) = refused.value.errors()
    assert error["msg"] == "Value error, give a level from 1 to 5, or a range such as '1-3'"


def test_the_levels_are_those_that_generators_measure() -> None:
    """The generator's bounds make as many levels as the wire knows."""
    assert (1, len(LEVELS) + 1) == (EASIEST, HARDEST)
