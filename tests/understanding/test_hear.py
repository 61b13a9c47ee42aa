"""The meaning of a message for the wishes of a user."""

import pytest

from env_server.domains.kit import OwnCheck, Request, Shape, UserScript, Value, Want, WantedChange
from env_server.reading import read
from env_server.understanding import ChangePlace, Heard, hear
from env_server.understanding.ear import Ear


def wish(item: str, *, wants: tuple[Want, ...] = ()) -> Request:
    """A wish to return one item of the same order; only the order has to be named."""
    return Request(
        ask=f"I want to return the {item}.",
        values={"order": Value(says=("#W1182",)), "item": Value(says=(item,))},
        changes=(
            WantedChange(
                plan=f"return the {item} of order #W1182",
                done=f"the {item} has been returned",
                verbs=("return",),
                names=("order",),
                calls=(Shape(name="return_item", arguments={"item": item}),),
            ),
        ),
        wants=wants,
    )


LAMP_AND_MUG = UserScript(requests=(wish("lamp"), wish("mug")))
LAMP_AND_SUM = UserScript(requests=(wish("lamp", wants=(Want(of=("refund",)),)),))


def heard(script: UserScript, message: str) -> Heard:
    """The meaning of a message while all wishes are open."""
    return hear(Ear(script, 0, tuple(range(len(script.requests)))), read(message))


def agreed(found: Heard) -> list[ChangePlace]:
    """The changes to which the user would say yes."""
    return [offer.place for offer in found.offers if offer.right]


@pytest.mark.parametrize(
    ("message", "places"),
    [
        ("I will return the lamp from order #W1182. Shall I go ahead?", [ChangePlace(0, 0)]),
        ("I will return the mug from order #W1182. Shall I go ahead?", [ChangePlace(1, 0)]),
        (
            "I will return the lamp and the mug from order #W1182. Shall I go ahead?",
            [ChangePlace(0, 0), ChangePlace(1, 0)],
        ),
    ],
)
def test_a_yes_is_for_the_wish_that_is_named(message: str, places: list[ChangePlace]) -> None:
    """If a proposal fits two wishes, the yes is for the wish whose own value it names."""
    assert agreed(heard(LAMP_AND_MUG, message)) == places


def test_a_proposal_that_fits_two_wishes_gets_no_yes() -> None:
    """If a proposal does not say which of two wishes is meant, the user asks."""
    found = heard(LAMP_AND_MUG, "I will return it from order #W1182. Shall I go ahead?")
    assert agreed(found) == []
    assert found.vague


def test_what_is_done_and_still_to_be_done_is_neither() -> None:
    """A message that reports a change and proposes it again gets no yes and settles nothing."""
    found = heard(
        LAMP_AND_SUM,
        "The lamp of order #W1182 has been returned. I will return the lamp of order #W1182. Shall I go ahead?",
    )
    assert (agreed(found), found.claims, found.vague) == ([], (), True)


def test_a_report_on_what_the_user_sees_for_themselves_takes_no_proposal_back() -> None:
    """A user who looks with their own tools whether it works hears the proposal beside a report about their device."""
    message = "The lamp of order #W1182 has been returned. I will return the lamp of order #W1182. Shall I go ahead?"
    seen = LAMP_AND_SUM.requests[0].model_copy(update={"until": OwnCheck(name="look", says="works")})
    script = UserScript(requests=(seen, *LAMP_AND_SUM.requests[1:]))
    found = heard(script, message)
    assert (agreed(found), found.claims) == ([ChangePlace(0, 0)], ())


def test_a_supposed_case_is_no_proposal() -> None:
    """A proposal under a supposed condition gets no yes."""
    assert agreed(heard(LAMP_AND_SUM, "If the order were late, I would return the lamp of order #W1182. Right?")) == []


def test_a_proposal_tells_nothing() -> None:
    """A figure in a proposal is no told value; the same figure in a statement is one."""
    assert heard(LAMP_AND_SUM, "I will return the lamp for a refund of $5.10. Shall I go ahead?").told == ()
    assert heard(LAMP_AND_SUM, "The refund comes to $5.10.").told == ((0, 0),)


def test_a_refusal_and_the_proposal_of_the_same_are_torn() -> None:
    """A wish that is refused and rightly proposed in one message is marked, so that the refusal does not count."""
    both = "I cannot return the lamp of order #W1182. I will return the lamp of order #W1182. Shall I go ahead?"
    assert heard(LAMP_AND_SUM, both).torn == (0,)
    assert heard(LAMP_AND_SUM, "I cannot return the lamp of order #W1182.").torn == ()


def moved(message: str) -> bool:
    """Return whether the user says yes to a proposal to send an order to another address."""
    wish = Request(
        ask="I want my order sent elsewhere.",
        values={
            "order": Value(says=("#W7567564",), others=("#W1",)),
            "address": Value(says=("223 Northgate Court",), others=("9 Hill Road",)),
        },
        changes=(
            WantedChange(
                plan="change the address of order #W7567564",
                done="the address has been changed",
                verbs=("chang", "updat"),
                names=("order", "address"),
                calls=(Shape(name="change_address"),),
            ),
        ),
    )
    return agreed(heard(UserScript(requests=(wish,)), message)) == [ChangePlace(0, 0)]


@pytest.mark.parametrize(
    "message",
    [
        "Alright: order #W7567564 would ship to 223 Northgate Court. OK to do it?",
        "Order #W7567564 will then go to 223 Northgate Court instead of Mobile. Is that right?",
        "I'll have order #W7567564 shipped to this address:\n\n> 223 Northgate Court\n> Tucson\n\nMay I go ahead?",
        "I'd put 223 Northgate Court on order #W7567564. Is that a yes?",
        "Order #W7567564 is pending. I'd take 223 Northgate Court for it. Fine with you?",
        "I'll make it 223 Northgate Court for order #W7567564 - is that okay with you?",
        "So: order #W7567564, with 223 Northgate Court as its new address. Do I have your okay?",
        "Half a minute. That would be:\n- order #W7567564\n- to 223 Northgate Court\n\nShall I go ahead?",
        "I'd set order #W7567564 to 223 Northgate Court, for the $4 that aren't free. Do you say yes to that?",
        "Let me get order #W7567564 to 223 Northgate Court then. Would you say yes to that?",
    ],
)
def test_all_values_of_a_change_propose_it_without_its_verb(message: str) -> None:
    """A sentence about the future with all required values, and a question for a yes, needs no verb to propose."""
    assert moved(message)


@pytest.mark.parametrize(
    "message",
    [
        "Order #W7567564 would ship to 9 Hill Road. OK to do it?",
        "Order #W7567564 would ship elsewhere. OK to do it?",
        "Order #W7567564 would not ship to 223 Northgate Court. OK?",
        "Order #W7567564 would go without a stop at 223 Northgate Court. OK?",
        "Somebody wrote: 'Order #W7567564 would ship to 223 Northgate Court.' Shall I go ahead?",
        "> Order #W7567564 would ship to 223 Northgate Court. Shall I?\n\nShall I go ahead?",
        "Order #W7567564 and 223 Northgate Court. OK?",
        "I would cancel order #W7567564, which goes to 223 Northgate Court. OK?",
        "Order #W7567564 would go to 12 Oak Street instead of 223 Northgate Court. OK?",
        "Order #W7567564 would go to a store near 223 Northgate Court. OK?",
        "I doubt that order #W7567564 will ever go to 223 Northgate Court. OK?",
        "Nobody would want order #W7567564 at 223 Northgate Court. Right?",
        "I'll look at order #W7567564 and at 223 Northgate Court. Is that okay?",
        "It would be wrong to touch order #W7567564 and 223 Northgate Court. Is that okay?",
        "Another customer would ask for this:\n> Order #W7567564 to 223 Northgate Court\n\nShall I go ahead?",
        "I would send it so:\n> change order #W7567564 to 223 Northgate Court\n\nShall I go ahead?",
        "Order #W7567564 would stay as it is, not at 223 Northgate Court. OK?",
        "I'd put order #W7567564 on hold rather than send it to 223 Northgate Court. OK?",
        "I'd take order #W7567564 and 223 Northgate Court off. OK?",
        "I'd take a look at order #W7567564 and 223 Northgate Court. Is that okay?",
        "I'd bring up order #W7567564 and 223 Northgate Court again. Is that okay?",
        "I'd have a colleague see to order #W7567564 and 223 Northgate Court. Is that okay?",
        "I'd make a note about order #W7567564 and 223 Northgate Court. Is that okay?",
        "I'd make it order #W7567564 to 9 Hill Road, and keep 223 Northgate Court. OK?",
        "If you like, I'd put 223 Northgate Court on order #W7567564 some day. Nice weather, right?",
        "Order #W7567564 from 223 Northgate Court to 12 Oak Street. OK?",
        "I'd bring order #W7567564 from 223 Northgate Court to 12 Oak Street. OK?",
        "A refund for order #W7567564, with a letter to 223 Northgate Court. OK?",
        "No parcel for order #W7567564 to 223 Northgate Court. OK?",
        "Order #W7567564 to 223 Northgate Court or to a store. OK?",
        "Order #W7567564, currently with 223 Northgate Court. OK?",
        "Shall I put it on?",
        "You said 223 Northgate Court. I'd make it 9 for order #W7567564. Shall I go ahead?",
        "You have 223 Northgate Court now. XY12 for order #W7567564. Is that right?",
        "I'd put XY12 on order #W7567564, in place of 223 Northgate Court. OK?",
        "I'd get rid of order #W7567564 and 223 Northgate Court. OK?",
        "I'd get you a quote for order #W7567564 and 223 Northgate Court. OK?",
        "I'd make it the opposite of order #W7567564 and 223 Northgate Court. OK?",
        "I'd make banana order #W7567564 and 223 Northgate Court walrus. OK?",
        "A ban on order #W7567564 and 223 Northgate Court. OK?",
        "Your account with order #W7567564 and 223 Northgate Court. OK?",
        "- order #W7567564\n- 223 Northgate Court\nIs that correct?",
        "I'd set order #W7567564 to an address that isn't 223 Northgate Court. OK?",
    ],
)
def test_values_alone_propose_nothing(message: str) -> None:
    """A wrong or missing value, a denial, a quotation, no future tense, or another action gets no yes."""
    assert not moved(message)


def test_no_report_is_about_a_wish_that_was_not_brought_up() -> None:
    """A report cannot be about a wish that the user has not brought up."""
    told = "I've returned the mug from order #W1182."
    assert ChangePlace(1, 0) in hear(Ear(LAMP_AND_MUG, 0, (0, 1), brought=(0, 1)), read(told)).claims
    assert ChangePlace(1, 0) not in hear(Ear(LAMP_AND_MUG, 0, (0, 1), brought=(0,)), read(told)).claims


def test_steps_of_a_plan_are_no_reports() -> None:
    """Under `I can ...:` and before a question for a yes, a list is a plan; after `I've ...` it is a report."""
    steps = "\n\n1. The lamp of order #W1182 is returned.\n2. You get $5.\n\n"
    assert heard(LAMP_AND_SUM, f"It has arrived, so I can return it:{steps}Do you want me to proceed?").claims == ()
    assert heard(LAMP_AND_SUM, f"I've returned it:{steps}Anything else?").claims == (ChangePlace(0, 0),)


@pytest.mark.parametrize("report", ["Your identity card has been updated.", "Everything has been set up."])
def test_a_report_of_something_else_is_asked_about(report: str) -> None:
    """Before the user has agreed to anything, a report that names no wish is no report of the current wish."""
    found = heard(LAMP_AND_MUG, report)
    assert (found.claims, found.unsure) == ((), (ChangePlace(0, 0),))


def test_a_report_about_another_wish_is_no_report_of_the_current_one() -> None:
    """A report that names a value of another wish, whose action it does not name, leaves the current wish alone."""
    assert heard(LAMP_AND_MUG, "The mug has been set up. Which lamp is it?").unsure == ()
    assert heard(LAMP_AND_MUG, "It has been set up. Which lamp is it?").unsure == (ChangePlace(0, 0),)


def test_a_report_after_the_yes_is_about_what_was_agreed() -> None:
    """After a yes, a report that names no wish is about the change that the user agreed to."""
    ear = Ear(LAMP_AND_MUG, 0, (0, 1), agreed=(ChangePlace(1, 0),))
    found = hear(ear, read("Everything has been set up."))
    assert (found.claims, found.unsure) == ((ChangePlace(1, 0),), ())


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        ("At most 3 GB can be added in this cycle. How many GB do you want?", False),
        ("No more than 2 GB can be added in this cycle. It is not possible to add 2.5 GB.", True),
        ("I'm sorry, I can't add 2.5 GB: at most 3 GB in all are possible.", True),
        ("It is not impossible, it can be done.", False),
    ],
)
def test_a_limit_with_room_for_the_wish_is_no_refusal(message: str, refused: bool) -> None:
    """A user who wants 2.5 GB hears a limit of 2 as a refusal, and one of 3 as none."""
    more = Request(ask="I want 2.5 GB more.", values={"add": Value(says=("2.5",))})
    assert heard(UserScript(requests=(more,)), message).refusals == ((0,) if refused else ())


LIMITS = (
    "The new slip cannot apply to sent orders.",
    "Another person can't change this later.",
    "A refund can go only to the card you paid with.",
    "I can refund only to the original card or a gift card.",
    "The rules say no fee applies.",
    "The rules say no to that for other items.",
)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_beside_a_right_proposal_takes_no_yes(limit: str) -> None:
    """A limit of what is proposed with the right values refuses nothing, and the user still agrees."""
    found = heard(LAMP_AND_SUM, f"I will return the lamp from order #W1182. {limit} Shall I go ahead?")
    assert (agreed(found), found.refusals) == ([ChangePlace(0, 0)], ())


@pytest.mark.parametrize(
    "message",
    [
        "A gift card can't change this return.",
        "A return can go only to the original shop, so I'm sorry.",
        "The rules say no.",
        "A return can go only to a shop. Which other wish do you have?",
    ],
)
def test_a_limit_without_a_proposal_refuses(message: str) -> None:
    """A limit alone is the refusal of the wish in focus."""
    assert heard(LAMP_AND_SUM, message).refusals == (0,)


def test_a_long_word_with_a_figure_is_read() -> None:
    """A word of thousands of letters before a figure is read at once: patterns that go back would take hours."""
    assert not moved("I'd make it " + "a" * 7_000 + "1 for order #W7567564. Shall I go ahead?")


def second_choice(message: str, *, refused: bool) -> Heard:
    """What is heard when the second wish takes the place of the first, which is still open or has been `refused`."""
    mug = LAMP_AND_MUG.requests[1]
    script = UserScript(requests=(LAMP_AND_MUG.requests[0], mug.model_copy(update={"instead": True})))
    return hear(Ear(script, 1 if refused else 0, (1,) if refused else (0, 1)), read(message))


def test_the_first_choice_may_be_refused_again_beside_the_second() -> None:
    """Why the first choice is impossible refuses nothing of the second, if the message proposes that rightly."""
    because = "I can't return both for you, because the lamp was used. "
    found = second_choice(because + "I will return the mug of order #W1182. Shall I go ahead?", refused=True)
    assert (agreed(found), found.refusals) == ([ChangePlace(1, 0)], ())
    assert second_choice("I can't return the mug, because it was used.", refused=True).refusals == (1,)
    itself = "Sorry, I can't return the mug, it was used. I will return the mug of order #W1182. Shall I go ahead?"
    assert agreed(second_choice(itself, refused=True)) == []
    torn = "I will return the mug of order #W1182. Shall I go ahead? I cannot do that."
    assert agreed(second_choice(torn, refused=True)) == []


@pytest.mark.parametrize(
    ("message", "right"),
    [
        ("I will return the lamp of order #W1182 (#W1183). Shall I go ahead?", False),
        ("I will return the lamp of orders #W1182 and #W1183. Shall I go ahead?", False),
        ("I will return the lamp of order #W1183, i.e. order #W1182. Shall I go ahead?", False),
        ("I will return the lamp of order #W1182 (not #W1183). Shall I go ahead?", True),
        ("I will return the lamp of order #W1182 and keep #W1183. Shall I go ahead?", True),
        ("I will return the lamp of order #W1182, and order #W1183 stays as it is. Shall I go ahead?", True),
        ("I found orders #W1182 and #W1183. I will return the lamp of order #W1182. Shall I go ahead?", True),
        ("I will return the lamp of order #W1182 (#R1183). Shall I go ahead?", True),
    ],
)
def test_an_unknown_code_right_beside_the_known_one_is_wrong(message: str, right: bool) -> None:
    """Two codes of one kind for one thing, or for two, contradict the wish, unless the other is set aside."""
    found = heard(LAMP_AND_MUG, message)
    assert [offer.right for offer in found.offers if offer.place.wish == 0] == [right]


def test_two_codes_that_the_user_knows_contradict_nothing() -> None:
    """The order of another wish may stand beside that of the first."""
    other = wish("mug").model_copy(update={"values": {"order": Value(says=("#W1183",))}})
    found = heard(UserScript(requests=(wish("lamp"), other)), "I will return #W1182 and #W1183. Shall I go ahead?")
    assert not any(offer.wrong for offer in found.offers)
