"""Retail's tables: products with their variants, users, and orders. Money is in US dollars."""

from typing import Annotated, Literal, NotRequired

from pydantic import Discriminator, Field
from typing_extensions import TypedDict

from env_server.domains.kit import CreditCard, Index, Paypal, PersonName, PostalAddress, Table


class Variant(TypedDict):
    """One version of a product that can be bought; an order's item names it by `item_id`."""

    item_id: str
    options: dict[str, str]
    available: bool
    price: float


class Product(TypedDict):
    """A product type and its variants by item id."""

    name: str
    product_id: str
    variants: dict[str, Variant]


class GiftCard(TypedDict):
    """A gift card with what is left on it."""

    source: Literal["gift_card"]
    id: str
    balance: float


PaymentMethod = Annotated[CreditCard | Paypal | GiftCard, Discriminator("source")]


class User(TypedDict):
    """A user, their payment methods by id, and the ids of their orders."""

    user_id: str
    name: PersonName
    address: PostalAddress
    email: str
    payment_methods: dict[str, PaymentMethod]
    orders: list[str]


class Item(TypedDict):
    """One bought item; the same `item_id` may occur several times in an order."""

    name: str
    product_id: str
    item_id: str
    price: float
    options: dict[str, str]


class Fulfillment(TypedDict):
    """A shipment."""

    tracking_id: list[str]
    item_ids: list[str]


class Payment(TypedDict):
    """Money taken for an order, or given back."""

    transaction_type: Literal["payment", "refund"]
    amount: float
    payment_method_id: str


class Order(TypedDict):
    """An order. What a cancellation, exchange or return adds is absent, or null, until then."""

    order_id: str
    user_id: str
    address: PostalAddress
    items: Annotated[list[Item], Field(min_length=1)]
    status: str
    fulfillments: list[Fulfillment]
    payment_history: Annotated[list[Payment], Field(min_length=1)]
    cancel_reason: NotRequired[str | None]
    exchange_items: NotRequired[list[str] | None]
    exchange_new_items: NotRequired[list[str] | None]
    exchange_payment_method_id: NotRequired[str | None]
    exchange_price_difference: NotRequired[float | None]
    return_items: NotRequired[list[str] | None]
    return_payment_method_id: NotRequired[str | None]


PRODUCTS = Table("products", Product, key="product_id", indexes=(Index("item_id", lambda row: row["variants"]),))

USERS = Table(
    "users",
    User,
    key="user_id",
    indexes=(
        Index("email", lambda row: (row["email"].lower(),)),
        Index("name_zip", lambda row: (name_zip(row["name"], row["address"]["zip"]),)),
    ),
)

ORDERS = Table("orders", Order, key="order_id")

TABLES = (PRODUCTS, USERS, ORDERS)


def name_zip(name: PersonName, zip_code: str) -> tuple[str, str, str]:
    """Return the index key for a user's name and zip code. The case of the name does not matter."""
    return name["first_name"].lower(), name["last_name"].lower(), zip_code
