"""The tools of every domain: enough of them, all of use, and without side effects where none are meant."""

from collections.abc import Mapping
from functools import partial

from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from env_server.domains.kit import GoldCall, Tool
from env_server.state import State
from tests.contract.acts import Stage, Trial, all_said, each_domain, stage
from tests.contract.calls import likely, possible

LEAST = 14


def writes(tools: Mapping[str, Tool]) -> set[str]:
    """The names of those that may write."""
    return {name for name, tool in tools.items() if tool.kind == "write"}


def used(on: Stage, split: str, side: str) -> set[str]:
    """The tools that gold calls in a split."""
    return {call.name for task in on.listed(split) for call in task.gold.actions if call.requestor == side}


@each_domain
def test_there_are_enough_tools(domain: str) -> None:
    """At least 14, and every one says what it does and what each argument is."""
    pack = stage(domain).pack
    assert len(pack.agent_tools) >= LEAST
    for tool in (*pack.agent_tools.values(), *pack.user_tools.values()):
        assert tool.description, tool.name
        assert all(field.description for field in tool.arguments.model_fields.values()), tool.name


@each_domain
def test_every_write_of_the_agent_is_gold_in_every_split(domain: str) -> None:
    """No tool that changes something is there for nothing."""
    on = stage(domain)
    for split in on.pack.splits:
        assert writes(on.pack.agent_tools) <= used(on, split, "agent"), split


@each_domain
def test_every_write_of_the_user_is_gold_or_does_harm(domain: str) -> None:
    """What no task needs of the user's own tools is a way to go wrong: its use ends in another state than gold's."""
    on = stage(domain)
    for name in writes(on.pack.user_tools) - used(on, "test", "user"):
        find(possible(domain, ("user", name)), partial(spoils, on), settings=settings(database=None))


def spoils(on: Stage, call: GoldCall) -> bool:
    """Whether a call before gold makes some of the first tasks fail."""
    trials = [Trial(on, task).play([call, *task.gold.actions]) for task in on.tasks(10)]
    return any(trial.score(all_said(trial.task)).reward == 0.0 for trial in trials)


@each_domain
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_only_a_write_that_succeeds_changes_the_state(domain: str, data: st.DataObject) -> None:
    """Reads and failed calls of both sides leave the hash as it was, and the hash is always that of the rows."""
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
