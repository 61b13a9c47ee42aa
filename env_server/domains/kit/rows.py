"""Types of rows that several domains have: people's names, postal addresses, cards and accounts."""

from typing import Literal

from typing_extensions import TypedDict


class PersonName(TypedDict):
    """A person's name."""

    first_name: str
    last_name: str


class PostalAddress(TypedDict):
    """A postal address."""

    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class CreditCard(TypedDict):
    """A credit card."""

    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str


class Paypal(TypedDict):
    """A PayPal account."""

    source: Literal["paypal"]
    id: str
