"""Doordash's tools: finding users and food, filling carts, placing, changing and refunding orders, addresses."""

from typing import Annotated, Any

from pydantic import Field

from env_server.domains.doordash import addresses, carts, orders, pricing, refunds, shown, tables
from env_server.domains.doordash.checks import (
    DashDb,
    address_of,
    cart_of,
    item_of,
    order_of,
    order_to_change,
    promo_of,
    restaurant_of,
    user_of,
    user_to_change,
    whole_cents,
)
from env_server.domains.doordash.clock import is_open
from env_server.domains.doordash.tables import CARTS, ITEMS, ORDERS, USERS, Cart, Order, User
from env_server.domains.kit import READ, WRITE, ToolError, tool

Quantity = Annotated[int, Field(ge=1, le=20)]
Tip = Annotated[float, Field(ge=0, le=200, allow_inf_nan=False)]
Amount = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=50)]
Days = Annotated[int, Field(ge=1, le=365)]
Zip = Annotated[str, Field(pattern=r"^[0-9]{5}$")]

ORDER = {"id": "order_id"}
LINE = {"cart_item_id": "line_id", "item_id": "line_id"}
PAYMENT = {"payment_id": "payment_method_id", "payment_method": "payment_method_id", "tip_amount": "tip"}
MISSING = {"missing_items": "items", "quantities": "items"}
PROBLEM = {**ORDER, **MISSING, "reason": "issue", "refund_method": "refund_to"}
STREET = {"street": "address1", "address_line1": "address1", "address_line2": "address2", "zip_code": "zip"}


_EMAIL, _PHONE = {"email_address": "email"}, {"phone_number": "phone"}


@tool(kind=READ, aliases=("find_user_id_by_email", "get_user_by_email"), argument_aliases=_EMAIL, identifies=True)
def find_user_by_email(db: DashDb, email: str) -> str:
    """Find the id of the user with this email address. Upper and lower case do not matter.

    Args:
        email: The email address, such as 'jo.doe@example.com'.
    """
    found = db[USERS].find("email", email.strip().lower())
    if not found:
        raise ToolError(f"no user has the email address {email!r}; ask for their phone number and last name instead")
    return found[0]["user_id"]


@tool(kind=READ, aliases=("find_user_id_by_phone", "get_user_by_phone"), argument_aliases=_PHONE, identifies=True)
def find_user_by_phone(db: DashDb, phone: str, last_name: str) -> str:
    """Find the id of the user with this phone number and last name.

    Args:
        phone: The phone number, however it is written, such as '555-010-1234'.
        last_name: The last name, such as 'Doe'. Upper and lower case do not matter.
    """
    found = db[USERS].find("phone", (tables.digits(phone), last_name.strip().lower()))
    if not found:
        raise ToolError(
            f"no user named {last_name} has the phone number {phone!r}; ask for their email address instead"
        )
    return found[0]["user_id"]


@tool(kind=READ, aliases=("get_user", "get_user_info", "get_user_profile"), argument_aliases={"id": "user_id"})
def get_user_details(db: DashDb, user_id: str) -> User:
    """Get a user: name, contact, date of birth, membership, addresses, payment methods with credits, used promos.

    Args:
        user_id: The user id.
    """
    return user_of(db, user_id)


@tool(
    kind=READ,
    aliases=("find_restaurants", "list_restaurants"),
    argument_aliases={"location": "city", "rating_min": "min_rating", "diet": "dietary"},
)
def search_restaurants(
    db: DashDb,
    city: str,
    cuisine: tables.Cuisine | None = None,
    price_range: tables.PriceRange | None = None,
    min_rating: float | None = None,
    dietary: tables.Diet | None = None,
    open_now: bool = False,
) -> list[dict[str, Any]]:
    """Search the restaurants of a city, the best rated first.

    Args:
        city: The city, such as the one of the user's address.
        cuisine: Only this cuisine.
        price_range: Only this price range, '$' to '$$$'.
        min_rating: Only restaurants rated at least this, out of 5.
        dietary: Only restaurants that cater for this diet.
        open_now: Whether to list only those that take orders now.
    """
    found = shown.restaurants(db, city, cuisine)
    wanted = (r for r in found if shown.fits(r, price_range, min_rating, dietary, open_now=open_now))
    return [shown.short_restaurant(restaurant) for restaurant in wanted]


@tool(kind=READ, aliases=("get_restaurant", "get_restaurant_info"), argument_aliases={"id": "restaurant_id"})
def get_restaurant_details(db: DashDb, restaurant_id: str) -> dict[str, Any]:
    """Get a restaurant: hours, order minimum, delivery radius, miles to each zip code; and whether it is open now.

    Args:
        restaurant_id: The restaurant id.
    """
    restaurant = restaurant_of(db, restaurant_id)
    return {**restaurant, "open_now": is_open(restaurant)}


@tool(kind=READ, aliases=("get_menu", "list_menu_items"), argument_aliases={"id": "restaurant_id"})
def get_restaurant_menu(
    db: DashDb, restaurant_id: str, category: tables.Category | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Get a restaurant's menu by category: items with their prices before options, and how many are left.

    Args:
        restaurant_id: The restaurant id.
        category: Only this category.
    """
    restaurant_of(db, restaurant_id)
    menu: dict[str, list[dict[str, Any]]] = {}
    for item in db[ITEMS].find("restaurant", restaurant_id):
        if category in (None, item["category"]):
            menu.setdefault(item["category"], []).append(shown.short_item(item))
    return menu


@tool(kind=READ, aliases=("get_item", "get_menu_item"), argument_aliases={"id": "item_id"})
def get_item_details(db: DashDb, item_id: str) -> tables.Item:
    """Get an item: price, stock, diets, and its options with the choices of each and what they add to the price.

    Args:
        item_id: The item id.
    """
    return item_of(db, item_id)


@tool(kind=READ, aliases=("check_delivery_range", "get_delivery_quote"))
def check_delivery(db: DashDb, restaurant_id: str, user_id: str, address_id: str) -> dict[str, Any]:
    """Check how far a user's address is from a restaurant, whether that is within its delivery radius, fee and time.

    The fee is the one before membership and promos.

    Args:
        restaurant_id: The restaurant id.
        user_id: The user id.
        address_id: The id of one of the user's addresses.
    """
    restaurant, address = restaurant_of(db, restaurant_id), address_of(user_of(db, user_id), address_id)
    return shown.delivery(restaurant, address)


@tool(kind=READ, aliases=("view_cart", "preview_order"), argument_aliases={"id": "user_id"})
def get_cart(db: DashDb, user_id: str, address_id: str | None = None, tip: Tip = 0) -> dict[str, Any]:
    """Get a user's cart and its subtotal; with an address, also every fee, the tax and the total of ordering it.

    Args:
        user_id: The user id.
        address_id: The id of one of the user's addresses, to see what an order to it would cost.
        tip: The courier's tip in dollars that the total is to hold.
    """
    user = user_of(db, user_id)
    cart = db[CARTS].get(user_id)
    if cart is None:
        return {"user_id": user_id, "lines": {}, "subtotal": 0.0}
    if address_id is None:
        return {**cart, "subtotal": pricing.subtotal(cart["lines"].values())}
    return shown.priced_cart(db, user, cart, address_of(user, address_id), whole_cents(tip))


@tool(kind=READ, aliases=("get_promo", "check_promo"), argument_aliases={"promo_code": "code"})
def get_promo_details(db: DashDb, code: str) -> tables.Promo:
    """Get a promo code: what it takes off, its minimum subtotal, when it expires, and for whom and where it is good.

    Args:
        code: The code. Upper and lower case do not matter.
    """
    return promo_of(db, code)


@tool(kind=READ, aliases=("get_order", "get_order_info"), argument_aliases=ORDER)
def get_order_details(db: DashDb, order_id: str) -> Order:
    """Get an order: status, lines by line id, address, every amount, payment method, times and refunds.

    Args:
        order_id: The order id, such as 'D12345678'.
    """
    return order_of(db, order_id)


@tool(kind=READ, aliases=("track_order",), argument_aliases=ORDER)
def get_order_status(db: DashDb, order_id: str) -> dict[str, Any]:
    """Get where an order is: its status, the time now, how late it is, and what cancelling it would cost now.

    Args:
        order_id: The order id, such as 'D12345678'.
    """
    return shown.order_status(order_of(db, order_id))


@tool(kind=READ, aliases=("get_order_history", "list_orders", "get_user_orders"), argument_aliases={"n": "limit"})
def get_user_order_history(db: DashDb, user_id: str, limit: Count = 5) -> list[dict[str, Any]]:
    """List a user's orders in short, the newest first.

    Args:
        user_id: The user id.
        limit: How many orders to list at most.
    """
    user_of(db, user_id)
    return [shown.short_order(order) for order in shown.newest(db[ORDERS].find("user", user_id))[:limit]]


@tool(kind=READ, aliases=("list_refunds", "get_user_refunds"))
def get_refund_history(db: DashDb, user_id: str, days: Days = 30) -> list[dict[str, Any]]:
    """List the refunds and credits that a user got for their orders in the last days, the newest first.

    Args:
        user_id: The user id.
        days: How many days to look back.
    """
    user_of(db, user_id)
    return shown.refunds_since(db[ORDERS].find("user", user_id), days)


@tool(kind=READ, aliases=("quote_missing_items", "get_refund_quote"), argument_aliases=MISSING)
def quote_item_refund(db: DashDb, order_id: str, items: dict[str, int]) -> dict[str, Any]:
    """Work out what refunding items of a delivered order gives back, tax and discount included; nothing is done.

    Args:
        order_id: The order id, such as 'D12345678'.
        items: How many of which lines: the order's line ids with a quantity each.
    """
    return shown.item_refunds(refunds.item_refunds(order_of(db, order_id), items))


@tool(kind=WRITE, aliases=("add_to_cart",), argument_aliases={"qty": "quantity", "customizations": "options"})
def add_item_to_cart(
    db: DashDb,
    user_id: str,
    item_id: str,
    quantity: Quantity = 1,
    options: dict[str, str] | None = None,
    replace_cart: bool = False,
) -> Cart:
    """Put an item into the user's cart. All of a cart is from one restaurant.

    Args:
        user_id: The user id.
        item_id: The item id.
        quantity: How many; they are added to what the cart holds of the same item with the same options.
        options: The choice for each of the item's options, such as {"size": "large"}. An option left out takes its
            first choice.
        replace_cart: Whether to empty the cart first, promo included. Needed where it is another restaurant's.
    """
    user_of(db, user_id)
    item = item_of(db, item_id)
    line = carts.new_line(item, options or {}, quantity)
    return carts.add(db, user_id, item, line, replace=replace_cart)


@tool(
    kind=WRITE, aliases=("update_cart_item_quantity", "modify_cart_item"), argument_aliases={**LINE, "qty": "quantity"}
)
def update_cart_item(db: DashDb, user_id: str, line_id: str, quantity: Quantity) -> Cart:
    """Change how many of a line the user's cart holds. For other options, remove the line and add the item again.

    Args:
        user_id: The user id.
        line_id: The line id in the cart.
        quantity: How many the cart is to hold of it in all.
    """
    cart = cart_of(db, user_id)
    line = carts.line_of(cart, line_id)
    if line["quantity"] == quantity:
        raise ToolError(f"the cart already holds {quantity} of {line_id!r}")
    cart["lines"][line_id] = carts.counted(line, quantity)
    return carts.stored(db, cart)


@tool(kind=WRITE, aliases=("remove_from_cart", "delete_cart_item"), argument_aliases=LINE)
def remove_item_from_cart(db: DashDb, user_id: str, line_id: str) -> dict[str, Any]:
    """Take a line out of the user's cart. With its last line the cart loses its promo too.

    Args:
        user_id: The user id.
        line_id: The line id in the cart.
    """
    cart = cart_of(db, user_id)
    del cart["lines"][carts.line_of(cart, line_id)["line_id"]]
    if cart["lines"]:
        return {**db[CARTS].put(cart)}
    db[CARTS].delete(user_id)
    return {"user_id": user_id, "lines": {}}


@tool(kind=WRITE, aliases=("apply_promo_code", "add_promo"), argument_aliases={"promo_code": "code"})
def apply_promo(db: DashDb, user_id: str, code: str) -> Cart:
    """Put a promo code on the user's cart, in place of the one that is on it. The order uses it up.

    Args:
        user_id: The user id.
        code: The code. Upper and lower case do not matter.
    """
    cart = cart_of(db, user_id)
    promo = carts.usable_promo(db, user_of(db, user_id), cart, code)
    if cart.get("promo_code") == promo["code"]:
        raise ToolError(f"promo {promo['code']} is already on the cart")
    cart["promo_code"] = promo["code"]
    return db[CARTS].put(cart)


@tool(kind=WRITE, aliases=("remove_promo_code",))
def remove_promo(db: DashDb, user_id: str) -> Cart:
    """Take the promo code off the user's cart.

    Args:
        user_id: The user id.
    """
    cart = cart_of(db, user_id)
    if "promo_code" not in cart:
        raise ToolError(f"there is no promo code on the cart of user {user_id!r}")
    del cart["promo_code"]
    return db[CARTS].put(cart)


@tool(
    kind=WRITE, aliases=("place_order", "checkout"), argument_aliases={**PAYMENT, "delivery_address_id": "address_id"}
)
def create_order(
    db: DashDb,
    user_id: str,
    address_id: str,
    payment_method_id: str,
    tip: Tip,
    instructions: tables.Instructions = "hand_to_me",
) -> Order:
    """Order what is in the user's cart, and charge it at once. The cart is empty afterwards.

    Get the total with get_cart first, and ask the user to confirm items, address, payment, tip and total.

    Args:
        user_id: The user id.
        address_id: The id of one of the user's addresses.
        payment_method_id: The id of one of the user's payment methods; credits must cover the whole total.
        tip: The courier's tip in dollars; 0 for none.
        instructions: How the courier hands the order over.
    """
    cart, user = cart_of(db, user_id), user_of(db, user_id)
    return carts.place(db, cart, user, address_id, payment_method_id, whole_cents(tip), instructions)


@tool(kind=WRITE, aliases=("modify_order", "update_order_address"), argument_aliases=ORDER)
def update_order(
    db: DashDb, order_id: str, address_id: str | None = None, instructions: tables.Instructions | None = None
) -> Order:
    """Change where an order goes, or how it is handed over. Its fees and promised time stay as they are.

    Args:
        order_id: The order id, such as 'D12345678'.
        address_id: The id of another address of the user, in the restaurant's city.
        instructions: How the courier is to hand the order over.
    """
    order = order_to_change(db, order_id)
    orders.redirect(db, order, address_id, instructions)
    return db[ORDERS].put(order)


@tool(kind=WRITE, argument_aliases={**ORDER, "refund_method": "refund_to"})
def cancel_order(
    db: DashDb, order_id: str, reason: tables.CancelReason, refund_to: tables.RefundTo, waive_fee: bool = False
) -> Order:
    """Cancel an order that was not picked up, and refund what was paid less the cancellation fee. Cannot be undone.

    The fee follows from the status; get_order_status tells it.

    Args:
        order_id: The order id, such as 'D12345678'.
        reason: Why it is cancelled.
        refund_to: The payment method that was charged ('original'), or the user's credits.
        waive_fee: Whether to charge no fee. Only where the policy allows it.
    """
    order = order_to_change(db, order_id)
    orders.cancel(db, order, reason, refund_to, waive_fee=waive_fee)
    return db[ORDERS].put(order)


@tool(
    kind=WRITE, aliases=("update_tip", "change_tip"), argument_aliases={**ORDER, "tip_amount": "tip", "amount": "tip"}
)
def adjust_tip(db: DashDb, order_id: str, tip: Tip) -> Order:
    """Change the courier's tip of an order; the difference is charged or given back to its payment method.

    Args:
        order_id: The order id, such as 'D12345678'.
        tip: The new tip in dollars, not the difference.
    """
    order = order_to_change(db, order_id)
    orders.retip(db, order, whole_cents(tip))
    return db[ORDERS].put(order)


@tool(
    kind=WRITE,
    aliases=("report_item_problem", "refund_items", "request_refund"),
    argument_aliases=PROBLEM,
)
def report_missing_items(
    db: DashDb, order_id: str, items: dict[str, int], issue: tables.ItemIssue, refund_to: tables.RefundTo
) -> Order:
    """Report items of a delivered order that were missing, wrong or damaged, and refund them at once.

    Each line can be refunded once: name all of it that is concerned. quote_item_refund tells the amount before.

    Args:
        order_id: The order id, such as 'D12345678'.
        items: How many of which lines: the order's line ids with a quantity each.
        issue: What was wrong with them.
        refund_to: The payment method that was charged ('original'), or the user's credits.
    """
    order = order_to_change(db, order_id)
    for line_id, amount in refunds.item_refunds(order, items).items():
        refunds.give_back(db, order, amount, issue, refund_to, line_id=line_id, quantity=items[line_id])
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("issue_credits", "issue_refund", "compensate"), argument_aliases=ORDER)
def issue_credit(db: DashDb, order_id: str, reason: tables.CreditReason, amount: Amount) -> Order:
    """Give the user credits for what went wrong with a delivered order. Once for each reason.

    Args:
        order_id: The order id, such as 'D12345678'.
        reason: What went wrong.
        amount: Dollars, as the policy sets them; at most what was paid and not refunded yet.
    """
    order = order_to_change(db, order_id)
    refunds.credit(db, order, reason, whole_cents(amount))
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("add_user_address",), argument_aliases=STREET)
def add_address(
    db: DashDb, user_id: str, label: tables.Label, address1: str, city: str, state: str, zip: Zip, address2: str = ""
) -> User:
    """Add an address to those of a user. It does not become the default one.

    Args:
        user_id: The user id.
        label: What the user calls it.
        address1: The first line, such as '12 Elm Street'.
        city: The city.
        state: The state's two letters.
        zip: The five digits of the zip code.
        address2: The second line, such as 'Apt 3'; '' where there is none.
    """
    user = user_to_change(db, user_id)
    parts = {"address1": address1, "address2": address2, "city": city, "state": state, "zip": zip}
    addresses.add(user, label, parts)
    return db[USERS].put(user)


@tool(kind=WRITE, aliases=("delete_address", "remove_user_address"))
def remove_address(db: DashDb, user_id: str, address_id: str) -> User:
    """Remove an address of a user, but not the default one. Orders already placed keep it.

    Args:
        user_id: The user id.
        address_id: The id of the address.
    """
    user = user_to_change(db, user_id)
    addresses.remove(user, address_id)
    return db[USERS].put(user)


@tool(kind=WRITE, aliases=("update_default_address", "change_default_address"))
def set_default_address(db: DashDb, user_id: str, address_id: str) -> User:
    """Make one of a user's addresses their default. Orders already placed stay as they are.

    Args:
        user_id: The user id.
        address_id: The id of the address.
    """
    user = user_to_change(db, user_id)
    addresses.make_default(user, address_id)
    return db[USERS].put(user)
