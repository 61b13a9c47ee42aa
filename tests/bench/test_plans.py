import json

import pytest

from env_server.bench import BenchError
from env_server.bench.plans import SessionPlan, load_pack, make_plans, padded, typical_text
from env_server.domains.discovery import domains
from env_server.domains.pack import Pack
from env_server.state import Db, State
from env_server.tools import Toolset

ROWS = sorted(name for name, domain in domains().items() if not domain.servers)
"""The domains whose tools are functions on rows."""


@pytest.fixture(scope="module", params=ROWS)
def pack(request: pytest.FixtureRequest) -> Pack:
    """Each domain's generated pack."""
    return load_pack(request.param)


def faults(pack: Pack, plan: SessionPlan) -> list[str | None]:
    """Play a plan on a fresh state and return each call's fault."""
    db = Db(State.at(pack.snapshot, pack.task_at("train", plan.index).changes()), pack.dialect)
    side = Toolset(pack.agent_tools, pack.dialect)
    calls = [json.loads(turn.action)["tool_calls"][0] for turn in plan.turns]
    return [side.call(db, call["name"], call["arguments"]).fault for call in calls]


def test_padded_plans_go_as_announced(pack: Pack) -> None:
    """A plan that is lengthened or cut has the asked number of turns, and each call has the announced outcome."""
    for length in (1, 3, 10):
        for plan in padded(make_plans(pack, 40), length):
            assert len(plan.turns) == length
            assert faults(pack, plan) == [turn.fault for turn in plan.turns]


def test_plans_write(pack: Pack) -> None:
    """A tenth of the steps at least may change state, and so do most plans."""
    plans = make_plans(pack, 80)
    turns = [turn for plan in plans for turn in plan.turns]
    assert sum(turn.writes for turn in turns) >= len(turns) / 10
    assert sum(any(turn.writes for turn in plan.turns) for plan in plans) > len(plans) / 2


def test_the_typical_text_is_an_observation(pack: Pack) -> None:
    """The text of the echo is a real tool's answer."""
    plans = make_plans(pack, 10)
    assert typical_text(plans) in {turn.text for plan in plans for turn in plan.turns}


def test_research_is_planned_by_its_servers() -> None:
    """The plan has look-ups of the sealed servers, which succeed, and no answer, because that ends the episode."""
    plans = make_plans(load_pack("research"), 5)
    assert all(turn.fault is None and turn.text for plan in plans for turn in plan.turns)
    assert "submit_answer" not in {turn.action.split('"')[5] for plan in plans for turn in plan.turns}


def test_an_unknown_domain_is_named() -> None:
    """A misspelt domain is an error that lists the domains."""
    with pytest.raises(BenchError, match=f"'nowhere'.*{next(iter(domains()))}"):
        load_pack("nowhere")
