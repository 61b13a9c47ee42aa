"""Lists of what the user is asked to tell, with headings in them, and lists in the same form that ask for nothing."""

import pytest

from env_server.reading import Act, read

SEEKS = {Act.ASK, Act.IDENTIFY}

HEADS = [
    "Please send me:",
    "What I need from you:",
    "What I still need:",
    "Here's what I'll need to get started:",
    "Details I need:",
    "The information we still need from you:",
    "Information needed:",
    "Still missing:",
    "To get started, I'll need:",
    "You can also tell me already:",
    "You can already send me the following:",
    "**Step 2 - the order.** Feel free to include:",
    "### What I need",
    "**Details needed**",
    "**Please provide**",
    "### A few questions for you",
    "I just need a few details.",
    "To look that up I need some information from you:",
]
OTHER_HEADS = [
    "Your bookings:",
    "Here is what I'd book:",
    "What I need to do:",
    "What you need to know:",
    "You can choose from:",
    "Your order includes:",
    "### What happens next",
    "**Details**",
    "I found a few details.",
    "What I changed:",
]
ENTRIES = [
    "Her full name",
    "Your date of birth",
    "Delivery address",
    "Type of trip: one-way or round trip",
    "Cabin: basic economy, economy or business",
    "How you'd like to pay",
    "The dishes and how many of each",
    "Which test is it, and when was it taken",
    "Travel insurance: yes or no",
    "Order number (for example #W1234)",
    "Anything else the kitchen should know",
]
SUBHEADS = [
    "**About Ursula (the patient)**",
    "**About you**",
    "### Trip details",
    "**Step 2: the order**",
    "**The order**",
    "Your preferences:",
    "**Identification**",
    "**New booking**",
    "**Delivery & payment**",
    "**Optional (if you know it):**",
    "And for the delivery:",
]
OTHER_SUBHEADS = [
    "**Your current bookings**",
    "Here is what I found:",
    "**What I'd book**",
    "**Next steps**",
    "**Available flights**",
    "I can see two trips.",
    "Thank you!",
]


def sought(message: str) -> list[str]:
    """Return the entries of lists that ask the user for something."""
    return [s.text for s in read(message).sentences if s.entry and s.acts & SEEKS]


def listed(*entries: str) -> str:
    """Return entries as the lines of a list."""
    return "\n".join(f"- {entry}" for entry in entries)


@pytest.mark.parametrize("head", HEADS)
def test_the_entries_below_a_request_are_asked_for(head: str) -> None:
    """Each entry of a list that a request heads asks for something, and none asks for a yes or says goodbye."""
    message = f"Happy to help.\n\n{head}\n{listed(*ENTRIES)}"
    assert len(sought(message)) == len(ENTRIES)
    assert not {Act.PROPOSE, Act.CLOSE} & read(message).acts


@pytest.mark.parametrize("head", OTHER_HEADS)
def test_the_entries_below_other_lines_are_not(head: str) -> None:
    """Names of things below a line that requests nothing ask for nothing."""
    assert not sought(f"Happy to help.\n\n{head}\n{listed('The lamp', 'Express delivery', 'Payment with the card')}")


@pytest.mark.parametrize("head", SUBHEADS)
def test_a_heading_in_a_list_keeps_the_request(head: str) -> None:
    """What stands below a heading in a list of requested things is requested, too."""
    message = f"Please send me:\n{listed('Your user id')}\n\n{head}\n{listed(*ENTRIES)}"
    assert len(sought(message)) == 1 + len(ENTRIES)
    assert len(sought(f"I just need a few details.\n\n{head}\n{listed(*ENTRIES)}")) == len(ENTRIES)


@pytest.mark.parametrize("head", OTHER_SUBHEADS)
def test_another_heading_ends_the_request(head: str) -> None:
    """A line that is no heading of details ends the list."""
    message = f"Please send me:\n{listed('Your user id')}\n\n{head}\n{listed('Cabin of the trip', 'The lamp')}"
    assert len(sought(message)) == 1


@pytest.mark.parametrize("head", [head for head in SUBHEADS if "Step" not in head])  # `Step 2:` begins an entry
def test_values_below_a_heading_are_not_asked_for(head: str) -> None:
    """Records and proposed values below a heading stay what they are."""
    values = listed("Cabin: economy", "Trip AB12CD: Rome to Oslo", "Bags: 2", "Card: visa ending in 4105")
    message = f"Please send me:\n{listed('Your user id')}\n\n{head}\n{values}\n\nIs there more to change?"
    assert len(sought(message)) == 1


def test_a_plan_below_a_request_is_still_proposed() -> None:
    """A plan with values, below its own heading, is proposed although the message has a list of requested things."""
    plan = listed("Cabin: economy", "Bags: 2", "Card: visa ending in 4105")
    message = f"Here is what I'd book for AB12CD:\n{plan}\n\nShall I book it with these details?"
    assert Act.PROPOSE in read(message).acts
    assert not sought(message)


CHECKING = (
    "Before I open anything, please confirm:",
    "What I still need before I can open anything:",
    "As you speak for somebody else, I need to verify your right to do so:",
    "Needed before I start:",
)


@pytest.mark.parametrize("head", CHECKING)
def test_what_the_agent_has_to_check_is_asked_for(head: str) -> None:
    """A list of things without their values is asked for, also below a line that would ask for a yes."""
    reading = read(f"{head}\n1. Your user id\n2. Your date of birth\n3. The reason for the return")
    assert reading.acts >= {Act.IDENTIFY, Act.ASK}
    assert not reading.consent


@pytest.mark.parametrize("head", ["Please confirm:", "I need to verify the plan with you:"])
def test_values_below_please_confirm_are_read_back(head: str) -> None:
    """Entries with values ask for no data."""
    reading = read(f"{head}\n- Order: #W1\n- New size: large\n- Refund: $5 to PayPal")
    assert Act.IDENTIFY not in reading.acts


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("Needed: patient's full name, date of birth, zip code on file.", True),
        ("Still missing - patient: name, birthday, phone/zip.", True),
        ("ID check: user id, date of birth.", True),
        ("Missing: two tacos.", False),
        ("Needed: zip code 78701 is on file.", False),
    ],
)
def test_a_line_without_a_verb_asks(message: str, asks: bool) -> None:
    """`Needed:` and the like ask for the things behind them that have no values."""
    assert (Act.IDENTIFY in read(message).acts) == asks
