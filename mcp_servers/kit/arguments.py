"""Types of arguments that several servers use. An error names an argument as the model wrote it."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field


def real_date(text: str) -> str:
    """Return the text of a date. Raise ValueError if the date does not exist."""
    date.fromisoformat(text)
    return text


def symbol(text: str) -> str:
    """Return a ticker or currency in capitals, without surrounding blanks. Raise ValueError if it is empty."""
    found = text.strip().upper()
    if not found.strip("."):
        raise ValueError("a symbol has letters or digits")
    return found


Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(real_date)]
"""A date as YYYY-MM-DD."""
