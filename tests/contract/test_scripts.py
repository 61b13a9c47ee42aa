"""The scripts of every domain's tasks, compared with gold: what users know, agree to and wait for."""

from env_server.domains.kit import GoldCall, Task, WantedChange
from env_server.reading import Words, read
from tests.contract.acts import each_domain, stage


def changes(task: Task) -> list[WantedChange]:
    """The changes that a task's user wishes."""
    requests = task.user.requests if task.user is not None else ()
    return [change for request in requests for change in request.changes]


def covered(task: Task, call: GoldCall) -> bool:
    """Whether a change that the user wishes covers a call of gold."""
    shapes = [shape for change in changes(task) for shape in change.calls if shape.name == call.name]
    return any(all(call.arguments.get(k) == v for k, v in shape.arguments.items()) for shape in shapes)


@each_domain
def test_every_write_of_gold_is_one_that_the_user_agrees_to(domain: str) -> None:
    """The user could agree to every write of gold by the agent."""
    on = stage(domain)
    for task in on.tasks():
        for call in task.gold.actions:
            if on.writes(call) and call.requestor == "agent":
                assert covered(task, call), (task.task_id, task.template, call)


@each_domain
def test_a_plan_names_what_a_proposal_has_to(domain: str) -> None:
    """The words of each change, as a proposal, are read as one and name every required topic."""
    for task in stage(domain).tasks():
        assert task.user is not None
        for request in task.user.requests:
            values = request.known(revised=True)
            for change in request.changes:
                words = Words(f"I will {change.plan}. Shall I go ahead?")
                assert set(change.names) <= set(values), (task.template, change.names)
                for topic in change.names:
                    assert words.names(values[topic].says), (task.task_id, task.template, topic, change.plan)
                assert read(words.text).consent


@each_domain
def test_a_detail_names_its_own_value(domain: str) -> None:
    """The user's detail about a topic has a form of the value that they recognise in a proposal."""
    for task in stage(domain).tasks():
        assert task.user is not None
        for request in task.user.requests:
            for topic, value in request.values.items():
                said = Words(request.details[topic])
                assert said.names(value.says), (task.task_id, task.template, topic, request.details[topic], value.says)


@each_domain
def test_what_has_to_be_told_can_be_said(domain: str) -> None:
    """The words of each due have the value and what it is of, or the deciding fact, and no other value in its place."""
    for task in stage(domain).tasks():
        for due in task.dues:
            words = Words(due.says)
            if due.value is not None:
                assert words.name(due.value), (task.template, due)
                assert words.names(due.about), (task.template, due)
            elif due.because is not None:
                assert words.names(due.because.says), (task.template, due)
                assert not any(words.name(other) for other in due.because.others), (task.template, due)


@each_domain
def test_users_do_not_say_what_has_to_be_found_out(domain: str) -> None:
    """No text that the user may say has a value that the agent must tell."""
    for task in stage(domain).tasks():
        for text in task.spoken():
            words = Words(text)
            assert not [value for value in task.gold.outputs if words.name(value)], (task.task_id, text)
