"""Messages in the style of a chat: small letters throughout, no apostrophes, short forms."""

import pytest

from env_server.reading import Act, read


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("L799669 is not on your account, so I can't suspend it. the only line is L672756. anything else?", Act.REFUSE),
        ("yes, I checked. your account lists only line L672756, so L799669 can't be suspended here.", Act.REFUSE),
        ("ok. I would suspend line L672756 with reason vacation. it costs $5.00 a month. ok to do it?", Act.PROPOSE),
        ("cant be undone. i cancel order #W1 because it was ordered by mistake. do u want me to do that?", Act.PROPOSE),
        ("i can't move it to economy because KS173 (May 25) has no seats left. economy plus is possible", Act.REFUSE),
        ("your refill isn't possible today. you can get it from April 15, 2026", Act.REFUSE),
        ("i can't add Gwen to the waitlist of Dr. Rahman because he has open times, the first on March 10", Act.REFUSE),
        ("i'd change reservation LLYYZ6 to business for 2, on KS314, May 28. $980 to your visa. shall i?", Act.PROPOSE),
        (
            "i will cancel the visit with Dr. Judith Dalgaard (May 9, 14:00). the fee is $40.00. is that a yes?",
            Act.PROPOSE,
        ),
        ("Dr. Dalgaard, March 9: i'd cancel it and charge the $40.00 late fee. ok?", Act.PROPOSE),
        ("Confirm: cancel order #W1, ordered by mistake. Refund $5 to visa. Yes/no", Act.PROPOSE),
        ("done. i cancelled order #W1 and $5 goes back to the gift card", Act.CLAIM),
        ("done. Summit Premier, member number M41, is on file from today. ive cancelled the old one.", Act.CLAIM),
    ],
)
def test_a_chat_is_read(message: str, act: Act) -> None:
    """Names and codes in a message of small letters are no sign of words in disorder."""
    assert act in read(message).acts


@pytest.mark.parametrize(
    "message",
    [
        "Which booking is it you'd like to cancel, and what is the reason?",
        "For which line should roaming be removed?",
        "Could I have your name? One of these works, too: - email address, or - phone number",
    ],
)
def test_idioms_are_no_disorder(message: str) -> None:
    """Neighbours that are rare elsewhere stand side by side in questions and lists."""
    assert read(message).acts & {Act.ASK, Act.IDENTIFY}


@pytest.mark.parametrize("message", ["the size is U", "pay by card u/5", "see plz.example.com", "a cantata"])
def test_short_forms_are_whole_words(message: str) -> None:
    """A code, an address, and a word that only begins like a short form stay as they are."""
    assert read(message).text == message.lower()
