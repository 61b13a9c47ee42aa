"""The builtin world of every domain is large enough, and stays consistent after any calls.

`tests/audit/test_builtin.py` proves that it is consistent from the start, and the same each time it is made.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from env_server.domains.kit import Db
from env_server.state import Snapshot, State, canonical
from tests.contract.acts import NAMES, Trial, each_domain, stage
from tests.contract.calls import likely

CUSTOMERS = 500
FURTHER = 1000
ENOUGH = 0.4
"""The share of likely calls that must succeed, so that the random calls below reach many states."""


def test_there_are_domains() -> None:
    """Discovery finds domains; without any, the other tests would prove nothing."""
    assert NAMES


@each_domain
def test_the_world_is_large_enough(domain: str) -> None:
    """There are 500 customers, and 1,000 further records beside them."""
    on = stage(domain)
    customers = len(on.generated.opened(on.pack.snapshot).customers)
    assert customers >= CUSTOMERS
    assert sum(len(table.rows) for table in on.pack.snapshot.tables.values()) - customers >= FURTHER


@each_domain
def test_rows_have_the_declared_types(domain: str) -> None:
    """Every row has exactly the declared types: coercion changes nothing, not even 100 to 100.0."""
    for name, table in stage(domain).pack.snapshot.tables.items():
        for key, row in table.rows.items():
            assert canonical(table.table.validate(row)) == canonical(row), (name, key)


@each_domain
def test_a_larger_world_has_more_customers_and_is_as_sound(domain: str) -> None:
    """At twice the scale there are twice the customers, at least as much of everything else, and no fault."""
    pack, generated = stage(domain).pack, stage(domain).generated
    small = pack.snapshot
    large = Snapshot(pack.domain.tables, pack.domain.world(scale=2), coerces=pack.dialect.coerces)
    assert len(generated.world(large).customers) == 2 * len(generated.world(small).customers)
    assert all(len(large.tables[name].rows) >= len(table.rows) for name, table in small.tables.items())
    assert list(pack.domain.invariants(Db(State.at(large), pack.dialect))) == []


@each_domain
def test_nothing_is_wrong_where_a_task_begins_nor_after_its_gold(domain: str) -> None:
    """No task's initial changes, and no gold, break an invariant."""
    on = stage(domain)
    for task in on.tasks()[::12]:
        trial = Trial(on, task)
        assert on.faults(trial.state) == [], task.task_id
        assert on.faults(trial.play(task.gold.actions).state) == [], task.task_id


@each_domain
def test_no_calls_make_a_sound_world_unsound(domain: str) -> None:
    """After any successful calls of both sides no invariant is broken, and the shared base is unchanged."""
    on = stage(domain)

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def walk(data: st.DataObject) -> None:
        state = on.beginning(data.draw(st.sampled_from(on.tasks(60))))
        for call in data.draw(st.lists(likely(domain), min_size=8, max_size=40)):
            on.call(state, call)
        assert on.faults(state) == []

    walk()
    assert on.pack.snapshot.fresh_hash() == on.pack.snapshot.hash


@each_domain
def test_likely_calls_mostly_succeed(domain: str) -> None:
    """Gold's calls mostly succeed in other tasks too, so that the test above does not only play refusals."""
    on = stage(domain)
    task, *others = on.tasks(60)
    calls = [call for other in others for call in other.gold.actions]
    done = [on.call(on.beginning(task), call).fault is None for call in calls]
    assert sum(done) >= ENOUGH * len(done)
