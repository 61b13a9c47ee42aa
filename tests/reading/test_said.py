"""Acts that the reader detects in sentences of many styles, and sentences without acts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from env_server.reading import Act, read

SAID = Path(__file__).parent / "said"


def lines(name: str) -> Iterator[str]:
    """Yield the messages of a table, in which a backslash and an n stand for a line break."""
    for line in (SAID / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        yield line.replace("\\n", "\n")


@pytest.mark.parametrize("act", ["propose", "claim", "refuse", "transfer", "close", "identify", "instruct"])
def test_every_style_is_heard(act: str) -> None:
    """An act is heard in terse, long, polite, broken, Markdown and British wordings of it."""
    table = list(lines(act))
    assert len(table) >= 20
    assert [line for line in table if Act(act) not in read(line).acts] == []


def test_near_misses_are_not_heard() -> None:
    """Conditions, quotations, questions, records, plans and other acts in the same words are not the act."""
    misses = [line.partition("\t") for line in lines("misses")]
    assert len(misses) >= 40
    assert [text for act, _, text in misses if Act(act) in read(text).acts] == []


@pytest.mark.parametrize(
    "frame", ['If I said "{}", what would you do?', "> {}", 'The old rules said: "{}"', "```\n{}\n```"]
)
def test_quoted_reports_are_no_reports(frame: str) -> None:
    """A quotation by the agent is no report."""
    reports = [line.rstrip(".!") for line in lines("claim") if "\n" not in line and '"' not in line]
    assert [line for line in reports if Act.CLAIM in read(frame.format(line)).acts] == []


@pytest.mark.parametrize(
    "condition", ["If you agree, ", "Once you confirm, ", "As soon as you say yes, ", "Unless you object, "]
)
@pytest.mark.parametrize(
    "report", ["it will be cancelled", "your order has been cancelled", "I have refunded $5", "it is done"]
)
def test_conditional_reports_are_no_reports(condition: str, report: str) -> None:
    """A conditional statement is no report."""
    assert Act.CLAIM not in read(condition + report + ".").acts


def test_doubtful_reports_are_marked() -> None:
    """A statement about a record is a doubtful report, so that the user can ask whether the change is done."""
    reading = read("I see that your order has already been cancelled.")
    assert Act.CLAIM not in reading.acts
    assert [sentence.firm for sentence in reading.doing(Act.CLAIM)] == [False]


def test_confirmation_without_content_is_vague() -> None:
    """A request for confirmation that describes no change is vague and proposes nothing."""
    reading = read("Shall I go ahead?")
    assert reading.consent
    assert reading.vague
    assert Act.PROPOSE not in reading.acts


def test_details_of_a_proposal_are_told_apart() -> None:
    """Sentences keep their entries apart, without marks, and say which of them asks for the yes."""
    reading = read("**I will:**\n- Cancel order `#W1`\n- Refund *$5* to PayPal\n\nShall I go ahead?")
    assert [sentence.text for sentence in reading.sentences if sentence.entry] == [
        "cancel order #w1",
        "refund $5 to paypal",
    ]
    assert [sentence.text for sentence in reading.sentences if sentence.consent] == ["shall i go ahead?"]
    assert Act.PROPOSE in reading.acts


def test_offer_of_transfer_is_a_question() -> None:
    """An offer to transfer, also when its question only points at it, is a question and no transfer or proposal."""
    for offer in (
        "I can transfer you to a human agent. Would you like me to do that?",
        "Shall I connect you to an agent?",
    ):
        reading = read(offer)
        assert reading.offers_transfer
        assert reading.acts & {Act.ASK, Act.TRANSFER, Act.PROPOSE} == {Act.ASK}
        assert not reading.consent


def test_lost_users_and_lookups_are_heard() -> None:
    """Not finding the user, and asking for patience, are heard beside the acts."""
    assert read("I couldn't find an account with that email.").lost
    assert not read("I couldn't find an order with that number.").lost
    assert read("Let me look up your order, one moment please.").waits
    assert not read("Your order is pending.").waits


def test_what_is_not_understood_is_unread() -> None:
    """Words without any act are unread; no words at all are not."""
    assert read("Bananas are yellow and so on").unread
    assert not read("").unread
    assert not read("---\n\n***").unread
    assert not read("Please tell me your user id.").unread


@pytest.mark.parametrize(
    "salad",
    [
        "cancelled has been order your please confirm proceed to like you would",
        "has been cancelled please confirm you would like me to cancel i am unable to refund",
        "your order has been cancelled shall i cancel unfortunately i cannot cancel transferring you to a human agent",
    ],
)
def test_strings_of_strong_phrases_say_nothing(salad: str) -> None:
    """Strong phrases strung together propose, report and refuse nothing."""
    assert read(salad).acts & {Act.PROPOSE, Act.CLAIM, Act.REFUSE} == set()
