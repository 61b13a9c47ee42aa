"""The tools of every domain: their number, their use, and no unintended side effects."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, cast

from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from env_server.domains.kit import GoldCall
from env_server.state import State
from env_server.tools.arguments import LONGEST_TEXT
from env_server.tools.dispatch import Fault
from tests.contract.acts import Stage, Trial, all_said, each_domain, stage, writes
from tests.contract.calls import likely, possible

LEAST = 14
TOO_LONG = "1" * (LONGEST_TEXT + 1)


@each_domain
def test_there_are_enough_tools(domain: str) -> None:
    """There are at least 14 tools, and each describes itself and its arguments."""
    pack = stage(domain).pack
    assert len(pack.agent_tools) >= LEAST
    for tool in (*pack.local_tools.values(), *pack.user_tools.values()):
        assert tool.description, tool.name
        assert all(field.description for field in tool.arguments.model_fields.values()), tool.name


@each_domain
def test_every_write_of_the_user_is_gold_or_does_harm(domain: str) -> None:
    """If no task needs a write of the user's own tools, its use ends in another state than gold's."""
    on = stage(domain)
    for name in writes(on.pack.user_tools) - on.used("test", "user"):
        find(possible(domain, ("user", name)), partial(spoils, on), settings=settings(database=None))


def spoils(on: Stage, call: GoldCall) -> bool:
    """Whether a call before gold makes some of the first tasks fail."""
    trials = [Trial(on, task).play([call, *task.gold.actions]) for task in on.tasks(10)]
    return any(trial.score(all_said(trial.task)).reward == 0.0 for trial in trials)


@each_domain
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_only_a_write_that_succeeds_changes_the_state(domain: str, data: st.DataObject) -> None:
    """Reads and failed calls of both sides leave the hash unchanged, and the hash is always that of the rows."""
    on = stage(domain)
    task = data.draw(st.sampled_from(on.tasks(40)))
    state = on.beginning(task)
    any_call = possible(domain) | likely(domain) | st.sampled_from(task.gold.actions)
    for call in data.draw(st.lists(any_call, max_size=6)):
        before = state.hash
        outcome = on.call(state, call)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert state.hash == before, call
    again = State.at(on.pack.snapshot, [*task.changes(), *state.take_changes()])
    assert again.hash == state.hash


@each_domain
def test_no_write_takes_a_long_text(domain: str) -> None:
    """If any text of a writing call is longer than the limit, at any depth, the call is refused for that."""
    on = stage(domain)
    state = on.beginning(on.tasks(1)[0])
    golds: dict[tuple[str, str], GoldCall] = {
        (call.requestor, call.name): call for task in on.listed("test") for call in task.gold.actions
    }
    for side, tools in (("agent", on.pack.local_tools), ("user", on.pack.user_tools)):
        for name in writes(tools):
            known = golds[side, name].arguments if (side, name) in golds else {}
            named = {key: TOO_LONG for key, kind in tools[name].arguments.model_fields.items() if takes_text(kind)}
            for arguments in (*lengthened(dict(known)), *({**known, key: text} for key, text in named.items())):
                call = GoldCall.model_validate({"name": name, "arguments": arguments, "requestor": side})
                assert on.call(state, call).fault is Fault.BAD_ARGUMENTS, call


def takes_text(field: FieldInfo) -> bool:
    """Whether an argument may be any text."""
    try:
        TypeAdapter[Any](cast(Any, field.annotation)).validate_python(TOO_LONG)
    except ValidationError:
        return False
    return True


def lengthened(value: Any) -> Iterator[Any]:
    """Copies of a call's arguments, each with one of its texts made too long."""
    if isinstance(value, str):
        yield TOO_LONG
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from ({**value, key: longer} for longer in lengthened(inner))
    elif isinstance(value, (list, tuple)):
        for at, inner in enumerate(value):
            yield from ([*value[:at], longer, *value[at + 1 :]] for longer in lengthened(inner))
