"""The progress of an episode in the plan of its row."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.providers.spec import FailureKind
from env_server.rewards.sample_progress import MOST_VALUES, NO_GAIN, Gain, SampleProgress, is_named, result_of
from env_server.tools import CallOutcome, Fault
from tests.rewards.samples import QUOTE, SAMPLE, SEND, outcome, quote, tool


def test_a_call_gives_what_its_step_wants() -> None:
    """A call extracts, computes and chooses the values of its step, checks conditions, and counts as the right tool."""
    progress = SampleProgress()
    assert progress.note(SAMPLE, quote()) == Gain(2, True, True)
    assert progress.facts == {"price": 4.0, "name": "Anna", "double": 8.0, "half": 2.0, "step1.who.name": "Anna"}
    assert progress.filled({"text": "${step1.who.name}: ${price}"}) == {"text": "Anna: 4.0"}
    assert (progress.success, progress.accepted) == (True, [1])


def test_nothing_counts_twice() -> None:
    """A repeated call is the next step of that tool, and after the last one none."""
    progress = SampleProgress()
    gains = [progress.note(SAMPLE, quote()) for _ in range(4)]
    assert gains == [Gain(2, True, True), Gain(1, True), NO_GAIN, NO_GAIN]


def test_values_count_although_conditions_do_not_hold_yet() -> None:
    """Each value counts once, even if the step stays open because its conditions do not hold."""
    progress = SampleProgress()
    assert progress.note(SAMPLE, quote(price=1.0)) == Gain(2, False, True)
    assert progress.note(SAMPLE, quote(price=1.0)) == NO_GAIN
    assert progress.note(SAMPLE, quote(price=9.0)) == Gain(0, True)


def test_arguments_tell_steps_of_one_tool_apart() -> None:
    """A call with exactly the arguments of a later step is that step."""
    progress = SampleProgress()
    progress.note(SAMPLE, quote("B"))
    assert progress.accepted == [2]
    progress.note(SAMPLE, quote("A"))
    assert progress.accepted == [2, 1]


@pytest.mark.parametrize("fault", list(Fault))
def test_a_failed_call_gives_nothing(fault: Fault) -> None:
    """A failed call is no success, but counts for the limits."""
    progress = SampleProgress()
    failure = FailureKind.UNAVAILABLE if fault is Fault.OUTAGE else None
    assert progress.note(SAMPLE, outcome(QUOTE, {"price": 5}, fault, failure)) == NO_GAIN
    assert (progress.success, progress.calls, progress.servers, progress.facts) == (False, 1, ["market"], {})


def test_limits_are_said_before_a_call() -> None:
    """One server and four calls are allowed; tools of no server are not counted."""
    progress = SampleProgress()
    assert progress.over(SAMPLE, SEND) is None
    progress.note(SAMPLE, quote())
    assert progress.over(SAMPLE, SEND) == "tools of 1 servers were called"
    assert progress.over(SAMPLE, QUOTE) is None
    for _ in range(3):
        progress.note(SAMPLE, quote())
    assert progress.over(SAMPLE, QUOTE) == "4 calls were made, and no more are allowed"
    assert progress.over(SAMPLE, None) is None


def test_a_step_that_shows_nothing_is_not_accepted() -> None:
    """A step without conditions needs one of its values."""
    progress = SampleProgress()
    assert progress.note(SAMPLE, outcome(QUOTE, {"other": 1}, ticker="B")) == Gain(0, False, True)
    assert progress.accepted == []


@pytest.mark.parametrize(
    ("name", "is_it"),
    [("market", True), ("quote", True), ("market.quote", True), ("market__quote", True), ("post.quote", False)],
)
def test_a_tool_is_named_by_itself_or_its_server(name: str, is_it: bool) -> None:
    """Rows may name the required tool alone or with its server."""
    assert is_named(name, QUOTE) is is_it
    assert not is_named(name, tool("post", "send"))


def test_a_result_is_taken_out_of_its_wrapping() -> None:
    """A result is structure or text with JSON, also within `data` and `result`; other text stays text."""
    assert result_of(outcome(QUOTE, {"ok": True, "data": {"a": 1}})) == {"a": 1}
    assert result_of(outcome(QUOTE, {"result": {"a": 1}})) == {"a": 1}
    assert result_of(outcome(QUOTE, {"result": [1]})) == {"result": [1]}
    assert result_of(CallOutcome("quote", {}, '{"a": 1}', None, QUOTE)) == {"a": 1}
    assert result_of(CallOutcome("quote", {}, "plain", None, QUOTE)) == "plain"


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text(max_size=5) | st.integers() | st.just("x" * 20_000))))
def test_the_progress_is_small_plain_data(calls: list[tuple[str, object]]) -> None:
    """The progress can be stored as JSON, and no result makes it large."""
    progress = SampleProgress()
    for ticker, price in calls:
        made = SampleProgress.load(orjson.loads(orjson.dumps(progress.dump())))
        assert made == progress
        progress.note(SAMPLE, outcome(QUOTE, {"price": price}, ticker=ticker))
        progress.calls = 0
    assert len(orjson.dumps(progress.dump())) < MOST_VALUES + 1_000


def test_loading_leaves_the_data_alone() -> None:
    """A later call does not change the progress that an earlier turn stored."""
    progress = SampleProgress()
    progress.note(SAMPLE, quote(price=1.0))
    kept = progress.dump()
    before = orjson.dumps(kept)
    SampleProgress.load(kept).note(SAMPLE, quote("B"))
    assert orjson.dumps(kept) == before


def test_a_step_names_the_server_of_its_tool() -> None:
    """A tool of the same name on another server does not match."""
    progress = SampleProgress()
    assert progress.note(SAMPLE, outcome(tool("other", "quote"), {"price": 4.0}, ticker="A")) == NO_GAIN
    assert progress.accepted == []
