"""Questions to models: they are counted, paid for, and answered from kept answers."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from env_server.models import ModelConfig, Models, ModelUnavailable, Price
from env_server.models.asker import Asker
from env_server.models.token_usage import MemoryLedger
from env_server.records import Store
from env_server.settings import Settings
from tests.standin.protocol import Call, Reply
from tests.standin.server import WORDS, StandIn

Open = Callable[..., Asker]
HI = [{"role": "user", "content": "Hi"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database."""
    return tmp_path / "kept.db"


@pytest.fixture
async def asker(standin: StandIn, path: Path) -> AsyncIterator[Open]:
    """Open a new asker, as a process that was just started on the database does: `asker(scope="user/1")`."""
    opened: list[tuple[Store, Models]] = []

    def fresh(model: str = "m", prices: dict[str, Price] | None = None, **about: Any) -> Asker:
        store = Store.open(f"sqlite:///{path}")
        config = ModelConfig(base_url=standin.url, api_key="k", retries=0, prices=prices or {})
        models = Models(config, MemoryLedger(), store)
        opened.append((store, models))
        return models.asker(model, **about)

    yield fresh
    for store, models in opened:
        await models.close()
        await store.close()


def counting(standin: StandIn) -> None:
    """Have the endpoint say something else each time."""
    standin.program = lambda _asked: f"Answer {len(standin.journal)}."


async def said(asker: Asker, **how: Any) -> str:
    """Ask, keep the answer, and return its words."""
    words = (await asker.ask(HI, **how)).content
    await asker.keep()
    return words


async def test_another_process_recalls(standin: StandIn, asker: Open) -> None:
    """The recalled answer has the same words and calls; it costs nothing and is counted as cached."""
    standin.then(Reply("Let me see.", (Call("look", {"at": 1}),)))
    one, two = asker(), asker()
    first = await one.ask(HI)
    await one.keep()
    assert await two.ask(HI) == first
    assert len(standin.journal) == 1
    assert (one.usage.calls, one.usage.cached) == (1, 0)
    assert (two.usage.calls, two.usage.cached, two.usage.prompt_tokens, two.usage.seconds) == (0, 1, 0, 0.0)


async def test_what_led_to_nothing_is_not_kept(standin: StandIn, asker: Open) -> None:
    """An answer is kept only with the result that it led to: after a try that failed, the question is asked anew."""
    counting(standin)
    failed = asker()
    await failed.ask(HI)
    assert await said(asker()) == "Answer 2."
    assert await said(asker()) == "Answer 2."


async def test_a_failure_is_not_kept(standin: StandIn, asker: Open) -> None:
    """After a failure the endpoint is asked again, and that answer is kept."""
    standin.then(Reply(status=500), "Hi.")
    one = asker()
    with pytest.raises(ModelUnavailable):
        await one.ask(HI)
    await one.keep()
    assert await said(asker()) == "Hi."
    assert await said(asker()) == "Hi."


async def test_askers_with_scopes_of_their_own_get_answers_of_their_own(standin: StandIn, asker: Open) -> None:
    """Trials and members of a group ask the same with the same seed in scopes of their own: each is asked once."""
    counting(standin)
    fresh = [await said(asker(scope=f"user/{trial}")) for trial in range(3)]
    assert fresh == ["Answer 1.", "Answer 2.", "Answer 3."]
    assert [await said(asker(scope=f"user/{trial}")) for trial in (2, 0, 1)] == ["Answer 3.", "Answer 1.", "Answer 2."]


async def test_the_same_question_twice_is_two_questions(standin: StandIn, asker: Open) -> None:
    """An asker that repeats a question gets another answer; a rerun of it gets the same two."""
    counting(standin)
    for _ in range(2):
        again = asker()
        assert [await said(again), await said(again)] == ["Answer 1.", "Answer 2."]
    assert len(standin.journal) == 2


@pytest.mark.parametrize(
    ("about", "how"),
    [
        ({"seed": 1}, {}),
        ({"temperature": 0.5}, {}),
        ({"model": "n"}, {}),
        ({}, {"attempt": 1}),
        ({}, {"tools": [{"type": "function", "function": {"name": "f"}}]}),
        ({}, {"response_format": {"type": "json_object"}}),
    ],
)
async def test_another_question_is_asked(
    about: dict[str, Any], how: dict[str, Any], standin: StandIn, asker: Open
) -> None:
    """Another seed, temperature, model, attempt, set of tools or form is another question."""
    counting(standin)
    assert await said(asker()) == "Answer 1."
    assert await said(asker(**about), **how) == "Answer 2."
    assert await said(asker()) == "Answer 1."


async def test_two_at_once_agree_from_then_on(standin: StandIn, asker: Open) -> None:
    """Two processes that ask the same at once both pay; the answer that was kept first stays."""
    counting(standin)
    one, two = asker(), asker()
    await one.ask(HI)
    await two.ask(HI)
    await two.keep()
    await one.keep()
    assert await said(asker()) == "Answer 2."


async def test_prices(standin: StandIn, asker: Open) -> None:
    """Prices are dollars for a million tokens of each kind; a recalled answer costs 0, and without a price None."""
    standin.program = lambda _asked: Reply("Hi.", tokens=(1_000_000, 500_000))
    prices = {"m": Price(0.4, 1.6)}
    one, two, other = asker(prices=prices), asker(prices=prices), asker("n", prices=prices)
    for each in (one, one, two, other):
        await said(each)
    assert one.usage.cost == pytest.approx(2.4)
    assert (two.usage.cached, two.usage.cost) == (1, 0.0)
    assert other.usage.cost is None


def test_prices_of_the_operator() -> None:
    """The setting has model, price of input and price of output; a mistake in it is an error at the start."""
    settings = Settings.model_validate({"model_prices": "a=0.4/1.6, b=2/8"})
    assert settings.user_models().prices == {"a": Price(0.4, 1.6), "b": Price(2.0, 8.0)}
    with pytest.raises(ValueError, match="MODEL_PRICES"):
        Settings.model_validate({"model_prices": "a:1"}).user_models()


async def test_a_question_with_half_a_character(standin: StandIn, asker: Open) -> None:
    """A message with a lone surrogate is asked, kept and recalled like any other."""
    half: list[dict[str, Any]] = [{"role": "user", "content": "Hi \ud83d"}]
    for _ in range(2):
        one = asker()
        assert (await one.ask(half)).content == WORDS
        await one.keep()
    assert [asked.last for asked in standin.journal] == ["Hi ?"]
