import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from env_server.domains.kit import Request, Task
from env_server.domains.retail.scenarios import TEMPLATES
from env_server.users import STOP, STRATEGIES
from tests.domains.retail.test_tasks import task
from tests.users.talks import DONE, NO_TOOLS, SIGN_IN, Talk, task_of

CANCEL = Request(
    ask="I'd like to cancel an order.", details={"order": "It is order #W1234567.", "reason": "I no longer need it."}
)
MOVE = Request(ask="Please change my address.", details={"address": "It is 1 Elm Lane, Unit 2, Reno, NV, USA, 89501."})
ASKS = {
    "order": "Which order is it? Please tell me the order number.",
    "items": "Which items is it about?",
    "new_items": "Which variant would you like to have?",
    "reason": "What is the reason?",
    "payment": "Which payment method would you like to use?",
    "address": "What is the new address?",
}


def careful(talk: Talk, requests: tuple[Request, ...]) -> None:
    """Play an agent that asks one thing at a time, sums up, and reports; hold what the user says against the script."""
    talk.agent(SIGN_IN)
    for number, request in enumerate(requests):
        assert request.ask in talk.said[-2 if number == 0 else -1]
        for topic in request.details.keys() & ASKS.keys():
            assert request.details[topic] in talk.agent(ASKS[topic])
        agreed = talk.agent("Here is what I will do, as you said. This cannot be undone. Do you confirm (yes/no)?")
        if request.revise is not None:
            assert request.revise in agreed
            agreed = talk.agent("I see. I will do that instead. Shall I proceed?")
        expected = request.details.get("confirm", "Yes")
        assert agreed.startswith(expected)
        if "transfer" in request.details:
            assert talk.agent("You are being transferred to a human agent.") == STOP
            return
        talk.agent(f"It has been done: {' '.join(request.wants)}. Is there anything else I can help you with?")
    assert talk.said[-1] == STOP


@pytest.mark.parametrize("index", range(2 * len(TEMPLATES)))
def test_a_careful_agent_learns_everything(index: int) -> None:
    """Whatever the template, an agent that asks for each thing is told it, gets its yes, and is let go."""
    made = task(index)
    assert made.user is not None
    careful(Talk(made), made.user.requests)


@pytest.mark.parametrize("index", range(200))
def test_the_oracle_is_let_go(index: int) -> None:
    """An agent that has done all gold calls and says all values at once needs one message per request at most."""
    made = task(index)
    assert made.user is not None
    told = f"All done. {' '.join(made.gold.outputs)}. Is there anything else?"
    talk = Talk(made)
    messages = talk.until_stop(lambda n: "That is done as well. Anything else?" if n else told)
    hands_over = any(call.name == "transfer_to_human_agents" for call in made.gold.actions)
    assert messages <= (8 if hands_over else len(made.user.requests))


def test_an_open_refusal_is_questioned_once() -> None:
    """Refused, the user insists once, then goes on to the next request, and stops after the last."""
    talk = Talk(task_of(CANCEL, MOVE))
    assert CANCEL.ask in talk.agent("I'm sorry, I cannot do that.")
    assert MOVE.ask in talk.agent("Unfortunately, that is not possible.")
    assert MOVE.ask in talk.agent("I am unable to do that.")
    assert talk.agent("I can't.") == STOP


def test_a_warning_is_no_refusal() -> None:
    """What cannot be done after the step to be confirmed does not count as a refusal."""
    talk = Talk(task_of(CANCEL))
    talk.agent("Which order number, and what is the reason?")
    assert talk.agent("Once cancelled, you cannot order it again. Shall I go ahead?").startswith("Yes")


def test_identity_is_told_as_far_as_known() -> None:
    """Asked for an email it does not remember, the user says so and gives name and zip instead."""
    talk = Talk(task_of(CANCEL, unknown=("email", "user_id")))
    answer = talk.agent("Please give me your email address.")
    assert "do not remember my email address" in answer
    assert "Ada Haas" in answer
    assert "12345" in answer
    assert "do not remember my user id" in talk.agent("What is your user id?")


def test_identity_is_repeated_when_not_found() -> None:
    """Told that nobody was found, the user repeats who they are and does not take it for a refusal."""
    talk = Talk(task_of(CANCEL))
    talk.agent(SIGN_IN)
    assert "12345" in talk.agent("I'm sorry, I could not find your account.")


def test_only_what_is_asked_is_told() -> None:
    """The first message holds the wish alone, and each answer only the topic asked for."""
    talk = Talk(task_of(CANCEL))
    assert "#W1234567" not in talk.said[0]
    assert "Haas" not in talk.said[0]
    answer = talk.agent("What is the order number?")
    assert "#W1234567" in answer
    assert "no longer" not in answer


def test_lists_of_questions_are_answered() -> None:
    """Entries of a list under `please provide:` are questions, numbered or not."""
    answer = Talk(task_of(CANCEL)).agent("Please provide:\n1. **Your full name**\n2. Order ID\n- Reason")
    assert "Ada Haas" in answer
    assert "#W1234567" in answer
    assert "I no longer need it." in answer


def test_an_open_question_gets_all_details() -> None:
    """Asked to explain, the user tells all that this request holds."""
    answer = Talk(task_of(CANCEL)).agent("Sure! Could you tell me more?")
    assert "#W1234567" in answer
    assert "I no longer need it." in answer


def test_nothing_is_confirmed_before_it_was_said() -> None:
    """Asked for a yes too early, the user first says what the agent left out."""
    talk = Talk(task_of(CANCEL))
    talk.agent("What is the order number?")
    assert "I no longer need it." in talk.agent("Do you want me to cancel it (yes/no)?")
    assert talk.agent("Do you confirm?").startswith("Yes")


def test_a_changed_mind_comes_once() -> None:
    """The first request for a yes brings the revision, the second the yes."""
    request = CANCEL.model_copy(update={"revise": "Wait, it is order #W7654321."})
    talk = Talk(task_of(request))
    talk.agent("Could you tell me more?")
    assert talk.agent("I will cancel it. Do you confirm?") == request.revise
    assert talk.agent("I will cancel #W7654321. Do you confirm?").startswith("Yes")
    assert talk.agent(DONE) == STOP


def test_a_question_waits_for_its_value() -> None:
    """A request with values to hear is settled when they were said, in whatever form, and not before."""
    request = Request(ask="How much is it?", details={"confirm": "No, I only ask."}, wants=("1234.50",))
    talk = Talk(task_of(request, MOVE))
    assert "How much is it?" in talk.agent("It costs $99.00. Anything else?")
    answer = talk.agent("It costs $1,234.50. Would you like me to order it?")
    assert answer.startswith("No, I only ask.")
    assert MOVE.ask in answer


def test_a_transfer_is_declined_unless_wanted() -> None:
    """A transfer offered is declined by default, and accepted where the script says so; being transferred ends it."""
    offer = "Would you like me to transfer you to a human agent?"
    assert "transfer" in Talk(task_of(CANCEL)).agent(offer).lower()
    wanted = CANCEL.model_copy(update={"details": {"transfer": "Yes, do."}})
    assert Talk(task_of(wanted)).agent(offer) == "Yes, do."
    assert Talk(task_of(CANCEL)).agent("You are being transferred to a human agent.") == STOP


@pytest.mark.parametrize(
    "words",
    [
        "There is no way to cancel it under our rules.",
        "I understand, but the answer is still no.",
        "The order is non-refundable.",
        "It's too late to change the address.",
        "I must respectfully refuse.",
        "The rules don't let me cancel it.",
        "That is ruled out by our terms.",
        "Cancelling is out of the question for a delivered order.",
        "I won't be able to do that.",
        "The policy does not let us cancel delivered orders.",
        "We make no exceptions here.",
        "I refuse to cancel it.",
        "I have to say no to that.",
        "This is not something I may do.",
    ],
)
def test_refusals_in_ordinary_words(words: str) -> None:
    """A refusal is heard however it is worded: the user insists once, then goes on to the next wish."""
    talk = Talk(task_of(CANCEL, MOVE))
    assert CANCEL.ask in talk.agent(words)
    assert MOVE.ask in talk.agent(words)


def test_offers_of_something_else_count_as_a_refusal_in_the_end() -> None:
    """A user who wants nothing but their wish goes on after three offers of something else, in whatever words."""
    request = CANCEL.model_copy(update={"details": {**CANCEL.details, "confirm": "Only as I said."}})
    talk = Talk(task_of(request, MOVE))
    offer = "As it is less than $7.00, it goes to your credits rather than to your card. Shall I do that?"
    answers = [talk.agent(offer) for _ in range(4)]
    assert "Only as I said." in answers
    assert any(MOVE.ask in answer for answer in answers)


@pytest.mark.parametrize("words", ["Full name and zip code please.", "Hi! Name, zip code please!", "Your name, please."])
def test_a_request_needs_no_verb(words: str) -> None:
    """A bare `please` asks as well as a question does."""
    assert "Ada Haas" in Talk(task_of(CANCEL)).agent(words)


@pytest.mark.parametrize(
    "question", ["What is the doctor's name?", "What is the name of the new plan?", "Which member number does it have?"]
)
def test_other_names_and_numbers_are_not_the_users_own(question: str) -> None:
    """A question for somebody else's name or number is not answered with the user's."""
    talk = Talk(task_of(CANCEL, facts={"name": "Ada Haas", "zip": "12345"}, unknown=("user_id",)))
    answer = talk.agent(question)
    assert "Ada Haas" not in answer
    assert "user id" not in answer


def test_an_alternative_is_not_agreed_to_by_accident() -> None:
    """Where the script accepts no alternative, an offer of one counts as a refusal: questioned once, then accepted."""
    request = CANCEL.model_copy(update={"details": {**CANCEL.details, "confirm": "Only as I said."}})
    talk = Talk(task_of(request, MOVE))
    talk.agent("Could you tell me more?")
    assert talk.agent("Do you want me to go ahead?") == "Only as I said."
    offer = "It was delivered last week. Would you like to return it instead?"
    assert CANCEL.ask in talk.agent(offer)
    assert MOVE.ask in talk.agent(offer)


@pytest.mark.parametrize("greeting", ["Hello! How can I help you today?", "Hi! What can I do for you?", "Hello."])
def test_a_greeting_is_no_open_question(greeting: str) -> None:
    """Greeted, the user states the wish and nothing more, without a word of having said it before."""
    for style in ("plain", "chatty", "terse"):
        made = task_of(CANCEL)
        assert made.user is not None
        answer = Talk(made.model_copy(update={"user": made.user.model_copy(update={"style": style})})).agent(greeting)
        assert answer.startswith(CANCEL.ask)
        assert "#W1234567" not in answer
        assert "again" not in answer.lower()


def test_an_open_question_after_all_was_told_gets_it_all_again() -> None:
    """The wish is repeated with every detail, and the user does not claim to know no more."""
    talk = Talk(task_of(CANCEL))
    talk.agent("Which order, and what is the reason?")
    for question in ("What should I do?", "So what exactly do you want?"):
        answer = talk.agent(question)
        assert [part for part in (CANCEL.ask, *CANCEL.details.values()) if part not in answer] == []
        assert "all" not in answer


def test_what_nobody_knows_is_said_so() -> None:
    """Asked for a topic that the script does not hold, the user says that there is no more to tell."""
    talk = Talk(task_of(CANCEL))
    talk.agent("Which order, and what is the reason?")
    assert "all I " in talk.agent("Which payment method?")


def test_a_changed_mind_is_repeated_last() -> None:
    """After a revision the repeated wish ends with it, so that the last word is the one that counts."""
    request = CANCEL.model_copy(update={"revise": "Wait, it is order #W7654321."})
    talk = Talk(task_of(request))
    talk.agent("Could you tell me more?")
    assert talk.agent("I will cancel it. Do you confirm?") == request.revise
    assert talk.agent("So what exactly do you want?").endswith(request.revise)


def test_a_complete_list_is_no_end() -> None:
    """Asked whether there are other items to change, the user says that is all, and the request stays open."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent("Could you tell me more?")
    assert MOVE.ask not in talk.agent("Are there any other items in this order you want to change?")


@pytest.mark.parametrize("message", ["ok", "", "hello", "Hmm.", "Is there anything else?", SIGN_IN, "Do you confirm?"])
def test_useless_messages_end_it(message: str) -> None:
    """The same message over and over never keeps the user for long."""
    assert Talk(task_of(CANCEL, MOVE)).until_stop(lambda _: message) <= 12


WORDS = st.sampled_from(
    (
        *("order", "item", "reason", "refund", "payment", "yes", "no", "confirm", "proceed", "?", ".", ",", ":", "\n"),
        *("- ", "1. ", "cannot", "sorry", "done", "cancelled", "updated", "email", "zip", "name", "address", "to me"),
        *("transfer", "human agent", "anything else", "what", "which", "would you like", "i have been", "please give"),
        *("###STOP###", "$12.50", "#W1234567", "once", "if not", "**", "\u2019", "\u00e9", "\u6570"),
    )
)


@given(st.lists(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)), min_size=1), st.integers())
def test_any_agent_is_borne_and_left(messages: list[str], seed: int) -> None:
    """No text of the agent makes the user fail, never stop, or say the stop line within a message."""
    made = task(seed % 200)
    assert Talk(made, seed).until_stop(lambda n: messages[n % len(messages)]) <= 61


@given(st.integers(0, 199), st.integers(0, 3))
def test_deterministic(index: int, seed: int) -> None:
    """The same task, seed and messages give the same words and notes."""
    one, two = Talk(task(index), seed), Talk(task(index), seed)
    for message in (SIGN_IN, "Which order?", "Do you confirm?", DONE):
        if not one.last.stop:
            assert one.agent(message) == two.agent(message)
            assert one.last == two.last


def test_wording_varies_with_the_seed() -> None:
    """Different seeds give different small talk, never another wish."""
    opened = {Talk(task_of(CANCEL), seed).said[0] for seed in range(12)}
    assert len(opened) > 1
    assert all(text.endswith(CANCEL.ask) for text in opened)


def test_a_script_cannot_smuggle_the_stop_line() -> None:
    """The stop line inside a script's texts is taken out of what the user says."""
    talk = Talk(task_of(Request(ask=f"Hi {STOP} there.")))
    assert STOP not in talk.said[0]


def test_a_script_has_something_to_say() -> None:
    """A script without requests is none, and a task without a script states its instruction."""
    with pytest.raises(ValidationError, match="requests"):
        task_of()
    assert "Fly me home." in Talk(Task(task_id="t", domain="retail", instruction="Fly me home.")).said[0]


def test_strategies() -> None:
    """Three strategies by name; only `external` awaits, none is remote."""
    assert {name: (user.remote, user.awaits) for name, user in STRATEGIES.items()} == {
        "scripted": (False, False),
        "external": (False, True),
        "none": (False, False),
    }


@pytest.mark.parametrize("name", ["external", "none"])
async def test_users_without_words(name: str) -> None:
    """Asking a user that has no words of its own is an error of the caller, named as such."""
    user = STRATEGIES[name]
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.first(task(0), 0)
    with pytest.raises(RuntimeError, match=re.escape(name)):
        await user.reply(task(0), 0, {}, "Hello", NO_TOOLS)
