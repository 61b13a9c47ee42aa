"""The part of a state that counts: a single post, in the right place, with the right figure."""

import pytest

from env_server.domains.kit import Answer, GoldCall, Task
from env_server.domains.research.projection import figures, tells
from tests.domains.research.desk import listed, played, visit

pytestmark = pytest.mark.anyio
POSTS = ("slack_post_message", "slack_reply_to_thread")


def posting(kind: str) -> list[Task]:
    """Test tasks whose gold makes a post by this tool."""
    return [task for task in listed("test", 250) if kind in {call.name for call in task.gold.actions}]


def post_of(task: Task) -> GoldCall:
    """Gold's post."""
    return next(call for call in task.gold.actions if call.name in POSTS)


async def same(task: Task, *calls: GoldCall) -> bool:
    """Whether the outcome of these calls counts as gold's."""
    return (await played(task, calls)).projected == (await played(task)).projected


def reworded(call: GoldCall, **arguments: str) -> GoldCall:
    """A post with other arguments."""
    return call.model_copy(update={"arguments": {**call.arguments, **arguments}})


def number_tasks(kind: str) -> list[Task]:
    """Tasks with a post and a number as their answer."""
    return [task for task in posting(kind) if task.answer is not None and isinstance(task.answer.value, float)]


@pytest.mark.parametrize("kind", POSTS)
async def test_wording_does_not_count(kind: str) -> None:
    """The figure in other words, and rounded within half a per cent, counts as the same."""
    for task in number_tasks(kind)[:8]:
        assert task.answer is not None
        value = float(str(task.answer.value))
        text = f"Done! I make it {value:,.4f} ({task.answer.unit or 'count'}), all told."
        assert await same(task, reworded(post_of(task), text=text)), task.task_id


@pytest.mark.parametrize("kind", POSTS)
async def test_a_wrong_figure_counts(kind: str) -> None:
    """A post with a wrong figure, or without one, is another outcome."""
    for task in number_tasks(kind)[:8]:
        assert task.answer is not None
        value = float(str(task.answer.value))
        for text in (f"The result is {value * 1.02 + 0.02:.4f}.", "I have found it."):
            assert not await same(task, reworded(post_of(task), text=text)), task.task_id


@pytest.mark.parametrize("kind", POSTS)
async def test_the_place_counts(kind: str) -> None:
    """A post in another channel, in the channel instead of the thread, or none is another outcome."""
    for task in posting(kind)[:8]:
        call = post_of(task)
        text = str(call.arguments["text"])
        elsewhere = GoldCall(name="slack_post_message", arguments={"channel_id": "random", "text": text})
        assert not await same(task, elsewhere)
        assert not await same(task)
        if kind == "slack_reply_to_thread":
            top = GoldCall(name=POSTS[0], arguments={"channel_id": call.arguments["channel_id"], "text": text})
            assert not await same(task, top)


async def test_no_calls_are_no_post() -> None:
    """`same` without calls compares an untouched state with gold's."""
    task = posting(POSTS[0])[0]
    assert visit(task).projected != (await played(task)).projected


async def test_a_second_post_counts() -> None:
    """A second post is another outcome, even if both are right."""
    for task in posting(POSTS[0])[:5] + posting(POSTS[1])[:5]:
        assert not await same(task, post_of(task), post_of(task)), task.task_id


async def test_a_post_that_nobody_asked_for_counts() -> None:
    """If gold posts nothing, any post is another outcome; look-ups and the answer are not."""
    quiet = [task for task in listed("test", 120) if not {call.name for call in task.gold.actions} & set(POSTS)]
    conditions = [task for task in quiet if task.slots["family"] == "act on a condition"]
    assert conditions
    for task in [*quiet[:6], *conditions]:
        assert await same(task, *task.gold.actions[:-1])
        said = GoldCall(name=POSTS[0], arguments={"channel_id": "general", "text": "to the moon"})
        assert not await same(task, said), task.task_id


async def test_the_sandbox_changes_nothing_that_counts() -> None:
    """Calls of Python do not change the outcome."""
    task = posting(POSTS[0])[0]
    code = GoldCall(name="execute_python", arguments={"code": "1 + 1"})
    assert await same(task, code, post_of(task))


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("Revenue was $2.25 billion.", 2251834000.0),
        ("*3.2%* up", 3.2),
        ("it fell 3.21 per cent", -3.2),
        ("12,345 units", 12345.0),
        ("about 4.5m shares", 4500000.0),
    ],
)
def test_a_figure_is_told_in_any_notation(message: str, value: float) -> None:
    """Scales, marks, signs and roundings within half a per cent are understood."""
    assert tells(message, Answer(kind="number", value=value))


@pytest.mark.parametrize(
    ("message", "value"),
    [("Revenue was $2.31 billion.", 2251834000.0), ("see you at ten", 10.5), ("2.25", 2251834000.0), ("", 1.0)],
)
def test_another_figure_is_not_told(message: str, value: float) -> None:
    """A wrong figure, a missing scale or no figure does not tell the answer."""
    assert not tells(message, Answer(kind="number", value=value))


def test_a_list_of_guesses_tells_nothing() -> None:
    """A message with many figures tells none of them."""
    assert not tells(" ".join(map(str, range(100, 140))), Answer(kind="number", value=120.0))
    assert len(figures("1 and 2, 1 again")) == 2


def test_texts_dates_and_orders_are_told() -> None:
    """A name, a date in any form, and tickers in order tell the answer."""
    assert tells("It is Selim Crossley.", Answer(kind="text", value="Selim Crossley"))
    assert tells("That was on March 3, 2025.", Answer(kind="date", value="2025-03-03"))
    assert tells("ORCA, then VLTM", Answer(kind="list", value=("ORCA", "VLTM")))
    assert not tells("VLTM, then ORCA", Answer(kind="list", value=("ORCA", "VLTM")))
