"""Types of arguments that several servers take. What is wrong is told under the name by which a model passed it."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field


def real_date(text: str) -> str:
    """The text of a date, which exists; raises ValueError where it does not."""
    date.fromisoformat(text)
    return text


def symbol(text: str) -> str:
    """A ticker or currency as services write it: without blanks around it, in capitals; raises ValueError for none."""
    found = text.strip().upper()
    if not found.strip("."):
        raise ValueError("a symbol has letters or digits")
    return found


Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(real_date)]
"""A day as YYYY-MM-DD."""
