"""The tasks of every domain: gold solves them, and nothing less does."""

import re

import pytest

from env_server.domains.kit import Component, GoldCall
from tests.contract.acts import Trial, all_said, each_domain, stage
from tests.contract.variants import variants

AMOUNT = re.compile(r"\d+(\.\d+)?")
SOLVED = {Component.ACTIONS, Component.COMMUNICATE}
MOST_CALLS = 24
"""Of the 30 turns that an episode has by default, some are needed for talking."""


@each_domain
def test_gold_scores_one(domain: str) -> None:
    """Gold's calls succeed, in order, and with the outputs said the reward is 1."""
    on = stage(domain)
    for task in on.tasks():
        assert on.gold(task).errors == (), task.task_id
        assert on.result(task, task.gold.actions, all_said(task)).reward == 1.0, task.task_id


@each_domain
def test_gold_fits_an_episode(domain: str) -> None:
    """There are turns to spare, no look-up is made twice, a transfer comes last, and one message says all outputs."""
    on = stage(domain)
    for task in on.tasks():
        calls = task.gold.actions
        looks = [call.model_dump_json() for call in calls if not on.writes(call)]
        assert len(calls) <= MOST_CALLS, task.task_id
        assert len(set(looks)) == len(looks), task.task_id
        assert not {call.name for call in calls[:-1]} & set(on.transfers), task.task_id
        assert on.told(task, f"Here: {'; '.join(task.gold.outputs)}.") == list(all_said(task)), task.task_id


@each_domain
def test_a_basis_names_what_the_task_has(domain: str) -> None:
    """State always counts; outputs and assertions do where there are any, and not where there are none."""
    for task in stage(domain).tasks():
        assert Component.STATE in task.basis, task.task_id
        assert (Component.COMMUNICATE in task.basis) == bool(task.gold.outputs), task.task_id
        assert (Component.ENV_ASSERTIONS in task.basis) == bool(task.env_assertions), task.task_id


@each_domain
def test_doing_nothing_scores_zero(domain: str) -> None:
    """An agent that only talks, whatever it says short of the outputs, earns nothing."""
    on = stage(domain)
    for task in on.tasks():
        assert on.result(task, ()).reward == 0.0, task.task_id


@each_domain
def test_telling_without_doing_scores_zero(domain: str) -> None:
    """Where nothing has to change, what is told has to be looked up: to guess the outputs is no solution."""
    on = stage(domain)
    for task in on.tasks():
        assert on.result(task, (), all_said(task)).reward == 0.0, task.task_id


@each_domain
def test_transferring_at_once_scores_zero(domain: str) -> None:
    """Handing over without a look is never the answer; where it is, gold looks first."""
    on = stage(domain)
    for task in on.tasks():
        for name in on.transfers:
            handover = GoldCall(name=name, arguments={"summary": "x"})
            assert on.result(task, [handover]).reward == 0.0, task.task_id


@each_domain
def test_a_dropped_write_scores_zero(domain: str) -> None:
    """Each of gold's writes is needed: without it the state is another, though all else is done and said."""
    on, tried = stage(domain), 0
    for task in on.tasks():
        calls = task.gold.actions
        for i in (i for i, call in enumerate(calls) if on.writes(call)):
            reward = on.result(task, [*calls[:i], *calls[i + 1 :]], all_said(task)).reward
            assert reward == 0.0, (task.task_id, calls[i].name)
            tried += 1
    assert tried


@each_domain
def test_an_altered_write_scores_zero(domain: str) -> None:
    """Each argument of gold's writes counts: with another value, valid or not, the state is another.

    A way to pay counts wherever something is paid, and may be any where nothing is.
    """
    on, tried, valid = stage(domain), 0, 0
    counts, idle = set(), []
    for task in on.tasks()[::2]:
        trial, calls = Trial(on, task), task.gold.actions
        for i, call in enumerate(calls):
            for other in variants(domain).of(call) if on.writes(call) else ():
                fork = trial.fork()
                valid += on.call(fork.state.fork(), other).fault is None
                reward = fork.play([other, *calls[i + 1 :]]).score(all_said(task)).reward
                altered = next(
                    (call.name, name) for name in call.arguments if call.arguments[name] != other.arguments[name]
                )
                if reward == 0.0:
                    counts.add(altered)
                else:
                    idle.append((altered, task.task_id, call, other))
                tried += 1
            trial.play([call])
    assert tried > len(on.tasks()) / 2
    assert valid > tried / 10
    assert {altered for altered, *_ in idle} <= counts & {("update_reservation_baggages", "payment_id")}
    assert len(idle) <= tried / 100


@each_domain
def test_the_writes_alone_are_enough_for_plain_changes_only(domain: str) -> None:
    """Where something has to be refused or told, guessing it is no solution: the look-ups behind it are needed too."""
    on, tried = stage(domain), 0
    for task in on.tasks():
        writes = [call for call in task.gold.actions if on.writes(call)]
        if SOLVED & {*task.basis}:
            assert on.result(task, writes, all_said(task)).reward == 0.0, task.task_id
            tried += 1
    assert tried


@each_domain
def test_each_compared_call_is_needed(domain: str) -> None:
    """Where calls are compared, leaving out any one of them, look-ups included, scores 0."""
    on = stage(domain)
    for task in (task for task in on.tasks() if Component.ACTIONS in task.basis):
        calls = task.gold.actions
        for i in range(len(calls)):
            reward = on.result(task, [*calls[:i], *calls[i + 1 :]], all_said(task)).reward
            assert reward == 0.0, (task.task_id, calls[i])


@each_domain
def test_an_output_left_unsaid_scores_zero(domain: str) -> None:
    """Each value that a task asks for has to be told."""
    on = stage(domain)
    for task in on.tasks():
        for left in all_said(task):
            said = [i for i in all_said(task) if i != left]
            assert on.result(task, task.gold.actions, said).reward == 0.0, task.task_id


@each_domain
def test_a_table_of_all_numbers_says_none_of_them(domain: str) -> None:
    """Nobody is told a value by a message that holds every value, however it is laid out."""
    on, tried = stage(domain), 0
    rest = [f"{n / 4:.2f}" for n in range(400)]
    for task in on.tasks():
        amounts = [output for output in task.gold.outputs if AMOUNT.fullmatch(output)]
        for between in ("\n", " ", ", ", " | "):
            said = on.told(task, between.join([*amounts, *rest, *amounts]))
            assert not {task.gold.outputs[i] for i in said} & set(amounts), task.task_id
        tried += len(amounts)
    assert tried


@each_domain
@pytest.mark.parametrize("form", ["-${}", "$-{}", "\u2212${}", "+{}", "USD{}", "USD -{}", "{} USD", "${} less"])
def test_an_amount_may_carry_its_sign(domain: str, form: str) -> None:
    """A difference is told whether its direction is given by a sign or by words."""
    on = stage(domain)
    for task in on.tasks():
        forms = [form.format(o) if AMOUNT.fullmatch(o) else o for o in task.gold.outputs]
        assert on.told(task, f"That makes {' and '.join(forms)}.") == list(all_said(task)), task.task_id
