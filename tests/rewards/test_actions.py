"""The gold calls that a call matches."""

from env_server.domains.kit import Dialect, GoldCall
from env_server.rewards import match_call

STRICT = Dialect()
LOOSE = Dialect(called_arguments_match=True)
GOLD = (GoldCall(name="look", arguments={"id": "1"}), GoldCall(name="look", arguments={"id": "1"}))


def test_a_call_matches_one_gold_call() -> None:
    """One call matches only one of two equal gold calls."""
    assert match_call(GOLD, "look", {"id": "1"}, STRICT) == [0]
    assert match_call(GOLD, "look", {"id": "1"}, STRICT, already=[0]) == [1]
    assert match_call(GOLD, "look", {"id": "1"}, STRICT, already=[0, 1]) == []


def test_all_gold_arguments_must_agree() -> None:
    """A missing or different value does not match; an additional argument does not matter."""
    assert match_call(GOLD, "look", {}, STRICT) == []
    assert match_call(GOLD, "look", {"id": "2"}, STRICT) == []
    assert match_call(GOLD, "look", {"id": "1", "note": "x"}, STRICT) == [0]
    assert match_call(GOLD, "other", {"id": "1"}, STRICT) == []


def test_compare_names_the_arguments_that_count() -> None:
    """An empty `compare` compares only the name."""
    gold = (GoldCall(name="hand_over", arguments={"summary": "x"}, compare=()),)
    assert match_call(gold, "hand_over", {"summary": "y"}, STRICT) == [0]


def test_the_other_side_does_not_count() -> None:
    """A user's call does not match gold of the agent."""
    assert match_call(GOLD, "look", {"id": "1"}, STRICT, requestor="user") == []


def test_the_public_benchmark_compares_what_was_passed() -> None:
    """The public benchmark compares only passed arguments: a call without any matches every gold call of its name."""
    assert match_call(GOLD, "look", {}, LOOSE) == [0, 1]
    assert match_call(GOLD, "look", {"id": "2"}, LOOSE) == []
    assert match_call(GOLD, "look", {"id": "1"}, LOOSE, requestor="user") == [0, 1]
