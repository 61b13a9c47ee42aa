"""Values in texts and results."""

from typing import Any

import pytest

from trainer_client.dataset.generate.figures import normalised, stands_in, written


@pytest.mark.parametrize(
    ("value", "text", "structured", "there"),
    [
        (138.3, "closed at 138.30", (), True),
        (1667635, "volume 1,667,635", (), True),
        (138.3, "", [{"bars": [{"close": 138.301}]}], True),
        (38.3, "closed at 138.3", (), False),
        (-2.5, "fell by \\u22122.5 %", (), True),
        (5, "on 2025-03-15", (), False),
        ("ORCA", "What of orca?", (), True),
        ("ORCA", "orcas", (), False),
        ("beats", "", [{"title": "ORCA beats forecasts"}], True),
        (["ORCA", "HLVD"], "HLVD and ORCA", (), True),
        (["ORCA", "HLVD"], "HLVD alone", (), False),
    ],
)
def test_a_value_is_found_in_any_notation(value: Any, text: str, structured: Any, there: bool) -> None:
    """Numbers with at least their decimals, texts as whole words, lists entry by entry."""
    assert stands_in(value, text.encode().decode("unicode_escape"), structured) is there


def test_instructions_and_numbers_have_one_form() -> None:
    """Case and punctuation do not change an instruction; a number has no exponent and no needless zeros."""
    assert normalised("What, of ORCA?") == normalised("what of orca")
    assert normalised("Above 1.5?") != normalised("Above 15?")
    assert (written(138.0), written(1e16), written(1e-5), written(2)) == ("138", "10000000000000000", "0.00001", "2")
