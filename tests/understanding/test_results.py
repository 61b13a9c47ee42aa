"""Descriptions of the new state after a change, once the user has agreed to it."""

import pytest

from env_server.domains.kit import Request, Shape, UserScript, Value, WantedChange
from env_server.reading import read
from env_server.understanding import ChangePlace, hear
from env_server.understanding.ear import Ear


def wish(verbs: tuple[str, ...], **values: tuple[str | tuple[str, ...], ...]) -> Request:
    """A wish for one change, whose values all have to be named."""
    return Request(
        ask="Please change it.",
        values={topic: Value(says=says) for topic, says in values.items()},
        changes=(
            WantedChange(
                plan="change it", done="it is changed", verbs=verbs, names=tuple(values), calls=(Shape(name="change"),)
            ),
        ),
    )


ROAMING_ON = wish(("enabl", "turn on", "turn roaming on"), line=("L407508",))
ROAMING_OFF = wish(("disable", "turn off", "switch off"), line=("L407508",))
PAY = wish(("charg", "pay"), bill=("B589406",), payment=("2017", "Credit Card"))
PLAN = wish(("chang", "switch", "mov"), line=("L374641",), plan=("Lake 45",))
BAGS = wish(("add", "include"), reservation=("7WBA93",), bags=("5",))
SUSPEND = wish(("suspend", "pause", "put on hold"), line=("L407508",))
CANCEL = wish(("cancel", "call off"), reservation=("XX56Q9",))
VISIT = wish(("book", "schedule"), doctor=("Acheson",), time=("9:00",))
VOUCHER = wish(("send", "issue a", "give you"), compensation=("certificate",))
TIP = wish(("tip", "lower", "set"), order=("Little Saffron",), tip=("2.50",))
WAIT = wish(("join", "put", "add you"), doctor=("Fujita",))
RESUME = wish(("resum", "reactivat"), line=("L375589",))
REQUEST = wish(("send", "sent", "request"), bill=("B397997",), payment=("request", "on your phone"))
ORDER = wish(("order", "place"), restaurant=("Golden Lantern",), items=("Shoyu Ramen",), payment=("7239", "amex"))
CABIN = wish(("chang", "upgrad"), reservation=("E3Y7X8",), cabin=("business",), payment=("3955", "visa"))
ADDRESS = wish(("add", "save"), address=(("348 Ember Road", "44130"),))
CART = wish(("add", "put"), restaurant=("Little Agave",), items=(("Cilantro Rice", "Coconut Sorbet"),))
MORE_BAGS = wish(("add", "rais"), reservation=("UUHYM6",), bag=(("1", "bag"), "an extra bag"), payment=("317",))


def reported(request: Request, message: str, *, agreed: bool = True) -> bool:
    """Whether a message reports the wish as done, to a user who has agreed to it or not."""
    places = [ChangePlace(0, 0)] if agreed else []
    return bool(hear(Ear(UserScript(requests=(request,)), 0, (0,), agreed=places), read(message)).claims)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ROAMING_ON, "Roaming is on for L407508. Anything else for today?"),
        (ROAMING_ON, "Roaming is enabled for L407508 now."),
        (ROAMING_OFF, "Roaming is off for L407508."),
        (PAY, "B589406 is paid: $209.99 from your credit card ending in 2017."),
        (PAY, "Paid!"),
        (PLAN, "Your line L374641 is on Lake 45 from today, at $63.20 per month."),
        (BAGS, "Five bags are on 7WBA93 now."),
        (VISIT, "You're booked with Dr. Acheson for March 16 at 9:00."),
        (ROAMING_ON, "There you go, Flora - **roaming is enabled for L407508**, at no charge. Anything else I can do?"),
        (PAY, "Paid, Maxim! Your February bill was $92.74, and it went to the card ending in 2017."),
        (PAY, "Bill B589406 is settled and paid, $70.90 from your credit card. What else is on your list, Ezra?"),
        (PAY, "B589406 was paid with your card ending in 2017."),
        (BAGS, "There are five bags on 7WBA93 now, and your Mastercard was charged $135. Is that everything?"),
        (VOUCHER, "The $180 certificate is in your profile. Is there something else, Benno?"),
        (TIP, "There you go, the tip's at $2.50 now. Anything else, Gideon?"),
        (WAIT, "You're on Dr. Fujita's waitlist now for a follow-up, at number 16. Anything else?"),
        (WAIT, "You're on the list now, and your position for Dr. Fujita is 53."),
        (RESUME, "L375589 is up and running again. Anything else, Flora?"),
        (RESUME, "L375589 is back in service."),
        (REQUEST, "The request for bill B397997 is on your phone now ($175.13). Please have a look at it."),
        (ORDER, "It's ordered, Xenia! D09378664 from Golden Lantern goes to your home. Anything else?"),
        (ORDER, "Your dinner from Golden Lantern is on order, Rhea. Can I do anything else for you?"),
        (CABIN, "You're in **business** now, Marek! Is there anything else?"),
        (CABIN, "Reservation E3Y7X8 (KS326 on May 21) was changed, and $384 was charged. Anything else?"),
        (ADDRESS, "It's in your address book now. On to that order somebody made: which one is it?"),
        (ADDRESS, "Your new address is on file: 348 Ember Road, 44130."),
        (ROAMING_ON, "Roaming works on L407508 now. Anything else?"),
        (ROAMING_ON, "You've got roaming on L407508 from now on. Is that all?"),
        (RESUME, "L375589 works again. Anything else?"),
        (RESUME, "L375589 is active once more. Anything else?"),
        (BAGS, "7WBA93 comes with five bags now. Anything else?"),
        (CANCEL, "XX56Q9 is called off. Anything else?"),
        (PLAN, "Your line L374641 will now run on Lake 45. Anything else?"),
        (PLAN, "L374641 is on Lake 45 from today, and you will see it on your next bill."),
        (ADDRESS, "Your profile shows the new address from now on: 348 Ember Road, 44130. Anything else?"),
        (ADDRESS, "It's saved in your address book. Anything else?"),
        (VOUCHER, "You'll find a certificate of $180 in your profile. Anything else?"),
        (VOUCHER, "The certificate has reached your profile. Anything else?"),
        (REQUEST, "A payment request for B397997 is waiting on your phone. Anything else?"),
        (CART, "1 Cilantro Rice (no salt) and 1 Coconut Sorbet from Little Agave are in it now."),
        (
            MORE_BAGS,
            "The extra bag's on, so UUHYM6 has two bags now, and your gift card is down. Anything more, Arvid?",
        ),
    ],
)
def test_the_new_state_is_a_report_once_the_user_has_agreed(request_: Request, message: str) -> None:
    """After the yes, a description of the new state is a report."""
    assert reported(request_, message)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ROAMING_OFF, "Roaming is on for L407508."),
        (ROAMING_ON, "Roaming is off for L407508."),
        (ROAMING_OFF, "Roaming is still off for L407508 until I have your yes."),
        (ROAMING_ON, "Roaming will be on for L407508."),
        (ROAMING_ON, "Is roaming on for L407508?"),
        (ROAMING_ON, "Once roaming is on for L407508, please restart your phone."),
        (ROAMING_ON, "Roaming is not on for L407508."),
        (PAY, "B589406 is not paid yet."),
        (PAY, "If B589406 is paid, the line is resumed."),
        (PLAN, "Lake 45 is a plan with 45 GB."),
        (PAY, "Bills are paid within a minute."),
        (PAY, "Credit Card 2017 is on file."),
        (PAY, "B589406 is charged to your PayPal account."),
        (PAY, "No payment for B589406 is on file."),
        (SUSPEND, "Line L407508 is active."),
        (ROAMING_ON, "Line L407508 is on hold."),
        (CANCEL, "Reservation XX56Q9 is in basic economy."),
        (CANCEL, "Money for reservations that are cancelled goes back to the card."),
        (VISIT, "Dr. Acheson is in Reno, and 9:00 is in the morning."),
        (ROAMING_ON, "Roaming is already on for L407508."),
        (ROAMING_ON, "Line L407508 is active, so roaming can be used there."),
        (ROAMING_ON, "L407508 is on a plan with roaming."),
        (RESUME, "L375589 is on Lake 45."),
        (BAGS, "7WBA93 has two bags now; I'll make it five."),
        (BAGS, "There are two bags on 7WBA93 now, and five would be $135."),
        (PLAN, "L374641 is on Lake 30, and Lake 45 can be had."),
        (ROAMING_ON, "I see that roaming is on for L407508."),
        (PAY, "Your card 2017 is charged at no cost."),
        (PAY, "B589406 was paid on May 3 with your card ending in 2017."),
        (PAY, "Your bill B589406 shows as paid with card 2017."),
        (PAY, "If it's paid, you get a receipt."),
        (PAY, "It isn't paid!"),
        (PAY, "Paid: I'd take it from your card."),
        (PAY, "The credit card 2017 is on file now. Anything else?"),
        (VOUCHER, "A certificate is valid for a year. Anything else?"),
        (VOUCHER, "No certificate is in your profile now. Anything else?"),
        (TIP, "The tip is $2.50 in all. Anything else?"),
        (TIP, "The tip would be at $2.50 now. Anything else?"),
        (WAIT, "Dr. Fujita's list is long now that winter is here."),
        (REQUEST, "A request for bill B397997 will be on your phone now."),
        (ORDER, "Golden Lantern is open now. Shall I order the Shoyu Ramen with your Amex?"),
        (ORDER, "The order at Golden Lantern could not be placed."),
        (CABIN, "E3Y7X8 has economy fares now. Anything else?"),
        (CABIN, "E3Y7X8 was changed twice last year. Anything else?"),
        (ADDRESS, "348 Ember Road, 44130 will now be checked."),
        (MORE_BAGS, "UUHYM6 has one bag right now. Anything else?"),
        (ROAMING_OFF, "Roaming works on L407508 now. Anything else?"),
        (ROAMING_ON, "Now, roaming for L407508. Anything else?"),
        (RESUME, "L375589 would work again. Anything else?"),
        (RESUME, "L375589 works. Anything else?"),
        (VOUCHER, "You'll find a certificate of $180 in your profile tomorrow. Anything else?"),
        (VOUCHER, "A certificate has a value of $180. Anything else?"),
        (REQUEST, "The request for B397997 should be on your phone. Anything else?"),
        (ADDRESS, "It's not in your address book. Anything else?"),
        (BAGS, "Here is the plan:\n- Five bags are on 7WBA93 now\n\nShall I do it?"),
    ],
)
def test_another_state_is_no_report(request_: Request, message: str) -> None:
    """The opposite state, a question, a condition, a denial and a future state report nothing."""
    assert not reported(request_, message)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ROAMING_ON, "Roaming is on for L407508."),
        (PAY, "Bill B589406 is settled, $70.90 from card 2017."),
        (VOUCHER, "The $180 certificate is in your profile. Anything else?"),
        (WAIT, "You're on Dr. Fujita's waitlist now. Anything else?"),
        (CABIN, "You're in business now, Marek! Anything else?"),
    ],
)
def test_without_a_yes_a_state_is_a_record(request_: Request, message: str) -> None:
    """Before the yes, a description of a state is what the records show."""
    assert not reported(request_, message, agreed=False)


def test_fewer_values_are_enough_only_for_the_last_change_that_the_user_waits_for() -> None:
    """If the user waits for two changes, a state that names few values of either reports neither."""
    script = UserScript(requests=(CABIN, wish(("add",), reservation=("E3Y7X8",), bags=("5",))))
    places = [ChangePlace(0, 0), ChangePlace(1, 0)]
    message = "You're in business now. Anything else?"
    assert hear(Ear(script, 0, (0, 1), agreed=places), read(message)).claims == ()
    assert hear(Ear(script, 0, (0, 1), agreed=places[:1]), read(message)).claims == (places[0],)
