"""Topics of an agent's questions: those of every domain, and those that a domain declares."""

import pytest

from env_server.domains.discovery import topics_of
from env_server.domains.kit import Request, Task, UserScript
from env_server.users.scripted.topics import IDENTITY, asked, asks_to_confirm, says_yes
from tests.contract.acts import each_domain, stage
from tests.contract.talking import Talk

QUESTION = "which colour would you like?"
TOPICS = ("new_items", "zip", "house_number")


def test_a_topic_is_known_by_its_own_words_or_by_a_pattern() -> None:
    """Usual topics have patterns, a domain may declare others, and any other topic is known by its own words."""
    assert asked([QUESTION], TOPICS) == []
    assert asked([QUESTION], TOPICS, topics_of("retail")) == ["new_items"]
    assert asked(["your postal code and house number?"], TOPICS) == ["zip", "house_number"]
    assert asks_to_confirm("please confirm the colour", TOPICS, {"new_items": r"\bcolour"})
    assert not asks_to_confirm("please confirm the colour", TOPICS)


def test_a_zip_code_of_an_address_identifies_nobody() -> None:
    """Questions for the parts of an address, or for a way of sending, do not ask who the user is."""
    assert asked(["what is the new street, city and zip code?"], IDENTITY) == []
    assert asked(["shall i send it by email or by post?"], IDENTITY) == []
    assert asked(["your email address, or your name and zip code?"], IDENTITY) == ["email", "name", "zip"]


def test_a_phone_and_a_birth_identify_nobody_by_themselves() -> None:
    """Words about using a phone do not ask for a number, and words about a child's birth not for a date of birth."""
    assert asked(["would you like a payment request on your phone?"], IDENTITY) == []
    assert asked(["was there a change in your life, such as a birth or adoption?"], IDENTITY) == []
    assert asked(["your phone, or your date of birth?"], IDENTITY) == ["dob", "phone"]


@pytest.mark.parametrize(
    ("text", "heard", "alone"),
    [
        ("yes, please go ahead.", True, True),
        ("sorry, yes.", True, True),
        ("it is.", True, True),
        ("okay, please do that.", True, True),
        ("yes, no problem, it is done.", True, False),
        ("it has been done, and the refund is on its way.", True, False),
        ("yes. the refund takes five days.", True, False),
        ("right, let me check that.", False, False),
        ("it is sunny today.", False, False),
        ("yes, but not yet.", False, False),
        ("correct?", False, False),
    ],
)
def test_a_yes_is_heard_in_one_way(text: str, *, heard: bool, alone: bool) -> None:
    """A yes begins a message; what follows matters only where nothing else may be said."""
    assert says_yes(text) is heard
    assert says_yes(text, alone=True) is alone


@pytest.mark.parametrize(("domain", "told"), [("retail", True), ("no-such-domain", False)])
def test_the_user_knows_the_topics_of_the_tasks_domain(domain: str, told: bool) -> None:
    """A question about `new_items` is understood in the shop, which declares the topic, and nowhere else."""
    wish = Request(ask="I want another lamp.", details={"new_items": "A green one.", "reason": "It broke."})
    task = Task(task_id="t", domain=domain, instruction="Do.", user=UserScript(requests=(wish,)))
    said = Talk(task).hears("Please tell me the colour and the reason.").content
    assert "It broke." in said
    assert ("A green one." in said) is told


@each_domain
def test_what_a_domain_declares_is_what_its_wishes_hold(domain: str) -> None:
    """Every declared topic is a detail in one of the first test tasks."""
    wishes = (request for task in stage(domain).tasks() if task.user for request in task.user.requests)
    held = {topic for request in wishes for topic in request.details}
    assert set(topics_of(domain)) <= held
