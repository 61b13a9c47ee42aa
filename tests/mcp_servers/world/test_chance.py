"""Random streams."""

from mcp_servers.world.chance import Deck, Stream


def test_a_stream_is_its_subjects() -> None:
    """The same subject gives the same numbers; another subject or seed gives others."""
    numbers = [[Stream(*subject).random() for _ in range(3)] for subject in ((0, "a"), (0, "a"), (0, "b"), (1, "a"))]
    assert numbers[0] == numbers[1]
    assert len({tuple(each) for each in numbers}) == 3


def test_numbers_stay_as_they_are() -> None:
    """The first numbers of a stream are fixed: a change would make another world."""
    stream = Stream(0, "fixed")
    assert [stream.whole(1, 1000) for _ in range(4)] == [917, 290, 154, 522]


def test_ranges_hold() -> None:
    """Whole numbers reach both ends and nothing beyond, and normal numbers are centred."""
    stream = Stream(0, "ranges")
    assert {stream.whole(1, 6) for _ in range(300)} == {1, 2, 3, 4, 5, 6}
    normal = [stream.normal() for _ in range(4000)]
    assert abs(sum(normal) / 4000) < 0.06
    assert abs(sum(each * each for each in normal) / 4000 - 1.0) < 0.06


def test_some_are_different_ones() -> None:
    """A choice of several items repeats none, and has all items if more are asked for."""
    stream = Stream(0, "some")
    assert len(set(stream.some("abcdef", 4))) == 4
    assert sorted(stream.some("abc", 9)) == ["a", "b", "c"]


def test_a_deck_deals_everything_before_it_repeats() -> None:
    """Of three items, any three deals in a row from the start are different."""
    deck, items = Deck(Stream(0, "deck")), ("x", "y", "z")
    dealt = [deck.deal(items) for _ in range(6)]
    assert sorted(dealt[:3]) == sorted(dealt[3:]) == ["x", "y", "z"]
