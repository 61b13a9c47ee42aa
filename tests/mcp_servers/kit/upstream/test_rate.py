from mcp_servers.kit.upstream.rate import Bucket, bucket


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minute_lets_so_many_through() -> None:
    """As many calls as the limit go at once; the next waits for its turn, and a later one longer."""
    clock = Clock()
    limit = Bucket(6, clock)
    assert [limit.wait_s() for _ in range(8)] == [0, 0, 0, 0, 0, 0, 10, 20]


def test_time_fills_it_again() -> None:
    """Calls become free as time goes by, but never more than the limit."""
    clock = Clock()
    limit = Bucket(6, clock)
    for _ in range(6):
        limit.wait_s()
    clock.now = 15.0
    assert [limit.wait_s(), limit.wait_s()] == [0, 5]
    clock.now = 1000.0
    assert [limit.wait_s() for _ in range(7)] == [0, 0, 0, 0, 0, 0, 10]


def test_a_call_that_is_not_made_is_given_back() -> None:
    """A call that was given up takes nobody's turn."""
    limit = Bucket(1, Clock())
    assert (limit.wait_s(), limit.wait_s()) == (0, 60)
    limit.give_back()
    assert limit.wait_s() == 60


def test_one_bucket_for_each_key() -> None:
    """Clients with the same key share a limit; another key, another service or no limit has its own or none."""
    one = bucket("a", "key", 5)
    assert one is not None
    assert bucket("a", "key", 5) is one
    assert bucket("a", "other", 5) is not one
    assert bucket("b", "key", 5) is not one
    assert bucket("a", "key", None) is None
