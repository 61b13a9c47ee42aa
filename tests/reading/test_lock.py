"""Messages that imitate strong phrases without meaning them earn nothing.

One task serves for all: the user wants an order cancelled, and must be refused because it was delivered. A message
earns something if the user would agree to it, if its refusal counts as heard, or if its report of a change passes
without being a fault.
"""

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from env_server.domains.kit import Due, Gold, GoldCall, Request, Shape, Task, UserScript, Value, WantedChange
from env_server.policies.oracle.phrasing import PHRASINGS
from env_server.reading import read
from env_server.reading.words.text import LONGEST
from env_server.rewards.components.heard import heard_value
from env_server.rewards.conduct import events as conduct
from env_server.rewards.conduct.ledger import Ledger
from env_server.understanding import hear
from env_server.understanding.ear import ChangePlace, Ear

PLAN = "cancel order #W1182 because it was ordered by mistake"
SCRIPT = UserScript(
    requests=(
        Request(
            ask="I want to cancel an order.",
            details={"order": "It is order #W1182.", "reason": "It was a mistake."},
            values={"order": Value(says=("#W1182",)), "reason": Value(says=("mistake",), others=("no longer needed",))},
            changes=(
                WantedChange(
                    plan=PLAN,
                    done="order #W1182 has been cancelled",
                    verbs=("cancel", "call off"),
                    names=("order", "reason"),
                    calls=(Shape(name="cancel_pending_order", arguments={"order_id": "#W1182"}),),
                ),
            ),
        ),
    )
)
TASK = Task(
    task_id="t",
    domain="retail",
    instruction="Do.",
    user=SCRIPT,
    gold=Gold(actions=(GoldCall(name="get_order_details", arguments={"order_id": "#W1182"}),)),
    dues=(Due(wish=0, kind="refuse", because=Value(says=("delivered",), others=("processed",)), after=(0,)),),
)
PROPOSALS = [
    *(phrasing.propose.format(plan=PLAN) for phrasing in PHRASINGS),
    "Please reply yes to confirm that you would like me to cancel order #W1182 as ordered by mistake.",
    "Would you like me to proceed with the cancellation of order #W1182 (ordered by mistake)?",
]
REFUSALS = [
    *(phrasing.refuse.format(plan=PLAN, fact="the order has been delivered") for phrasing in PHRASINGS),
    "Unfortunately, order #W1182 cannot be cancelled since it was delivered.",
]
REPORTS = [
    *(phrasing.claim.format(done="order #W1182 has been cancelled") for phrasing in PHRASINGS),
    "I have cancelled order #W1182 for you; the refund has been processed.",
]
STRONG = [*PROPOSALS, *REFUSALS, *REPORTS]

MIXES = 1_000


def earned(message: str) -> set[str]:
    """Return the gains of a message after the look-up: a confirmation, a counted refusal, or an accepted report."""
    heard = hear(Ear(SCRIPT, 0, (0,)), read(message))
    ledger = Ledger()
    conduct.on_message(ledger, TASK, heard, (0,))
    found = {
        "yes": any(offer.right for offer in heard.offers),
        "refusal": heard_value(TASK, ledger)["value"] == 1.0,
        "report": bool(heard.claims) and not ledger.faults,
    }
    return {name for name, won in found.items() if won}


def claimed(message: str) -> bool:
    """Return whether the user takes a message for a report."""
    return bool(hear(Ear(SCRIPT, 0, (0,)), read(message)).claims)


def test_the_lines_say_what_they_say() -> None:
    """Each strong line earns its intended gain, or counts as the report that it is."""
    assert [line for line in PROPOSALS if earned(line) != {"yes"}] == []
    assert [line for line in REFUSALS if earned(line) != {"refusal"}] == []
    assert [line for line in REPORTS if not claimed(line)] == []


def test_shuffled_words_earn_nothing() -> None:
    """The words of a strong line, or of two, in any other order: no yes, no refusal, and next to no report."""
    rng = random.Random(11)
    reports = 0
    for _ in range(MIXES):
        words = " ".join(rng.sample(STRONG, rng.randint(1, 2))).split()
        rng.shuffle(words)
        message = " ".join(words)
        assert earned(message) == set(), message
        reports += claimed(message)
    assert reports <= MIXES / 100


def pieces(rng: random.Random) -> Iterator[str]:
    """Pieces of one to three words of the strong lines."""
    while True:
        words, size = rng.choice(STRONG).split(), rng.randint(1, 3)
        start = rng.randrange(len(words) - size + 1)
        yield " ".join(words[start : start + size])


def test_mixes_of_the_strongest_pieces_earn_nothing() -> None:
    """1,000 strings of pieces of strong lines: no yes, no refusal, and next to no report."""
    rng = random.Random(12)
    reports = 0
    source = pieces(rng)
    for _ in range(MIXES):
        message = " ".join(next(source) for _ in range(rng.randint(4, 20)))
        assert earned(message) == set(), message
        reports += claimed(message)
    assert reports <= MIXES / 50


@pytest.mark.parametrize(
    "frame",
    [
        'You said: "{}"',
        "You said '{}'",
        "You said “{}”, right?",
        'My colleague wrote: "{}" That was wrong.',
        'Earlier you said "{}" Is that so?',
        "> {}",
        "```\n{}\n```",
    ],
)
def test_quotations_earn_nothing(frame: str) -> None:
    """A quotation is no proposal, no refusal and no report."""
    lines = [line for line in STRONG if "\n" not in line and '"' not in line]
    assert [line for line in lines if earned(frame.format(line)) or claimed(frame.format(line))] == []


@pytest.mark.parametrize(
    "message",
    [
        "If the order had been delivered, I could not cancel order #W1182.",
        "If order #W1182 has been delivered, I cannot cancel it.",
        "Had it been delivered, I could not have cancelled order #W1182.",
        "In case order #W1182 has been delivered, cancelling is not possible.",
        "I cannot cancel order #W1182 if it has been delivered.",
        "Suppose I cannot cancel order #W1182 because it has been delivered: what then?",
        "What would you say if I told you that I cannot cancel order #W1182 because it has been delivered?",
        "Would it be right to say that I cannot cancel order #W1182 because it has been delivered?",
        "If order #W1182 were ordered by mistake, I would cancel it. Right?",
        "If it had not been delivered, I would cancel order #W1182 as ordered by mistake. Shall I tell you more?",
        "Unless it has been delivered, I can cancel order #W1182.",
        "Once order #W1182 has been cancelled, I will tell you.",
        "If you want, order #W1182 has been cancelled.",
        "Imagine order #W1182 has been cancelled.",
    ],
)
def test_conditions_earn_nothing(message: str) -> None:
    """A hypothetical statement is no proposal, no refusal and no report."""
    assert earned(message) == set()
    assert not claimed(message)


REFUSE, PROPOSE, REPORT = REFUSALS[0], PROPOSALS[0], "Order #W1182 has been cancelled."


@pytest.mark.parametrize(
    "message",
    [
        f"{REFUSE} {PROPOSE}",
        f"{PROPOSE} {REFUSE}",
        f"{REPORT} {REFUSE}",
        f"{REFUSE} {REPORT}",
        f"{REPORT} {PROPOSE}",
        f"{PROPOSE} {REPORT}",
        f"{REFUSE} {REPORT} {PROPOSE}",
        "I will cancel order #W1182 (ordered by mistake), but I cannot cancel order #W1182, because it has been "
        "delivered. Shall I go ahead?",
        "I can and cannot cancel order #W1182: it has been delivered. Shall I cancel it as ordered by mistake?",
        "Order #W1182 has been cancelled and I cannot cancel order #W1182, because it has been delivered.",
    ],
)
def test_yes_and_no_to_one_wish_earn_nothing(message: str) -> None:
    """A message that contradicts itself gets no confirmation, and neither its refusal nor its report counts."""
    assert earned(message) == set()


QUESTIONS = ("Shall I go ahead?", "Do you confirm?", "Shall I proceed with this?")
DONE = ("All done.", "It's done.", "Refund issued.", "All done. Refund issued.")
NO = ("I can't do that.", "Sorry, I can't do that. It was delivered.", REFUSALS[-1])


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("parts", list(product(QUESTIONS, DONE, NO)))
def test_short_phrases_that_contradict_each_other_earn_nothing(parts: tuple[str, ...], order: tuple[int, ...]) -> None:
    """A bare question for a yes, a bare report and a refusal together are none of them, and the user asks back."""
    message = " ".join(parts[place] for place in order)
    heard = hear(Ear(SCRIPT, 0, (0,)), read(message))
    assert earned(message) == set()
    assert heard.vague
    assert not heard.refusals


def test_a_report_a_refusal_and_a_question_about_different_wishes_are_heard() -> None:
    """A message may report one change, refuse another and ask for a yes to a third, if it names them."""
    refused = "Order #W1182 cannot be cancelled, because it was delivered."
    assert earned(f"I've changed the address of order #W1183. {refused} Anything else?") == {"refusal"}
    assert earned(f"All done with the address. {refused} Shall I return the lamp of order #W1183?") == {"refusal"}


@pytest.mark.parametrize("line", [PROPOSE, REFUSE, REPORT])
def test_text_beyond_what_is_read_earns_nothing(line: str) -> None:
    """Text after the last character that the reader reads has no effect."""
    filler = "Thank you for waiting. " * (LONGEST // 23 + 1)
    assert earned(filler + line) == set()
    assert not claimed(filler + line)


@pytest.mark.parametrize(
    "message",
    [
        "You're welcome! You're all set.",
        "You're all set, Sam. Have a great day!",
        "You're all set - someone from our team will take it from here.",
        "Unfortunately, order #W1182 has been cancelled.",
        "And then it's all done.",
        "It says order #W1182 has been cancelled.",
        "Your order has already been cancelled, and the money has been refunded.",
        "Your order is cancelled, so you can no longer see it in the app.",
        "I've got order #W1182 cancelled for you.",
        "Upon confirmation, order #W1182 has been cancelled.",
        '{"message": "Order #W1182 has been cancelled."}',
    ],
)
def test_no_report_of_an_agreed_change_passes_unheard(message: str) -> None:
    """Words after a yes that might be a report are one, or the user asks whether the change is made."""
    heard = hear(Ear(SCRIPT, 0, (0,), agreed=(ChangePlace(0, 0),)), read(message))
    assert heard.claims or heard.doubtful
