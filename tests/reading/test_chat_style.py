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
        ("done. Summit Premier, member number M41, is on file from today. ive cancelled the old one.", Act.CLAIM),
    ],
)
def test_a_chat_is_read(message: str, act: Act) -> None:
    """Names and codes in a message of small letters are no sign of words in disorder."""
    assert act in read(message).acts


@pytest.mark.parametrize("message", ["the size is U", "pay by card u/5", "see plz.example.com", "a cantata"])
def test_short_forms_are_whole_words(message: str) -> None:
    """A code, an address, and a word that only begins like a short form stay as they are."""
    assert read(message).text == message.lower()
