"""Retail's tools. Amounts are US dollars; lists of items pair up by position."""

from typing import Any, Literal

from env_server.domains.kit import READ, WRITE, refuse, tool
from env_server.domains.retail.checks import (
    RetailDb,
    need_balance,
    need_items,
    need_status,
    net_refunds,
    new_address,
    new_variants,
    order_of,
    payment,
    payment_method_of,
    refund,
    replace_items,
    take,
    user_of,
)
from env_server.domains.retail.dialects import DELIVERED, PENDING
from env_server.domains.retail.tables import ORDERS, PRODUCTS, USERS, Order, Product, User, Variant, name_zip

ADDRESS_ALIASES = {
    "address_line1": "address1",
    "address_line2": "address2",
    "street": "address1",
    "zip_code": "zip",
    "postal_code": "zip",
}
ITEM_ALIASES = {"items": "item_ids", "new_items": "new_item_ids", "payment_id": "payment_method_id"}
REASONS = ("no longer needed", "ordered by mistake")


@tool(
    kind=READ,
    aliases=("find_user_by_email", "get_user_id_by_email"),
    argument_aliases={"email_address": "email"},
    identifies=True,
)
def find_user_id_by_email(db: RetailDb, email: str) -> str:
    """Find the id of the user with this email address. Upper and lower case do not matter.

    Args:
        email: The email address, such as 'jo.doe1234@example.com'.
    """
    found = db[USERS].find("email", email.lower())
    return found[0]["user_id"] if found else refuse(db.dialect.no_such_email, email=email)


@tool(
    kind=READ,
    aliases=("find_user_by_name_zip", "get_user_id_by_name_zip"),
    argument_aliases={"firstname": "first_name", "lastname": "last_name", "zip_code": "zip", "postal_code": "zip"},
    identifies=True,
)
def find_user_id_by_name_zip(db: RetailDb, first_name: str, last_name: str, zip: str) -> str:
    """Find the id of the user with this name and zip code. Upper and lower case do not matter.

    Use it where the user does not remember their email address, or where it was not found.

    Args:
        first_name: The first name, such as 'Jo'.
        last_name: The last name, such as 'Doe'.
        zip: The zip code of their address, such as '12345'.
    """
    found = db[USERS].find("name_zip", name_zip({"first_name": first_name, "last_name": last_name}, zip))
    if not found:
        refuse(db.dialect.no_such_name_zip, first_name=first_name, last_name=last_name, zip=zip)
    return found[0]["user_id"]


@tool(kind=READ, aliases=("get_user", "get_user_info"), argument_aliases={"id": "user_id"})
def get_user_details(db: RetailDb, user_id: str) -> User | dict[str, Any]:
    """Get a user's name, address, email, payment methods (with gift card balances) and the ids of their orders.

    Args:
        user_id: The user id, such as 'jo_doe_1234'.
    """
    return _shown(db, user_of(db, user_id))


@tool(kind=READ, aliases=("get_order", "get_order_info", "get_order_status"), argument_aliases={"id": "order_id"})
def get_order_details(db: RetailDb, order_id: str) -> Order:
    """Get an order: its status, items with prices and options, address, shipments and payments.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
    """
    return db[ORDERS].get(order_id) or refuse(db.dialect.no_such_order, order_id=order_id)


@tool(kind=READ, aliases=("get_product", "get_product_info"), argument_aliases={"id": "product_id"})
def get_product_details(db: RetailDb, product_id: str) -> Product:
    """Get a product type with all its variants: item id, options, price, and whether it is available.

    Args:
        product_id: The product id, such as '1234567890'. It is not an item id.
    """
    return db[PRODUCTS].get(product_id) or refuse(db.dialect.no_such_product, product_id=product_id)


@tool(kind=READ, aliases=("get_item", "get_variant_details"), argument_aliases={"id": "item_id"})
def get_item_details(db: RetailDb, item_id: str) -> Variant:
    """Get one variant of a product: its options, its price now, and whether it is available.

    Args:
        item_id: The item id, such as '1234567890'. It is not a product id.
    """
    found = db[PRODUCTS].find("item_id", item_id)
    return found[0]["variants"][item_id] if found else refuse(db.dialect.no_such_item, item_id=item_id)


@tool(kind=READ, aliases=("list_product_types", "list_all_products", "list_products"))
def list_all_product_types(db: RetailDb) -> dict[str, str]:
    """List the names of all product types in alphabetical order, each with its product id."""
    return dict(sorted((product["name"], product["product_id"]) for product in db[PRODUCTS]))


@tool(kind=WRITE, aliases=("cancel_order",), argument_aliases={"id": "order_id", "cancel_reason": "reason"})
def cancel_pending_order(
    db: RetailDb, order_id: str, reason: Literal["no longer needed", "ordered by mistake"]
) -> Order:
    """Cancel a whole order that is still pending, and refund it to the way it was paid.

    A gift card gets its money back at once, other payment methods within days. Ask the user to confirm the order and
    the reason first. It cannot be undone.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        reason: Why the user cancels: exactly 'no longer needed' or 'ordered by mistake'.
    """
    rules = db.dialect
    order = order_of(db, order_id)
    need_status(order, (PENDING,), rules.not_cancellable)
    if reason not in REASONS:
        refuse(rules.bad_reason, reason=reason)
    history = order["payment_history"]
    entries = [refund(entry["amount"], entry["payment_method_id"]) for entry in history]
    refunds = net_refunds(history) if rules.refunds_net else entries
    for entry in refunds:
        take(db, order, entry["payment_method_id"], -entry["amount"])
    history.extend(refunds)
    order["status"] = "cancelled"
    order["cancel_reason"] = reason
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("modify_order_address", "change_order_address"), argument_aliases={**ADDRESS_ALIASES})
def modify_pending_order_address(
    db: RetailDb, order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Order:
    """Change where a pending order is shipped to. The user's own address stays as it is.

    Ask the user to confirm the new address first.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        address1: The first line, such as '12 Elm Street'.
        address2: The second line, such as 'Suite 3'; '' where there is none.
        city: The city, such as 'Denver'.
        state: The state's two letters, such as 'CO'.
        country: The country, such as 'USA'.
        zip: The zip code, such as '80203'.
    """
    order = order_of(db, order_id)
    need_status(order, db.dialect.modifiable, db.dialect.not_modifiable)
    order["address"] = new_address(
        db,
        {
            "address1": address1,
            "address2": address2,
            "city": city,
            "state": state,
            "country": country,
            "zip": zip,
        },
    )
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("modify_order_items", "modify_items"), argument_aliases={**ITEM_ALIASES})
def modify_pending_order_items(
    db: RetailDb, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Order:
    """Change items of a pending order to other available variants of the same products.

    This can be done only once for an order, and afterwards the order can be neither cancelled nor its payment
    changed: collect every item the user wants to change, and ask them to confirm, before you call it.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        item_ids: The ids of the items to change; an item that is to change twice is named twice.
        new_item_ids: The ids of the variants to change them to, in the same order as item_ids.
        payment_method_id: What pays, or is refunded, the difference in price, such as 'gift_card_1234567'. A gift
            card must hold enough.
    """
    rules = db.dialect
    order = order_of(db, order_id)
    need_status(order, (PENDING,), rules.items_not_modifiable)
    need_items(db, order, item_ids, rules.not_in_order_to_modify)
    if len(item_ids) != len(new_item_ids):
        refuse(rules.unequal_to_modify, old=len(item_ids), new=len(new_item_ids))
    variants, due = new_variants(db, order, item_ids, new_item_ids, may_stay=rules.accepts_same_item)
    due = round(due, 2) if rules.rounds_charges else due
    method = payment_method_of(db, order, payment_method_id)
    need_balance(method, due, rules.too_little_to_modify)
    amount = float(abs(due)) if rules.coerces else abs(due)  # 0 for no items at all is the only int
    entry = payment(amount, payment_method_id) if due > 0 else refund(amount, payment_method_id)
    order["payment_history"].append(entry)
    take(db, order, payment_method_id, due)
    replace_items(db, order, item_ids, variants)
    order["status"] = "pending (item modified)"
    return db[ORDERS].put(order)


@tool(
    kind=WRITE,
    aliases=("modify_order_payment", "change_order_payment", "modify_pending_order_payment_method"),
    argument_aliases={"payment_id": "payment_method_id"},
)
def modify_pending_order_payment(db: RetailDb, order_id: str, payment_method_id: str) -> Order:
    """Pay a pending order with another payment method; the first payment is refunded. Possible once for an order.

    Ask the user to confirm first.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        payment_method_id: The new payment method, such as 'paypal_1234567'; a gift card must hold the whole amount.
    """
    rules = db.dialect
    order = order_of(db, order_id)
    need_status(order, rules.modifiable, rules.not_modifiable)
    method = payment_method_of(db, order, payment_method_id)
    history = order["payment_history"]
    if len(history) != 1 or history[0]["transaction_type"] != "payment":
        refuse(rules.not_one_payment, order_id=order_id, count=len(history))
    paid, amount = history[0]["payment_method_id"], history[0]["amount"]
    if paid == payment_method_id:
        refuse(rules.same_payment_method, order_id=order_id, payment_method_id=payment_method_id)
    need_balance(method, amount, rules.too_little_to_pay)
    history.extend([payment(amount, payment_method_id), refund(amount, paid)])
    take(db, order, payment_method_id, amount)
    take(db, order, paid, -amount)
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("change_user_address", "update_user_address"), argument_aliases={**ADDRESS_ALIASES})
def modify_user_address(
    db: RetailDb, user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> User | dict[str, Any]:
    """Change a user's own address. Orders already placed keep theirs.

    Ask the user to confirm the new address first.

    Args:
        user_id: The user id, such as 'jo_doe_1234'.
        address1: The first line, such as '12 Elm Street'.
        address2: The second line, such as 'Suite 3'; '' where there is none.
        city: The city, such as 'Denver'.
        state: The state's two letters, such as 'CO'.
        country: The country, such as 'USA'.
        zip: The zip code, such as '80203'.
    """
    user_of(db, user_id)
    user = db[USERS].edit(user_id)
    user["address"] = new_address(
        db,
        {
            "address1": address1,
            "address2": address2,
            "city": city,
            "state": state,
            "country": country,
            "zip": zip,
        },
    )
    return _shown(db, db[USERS].put(user))


@tool(kind=WRITE, aliases=("return_items", "return_order_items"), argument_aliases={**ITEM_ALIASES})
def return_delivered_order_items(db: RetailDb, order_id: str, item_ids: list[str], payment_method_id: str) -> Order:
    """Start the return of items of a delivered order. An order can be returned from, or exchanged, only once.

    The user gets an email on how to send the items back, and the refund after that. Ask them to confirm the items
    and the refund's payment method first.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        item_ids: The ids of all the items to return; an item that is returned twice is named twice.
        payment_method_id: Where the refund goes: the order's original payment method or a gift card of the user.
    """
    rules = db.dialect
    order = order_of(db, order_id)
    need_status(order, (DELIVERED,), rules.not_returnable)
    method = payment_method_of(db, order, payment_method_id)
    original = order["payment_history"][0]["payment_method_id"]
    if method["source"] != "gift_card" and payment_method_id != original:
        refuse(rules.refund_elsewhere, original=original, payment_method_id=payment_method_id)
    need_items(db, order, item_ids, rules.not_in_order_to_return)
    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return db[ORDERS].put(order)


@tool(kind=WRITE, aliases=("exchange_items", "exchange_order_items"), argument_aliases={**ITEM_ALIASES})
def exchange_delivered_order_items(
    db: RetailDb, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Order:
    """Start the exchange of items of a delivered order for other available variants of the same products.

    An order can be exchanged, or returned from, only once: collect every item first. The user gets an email on how
    to send the items back. Ask them to confirm the items and the payment method first.

    Args:
        order_id: The order id with its '#', such as '#W1234567'.
        item_ids: The ids of the items to give back; an item that is exchanged twice is named twice.
        new_item_ids: The ids of the variants to get instead, in the same order as item_ids.
        payment_method_id: What pays, or is refunded, the difference in price. A gift card must hold enough.
    """
    rules = db.dialect
    order = order_of(db, order_id)
    need_status(order, (DELIVERED,), rules.not_exchangeable)
    need_items(db, order, item_ids, rules.not_in_order_to_exchange)
    if len(item_ids) != len(new_item_ids):
        refuse(rules.unequal_to_exchange, old=len(item_ids), new=len(new_item_ids))
    _, difference = new_variants(db, order, item_ids, new_item_ids, may_stay=True)
    difference = round(difference, 2)
    method = payment_method_of(db, order, payment_method_id)
    need_balance(method, difference, rules.too_little_to_exchange)
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return db[ORDERS].put(order)


def _shown(db: RetailDb, user: User) -> User | dict[str, Any]:
    """Return a user's row as the dialect shows it."""
    return user if db.dialect.shows_user_id else {k: v for k, v in user.items() if k != "user_id"}
