"""Doordash's tables: restaurants and what they sell, promo codes, users, their carts and orders.

Money is in US dollars and whole cents, distances in miles, times are local, as 'YYYY-MM-DDTHH:MM'.
"""

from typing import Annotated, Literal, NotRequired

from pydantic import Discriminator
from typing_extensions import TypedDict

from env_server.domains.kit import CreditCard, Index, Paypal, PersonName, Table

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Cuisine = Literal[
    "american", "ethiopian", "greek", "indian", "italian", "japanese", "korean", "levantine", "mexican", "thai"
]
PriceRange = Literal["$", "$$", "$$$"]
Diet = Literal["vegetarian", "vegan", "gluten-free", "halal"]
Category = Literal["starter", "main", "bowl", "side", "drink", "dessert", "alcohol"]
Membership = Literal["none", "plus"]
Status = Literal["placed", "preparing", "ready", "picked_up", "delivered", "cancelled"]
Instructions = Literal["hand_to_me", "leave_at_door", "meet_outside", "leave_with_reception"]
CancelReason = Literal[
    "changed_mind", "ordered_by_mistake", "wrong_address", "too_late", "restaurant_problem", "courier_problem"
]
ItemIssue = Literal["missing", "wrong", "damaged"]
CreditReason = Literal["late", "cold_food", "courier_conduct"]
RefundReason = Literal["missing", "wrong", "damaged", "late", "cold_food", "courier_conduct", "cancelled"]
RefundTo = Literal["original", "credits"]
Label = Literal["home", "work", "studio", "other"]
Audience = Literal["everyone", "members", "first_order"]


class Hours(TypedDict):
    """When a restaurant takes orders on one weekday, as 'HH:MM'; `opens` < `closes`, both on that day."""

    opens: str
    closes: str


class Restaurant(TypedDict):
    """A restaurant. It delivers to addresses within `delivery_radius` miles."""

    restaurant_id: str
    name: str
    cuisine: Cuisine
    city: str
    zip: str
    phone: str
    price_range: PriceRange
    rating: float
    dietary: list[Diet]
    hours: dict[Weekday, Hours]
    """Weekdays that are missing are days off."""

    accepting_orders: bool
    """False while it takes no orders for reasons of its own, whatever its hours."""

    order_minimum: float
    prep_minutes: int
    delivery_radius: float
    miles: dict[str, float]
    """Zip code -> distance in miles and tenths, for every zip code of its city, also beyond the radius."""

    tax_rate: float
    """Per cent, with at most three decimals."""


class Item(TypedDict):
    """An item of a menu."""

    item_id: str
    restaurant_id: str
    name: str
    category: Category
    price: float
    stock: int
    """How many are left today; 0 is sold out."""

    dietary: list[Diet]
    alcohol: bool
    options: dict[str, dict[str, float]]
    """Option -> choice -> what it adds to the price; the first choice is taken where the customer names none."""


class Promo(TypedDict):
    """A promo code, in capitals, which every user may use once."""

    code: str
    kind: Literal["percentage", "amount_off", "free_delivery"]
    value: float
    """Per cent of the subtotal, or dollars; 0 for free delivery."""

    max_discount: NotRequired[float]
    minimum_subtotal: float
    expires_at: str
    """The last minute in which it is valid."""

    audience: Audience
    restaurant_id: NotRequired[str]
    """The only restaurant it is good for; at any where absent."""


class Address(TypedDict):
    """Where a courier may be sent."""

    address_id: str
    label: Label
    address1: str
    address2: str
    city: str
    state: str
    zip: str


class Credits(TypedDict):
    """The user's credits with the service: each user has exactly one such balance."""

    source: Literal["credits"]
    id: str
    balance: float


PaymentMethod = Annotated[CreditCard | Paypal | Credits, Discriminator("source")]


class User(TypedDict):
    """A user, their addresses and payment methods by id. Orders are found by their `user_id`."""

    user_id: str
    name: PersonName
    email: str
    phone: str
    date_of_birth: str
    membership: Membership
    addresses: dict[str, Address]
    default_address_id: str
    payment_methods: dict[str, PaymentMethod]
    promos_used: list[str]
    """Sorted codes."""


class Line(TypedDict):
    """Some of one item with the same options; `line_id` follows from item and options (see `ids.line_id`)."""

    line_id: str
    item_id: str
    name: str
    options: dict[str, str]
    """Option -> choice, every option of the item, in the menu's order."""

    quantity: int
    unit_price: float
    price: float


class Cart(TypedDict):
    """What a user is about to order, all from one restaurant. A user without a row has an empty cart."""

    user_id: str
    restaurant_id: str
    lines: dict[str, Line]
    promo_code: NotRequired[str]


class Refund(TypedDict):
    """Money given back. Refunds of an order are sorted by time, line and reason."""

    reason: RefundReason
    line_id: str
    """The line it is for; '' for the order as a whole."""

    quantity: int
    """How many of the line; 0 for the order as a whole."""

    amount: float
    payment_method_id: str
    at: str


class Order(TypedDict):
    """An order. `payment_method_id` was charged `total`, of which the refunds give some back."""

    order_id: str
    user_id: str
    restaurant_id: str
    restaurant: str
    status: Status
    lines: dict[str, Line]
    address: Address
    instructions: Instructions
    subtotal: float
    discount: float
    delivery_fee: float
    service_fee: float
    small_order_fee: float
    tax: float
    tip: float
    total: float
    promo_code: NotRequired[str]
    payment_method_id: str
    placed_at: str
    promised_at: str
    """When it was to be delivered at the latest."""

    picked_up_at: NotRequired[str]
    delivered_at: NotRequired[str]
    cancelled_at: NotRequired[str]
    cancel_reason: NotRequired[CancelReason]
    cancellation_fee: NotRequired[float]
    refunds: list[Refund]


def digits(phone: str) -> str:
    """Return the last ten digits of a phone number, for comparison of numbers in any format."""
    return "".join(c for c in phone if c in "0123456789")[-10:]


RESTAURANTS = Table(
    "restaurants",
    Restaurant,
    key="restaurant_id",
    indexes=(
        Index("city", lambda row: (row["city"].lower(),)),
        Index("city_cuisine", lambda row: ((row["city"].lower(), row["cuisine"]),)),
    ),
)
ITEMS = Table("items", Item, key="item_id", indexes=(Index("restaurant", lambda row: (row["restaurant_id"],)),))
PROMOS = Table("promos", Promo, key="code")
USERS = Table(
    "users",
    User,
    key="user_id",
    indexes=(
        Index("email", lambda row: (row["email"].lower(),)),
        Index("phone", lambda row: ((digits(row["phone"]), row["name"]["last_name"].lower()),)),
    ),
)
CARTS = Table("carts", Cart, key="user_id")
ORDERS = Table("orders", Order, key="order_id", indexes=(Index("user", lambda row: (row["user_id"],)),))

TABLES = (RESTAURANTS, ITEMS, PROMOS, USERS, CARTS, ORDERS)
