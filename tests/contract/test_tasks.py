"""The tasks of every domain: gold solves them, and less than gold does not."""

import re

import pytest

from env_server.domains.kit import Component, GoldCall
from tests.contract.acts import Trial, all_said, each_domain, stage
from tests.contract.variants import variants

AMOUNT = re.compile(r"\d+(\.\d+)?")
SOLVED = {Component.ACTIONS, Component.COMMUNICATE}
MOST_CALLS = 24
"""Of an episode's 30 default turns, the rest is for talking."""


@each_domain
def test_gold_scores_one(domain: str) -> None:
    """Gold's calls succeed in order, and the reward is 1 with the outputs told."""
    on = stage(domain)
    for task in on.tasks():
        assert on.gold(task).errors == (), task.task_id
        assert on.result(task, task.gold.actions, all_said(task)).reward == 1.0, task.task_id


@each_domain
def test_gold_fits_an_episode(domain: str) -> None:
    """Gold leaves turns to spare, repeats no look-up, has a transfer last, and one message tells all outputs."""
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
    """The basis has the state, and outputs and assertions only if the task has some."""
    for task in stage(domain).tasks():
        assert Component.STATE in task.basis, task.task_id
        assert (Component.COMMUNICATE in task.basis) == bool(task.gold.outputs), task.task_id
        assert (Component.ENV_ASSERTIONS in task.basis) == bool(task.env_assertions), task.task_id


@each_domain
def test_doing_nothing_scores_zero(domain: str) -> None:
    """An agent that makes no call and tells no output scores 0."""
    on = stage(domain)
    for task in on.tasks():
        assert on.result(task, ()).reward == 0.0, task.task_id


@each_domain
def test_telling_without_doing_scores_zero(domain: str) -> None:
    """An agent that tells all outputs but makes no call scores 0: it has to look them up."""
    on = stage(domain)
    for task in on.tasks():
        assert on.result(task, (), all_said(task)).reward == 0.0, task.task_id


@each_domain
def test_transferring_at_once_scores_zero(domain: str) -> None:
    """A transfer without a look-up scores 0: where gold transfers, it looks up first."""
    on = stage(domain)
    for task in on.tasks():
        for name in on.transfers:
            handover = GoldCall(name=name, arguments={"summary": "x"})
            assert on.result(task, [handover]).reward == 0.0, task.task_id


@each_domain
def test_a_dropped_write_scores_zero(domain: str) -> None:
    """Without any one of gold's writes the state is another, though all else is done and told."""
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
    """With another value for any argument of a write, valid or not, the state is another.

    A payment method may be any one only if nothing is paid.
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
    """If something has to be refused or told, gold's writes alone score 0: its look-ups are needed too."""
    on, tried = stage(domain), 0
    for task in on.tasks():
        writes = [call for call in task.gold.actions if on.writes(call)]
        if SOLVED & {*task.basis}:
            assert on.result(task, writes, all_said(task)).reward == 0.0, task.task_id
            tried += 1
    assert tried


@each_domain
def test_each_compared_call_is_needed(domain: str) -> None:
    """If calls are compared, leaving out any one of them scores 0, look-ups included."""
    on = stage(domain)
    for task in (task for task in on.tasks() if Component.ACTIONS in task.basis):
        calls = task.gold.actions
        for i in range(len(calls)):
            reward = on.result(task, [*calls[:i], *calls[i + 1 :]], all_said(task)).reward
            assert reward == 0.0, (task.task_id, calls[i])


@each_domain
def test_an_output_left_unsaid_scores_zero(domain: str) -> None:
    """If any output is not told, the score is 0."""
    on = stage(domain)
    for task in on.tasks():
        for left in all_said(task):
            said = [i for i in all_said(task) if i != left]
            assert on.result(task, task.gold.actions, said).reward == 0.0, task.task_id


@each_domain
def test_a_table_of_all_numbers_says_none_of_them(domain: str) -> None:
    """A message with every value, in any layout, tells none of them."""
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
    """A difference is told with a sign, or with words for its direction."""
    on = stage(domain)
    for task in on.tasks():
        forms = [form.format(o) if AMOUNT.fullmatch(o) else o for o in task.gold.outputs]
        assert on.told(task, f"That makes {' and '.join(forms)}.") == list(all_said(task)), task.task_id
