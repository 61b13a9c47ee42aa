"""The scripted caller, talked to by an agent that knows its trade."""

import pytest

from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.healthcare.tasks import TASKS
from env_server.users import STOP
from tests.domains.healthcare.test_world import base
from tests.users.talks import DONE, Talk

WHO = (
    "To find the record, please give me the patient's full name and date of birth, and the phone number or zip code"
    " on file. If you call for somebody else, please tell me your own name as well."
)
WHAT = "Thank you. Could you give me the details of what you would like?"
NO = "I am sorry, but I cannot do that: our policy does not allow it."


@pytest.mark.parametrize("index", range(2 * len(TEMPLATES)))
def test_a_careful_agent_learns_everything(index: int) -> None:
    """Callers say who they are and whom it is about, tell all details when asked, and go once they are served."""
    task = TASKS.task(base(), "test", index)
    assert task.user
    talk = Talk(task)
    talk.agent(WHO)
    first = task.user.requests[0]
    about = first.details if "patient" in first.details else task.user.facts
    for topic in about.keys() & {"patient", "name", "dob", "phone", "zip"}:
        assert about[topic] in talk.said[-1]
    for request in task.user.requests:
        assert any(request.ask in said for said in talk.said)
        talk.agent(WHAT)
        told = " ".join(talk.said)
        answers = {"confirm", "transfer", "start"}  # `start` may be in the wish itself
        assert all(detail in told for topic, detail in request.details.items() if topic not in answers)
        if "transfer" in request.details:
            assert talk.agent("You are being transferred to a human agent now.") == STOP
        elif "confirm" in request.details and not request.wants:
            talk.agent(NO)
            talk.agent(NO)
        else:
            agreed = talk.agent("Here is what I will do, as you said. Shall I go ahead (yes/no)?")
            assert agreed.startswith(request.revise or request.details.get("confirm") or "Yes")
            if request.revise:
                assert talk.agent("I see, I will do that instead. Shall I proceed?").startswith("Yes")
            talk.agent(f"{DONE} You wanted to know: {' '.join(request.wants)}.")
    assert talk.said[-1] == STOP
