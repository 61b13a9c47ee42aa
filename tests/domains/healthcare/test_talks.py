"""The scripted caller in conversations with a careful agent."""

import pytest

from agent_env_schemas import USER_STOP as STOP
from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.kit import Request, WantedChange
from tests.domains.made import pack
from tests.users.talks import Talk

WHO = (
    "To find the record, please give me the patient's full name and date of birth, and the phone number or zip code"
    " on file. If you call for somebody else, please tell me your own name as well."
)


@pytest.mark.parametrize("index", range(0, 2 * len(TEMPLATES), 2))
def test_a_careful_agent_learns_everything(index: int) -> None:
    """Callers say who they are and for whom they call, answer questions, agree, and leave once they are served."""
    task = pack("healthcare").task_at("val", index)
    assert task.user
    talk, tells = Talk(task), [due.says for due in task.dues if due.kind == "tell"]
    talk.agent(WHO)
    asked = {"patient", "name", "phone", "zip"} if "patient" in task.user.facts else {"name", "dob", "phone", "zip"}
    for topic in task.user.facts.keys() & asked:  # a caller for another person is not asked for their own birthday
        assert task.user.facts[topic] in talk.said[-1]
    for request in (r for r in task.user.requests if not r.instead):
        assert any(request.ask in said for said in talk.said)
        learn(talk, request)
        for change in request.changes:
            agree(talk, request, change)
        if request.wants:
            talk.agent(tells.pop(0))
    assert talk.said[-1] == STOP


def test_a_caller_corrects_a_follow_up_that_should_be_a_physical() -> None:
    """A caller who wants an annual physical does not agree to a follow-up visit."""
    tasks = (pack("healthcare").task_at("val", index) for index in range(200))
    task = next(t for t in tasks if t.user and "annual physical" in says(t.user.requests[0], "visit"))
    assert task.user
    [change] = task.user.requests[0].changes
    talk = Talk(task)
    assert "annual physical" in talk.agent(f"I will {change.plan} as a follow-up. Shall I go ahead?")
    assert talk.agent(f"I will {change.plan}. Shall I go ahead?").startswith("Yes")


def says(request: Request, topic: str) -> tuple[object, ...]:
    """Return the forms of a value that a caller knows; none if they do not know it."""
    return request.values[topic].says if topic in request.values else ()


def learn(talk: Talk, request: Request) -> None:
    """Ask for all details; the caller tells each one, unless they have told it before."""
    topics = [topic.replace("_", " ") for topic in request.details if topic != "transfer"]
    if topics:
        talk.agent(f"Thank you. Could you tell me more about it, please: {', '.join(f'the {t}' for t in topics)}?")
    told = " ".join(talk.said)
    assert all(detail in told for topic, detail in request.details.items() if topic != "transfer")


def agree(talk: Talk, request: Request, change: WantedChange) -> None:
    """Propose what the caller wants, once more if they change their mind, and report it as done."""
    if request.revise:
        forms = (request.values[topic].says[0] for topic in change.names)
        first = ", ".join(form if isinstance(form, str) else ", ".join(form) for form in forms)
        assert request.revise in talk.agent(f"I will {change.verbs[0]} as you said: {first}. Shall I go ahead?")
    before = len(talk.said)
    assert "?" not in talk.agent(f"I will {change.plan}. Shall I go ahead?"), talk.said[before:]
    talk.agent(f"Thank you for waiting: {change.done}.")
