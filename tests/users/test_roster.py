"""The strategies by name, and the users that have no words of their own."""

import re
from pathlib import Path

import pytest

from agent_env_schemas import UserSpec, UserStrategy
from env_server.domains.kit import Request
from env_server.users import UserRefused, Users
from env_server.users.strategies import __path__ as folder
from env_server.users.strategies import strategies
from tests.users.talks import NO_TOOLS, task_of

CANCEL = Request(ask="I'd like to cancel an order.", details={"order": "It is order #W1234567."})


def test_each_strategy_of_the_wire_is_one_module() -> None:
    """The modules are in the order of the wire contract, and each file has its strategy's name."""
    assert list(strategies()) == [one.value for one in UserStrategy]
    assert {path.stem for path in Path(folder[0]).glob("*.py")} - {"__init__"} == set(strategies())


def test_who_is_asked_over_the_network() -> None:
    """Models are asked over the network; only `external` awaits a message, and only `scripted` follows rules."""
    users = Users()
    made = {name: users.of(task_of(CANCEL), UserSpec(strategy=name, model="m")) for name in users.names}
    models = {"llm", "react", "verify", "reflection"}
    assert {name for name, user in made.items() if user.remote} == models
    assert {name for name, one in strategies().items() if one.asks_model} == models
    assert {name for name, user in made.items() if user.awaits} == {"external"}
    assert {name for name, one in strategies().items() if one.by_rules} == {"scripted"}
    assert all(user.name == name for name, user in made.items())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (UserSpec(strategy="scripted"), "task 't' has no script for a scripted user; use 'external', 'none' or a"),
        (UserSpec(strategy="none", first_message="Hi."), "user.first_message belongs to an external user"),
        (UserSpec(strategy="external", temperature=0), "user.temperature belongs to a language model"),
    ],
)
def test_a_user_that_cannot_play_is_refused(spec: UserSpec, words: str) -> None:
    """The strategy is refused before an episode begins, with a hint what to do."""
    users, task = Users(), task_of(CANCEL).model_copy(update={"user": None, "task_id": "t"})
    with pytest.raises(UserRefused, match=re.escape(words)):
        users.check(users.of(task, spec), task, spec)


@pytest.mark.parametrize("name", ["external", "none"])
async def test_users_without_words(name: str) -> None:
    """Asking such a user for a message is an error of the caller, with the user's name."""
    user = Users().of(task_of(CANCEL), UserSpec(strategy=name))
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.first(task_of(CANCEL), 0)
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.reply(task_of(CANCEL), 0, {}, "Hello", NO_TOOLS)
