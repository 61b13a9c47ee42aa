"""The answers of users of every domain to questions about other people."""

from itertools import chain

import pytest

from tests.contract.acts import each_domain, stage
from tests.contract.talking import Talk

TASKS = 60


@each_domain
@pytest.mark.parametrize(
    "question",
    [
        "What is your daughter's date of birth?",
        "Could you tell me the full name and date of birth of the new passenger?",
        "What is the recipient's phone number?",
        "What is your doctor's full name?",
    ],
)
def test_no_fact_of_the_users_own_is_told(domain: str, question: str) -> None:
    """The answer never has the user's own name, birthday or number, whatever the script knows of others."""
    for task in stage(domain).tasks(TASKS):
        assert task.user is not None
        about = " ".join(chain(*(request.details.values() for request in task.user.requests)))
        own = [v for v in task.user.facts.values() if not v.endswith(".") and v not in about]
        answer = Talk(task).hears(question).content
        assert [value for value in own if value in answer] == [], (task.task_id, answer)


@each_domain
def test_persons_in_a_script_are_told(domain: str) -> None:
    """Users who call for a patient tell the patient's name; a patient who calls tells their own."""
    for task in stage(domain).tasks(TASKS):
        assert task.user is not None
        answer = Talk(task).hears("What is the patient's full name?").content
        assert task.user.facts.get("patient", f"My name is {task.user.facts['name']}.") in answer, task.task_id
