"""Everyday names of the topics of a script."""

WORDS = {
    "zip": "zip code",
    "email": "email address",
    "user_id": "user id",
    "dob": "date of birth",
    "phone": "phone number",
}


def words_of(topic: str) -> str:
    """Return the everyday name of a topic."""
    return WORDS.get(topic, topic.replace("_", " "))
