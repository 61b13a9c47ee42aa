"""Retail's rules and texts: the defaults are the builtin pack's, TAU1 and TAU2 are the public benchmarks'.

A text may name values in braces; the tools fill in `order_id`, `user_id`, `item_id` and the like where they use it.
"""

from dataclasses import dataclass

from env_server.domains.kit import TAU1_RULES, TAU2_RULES, Dialect

PENDING = "pending"
ITEM_MODIFIED = "pending (item modified)"
DELIVERED = "delivered"


@dataclass(frozen=True)
class RetailDialect(Dialect):
    """Rules and texts of retail's tools."""

    shows_user_id: bool = True
    """Whether a user's details hold the user id."""

    address_order: tuple[str, ...] = ("address1", "address2", "city", "country", "state", "zip")
    """The fields of a newly stored address, in order."""

    addresses_are_text: bool = True
    """Whether an address with a part that is not text is refused (else it is stored as it came)."""

    modifiable: tuple[str, ...] = (PENDING, ITEM_MODIFIED)
    """The statuses in which an order's address and payment may be changed."""

    accepts_no_items: bool = False
    """Whether the tools accept a modification, exchange or return of an empty list of items."""

    accepts_same_item: bool = False
    """Whether an item may be modified to its current variant."""

    replaces_in_turn: bool = False
    """Whether a replacement searches for its item among the items already replaced. Otherwise it searches the original
    items.
    """

    last_item_wins: bool = False
    """Whether every modified item gets the price and options of the last new item. Otherwise each gets its own."""

    rounds_charges: bool = True
    """Whether the charge for modified items is rounded to cents. Otherwise it keeps binary rounding errors."""

    refunds_net: bool = True
    """Whether a cancellation refunds the net amount paid with each method. Otherwise it refunds every payment entry."""

    no_such_user: str = "there is no user with id {user_id!r}"
    no_such_email: str = "no user has the email address {email!r}; ask for their name and zip code instead"
    no_such_name_zip: str = "no user is named {first_name} {last_name} with zip code {zip!r}"
    no_such_order: str = "there is no order {order_id!r}; order ids begin with '#W'"
    no_such_product: str = "there is no product with id {product_id!r}; list_all_product_types gives the ids"
    no_such_item: str = "there is no item with id {item_id!r}"
    no_such_payment_method: str = "user {user_id!r} has no payment method {payment_method_id!r}; they have: {known}"
    no_items: str = "item_ids is empty: name at least one item"
    address_not_text: str = "every part of an address must be text"

    not_cancellable: str = "order {order_id} is {status!r}; only a pending order can be cancelled"
    bad_reason: str = "{reason!r} is no reason to cancel; it must be 'no longer needed' or 'ordered by mistake'"
    not_modifiable: str = "order {order_id} is {status!r}; only a pending order can be modified"
    items_not_modifiable: str = (
        "order {order_id} is {status!r}; items can be modified once, while the order is 'pending'"
    )
    not_exchangeable: str = "order {order_id} is {status!r}; only a delivered order can be exchanged"
    not_returnable: str = "order {order_id} is {status!r}; only a delivered order can be returned"

    not_in_order_to_modify: str = "order {order_id} does not hold item {item_id!r} that many times"
    not_in_order_to_exchange: str = "order {order_id} does not hold item {item_id!r} that many times"
    not_in_order_to_return: str = "order {order_id} does not hold item {item_id!r} that many times"
    unequal_to_modify: str = "{old} item ids but {new} new item ids: give one new item for each item, in order"
    unequal_to_exchange: str = "{old} item ids but {new} new item ids: give one new item for each item, in order"
    same_item: str = "item {item_id!r} is already that item: choose another variant"
    no_such_variant: str = "{item_id!r} is not a variant of product {product_id!r}; a new item is of the same product"
    variant_unavailable: str = "item {item_id!r} is not available"

    not_one_payment: str = "order {order_id} has {count} payment entries; the payment can be changed only once"
    same_payment_method: str = "order {order_id} is already paid with {payment_method_id!r}: choose another method"
    refund_elsewhere: str = (
        "a refund goes to the original payment method, {original!r}, or to a gift card, not to {payment_method_id!r}"
    )
    too_little_to_modify: str = "gift card {payment_method_id!r} holds {balance:.2f}, but {amount:.2f} is due"
    too_little_to_exchange: str = "gift card {payment_method_id!r} holds {balance:.2f}, but {amount:.2f} is due"
    too_little_to_pay: str = "gift card {payment_method_id!r} holds {balance:.2f}, but {amount:.2f} is due"


BUILTIN = RetailDialect()

TAU2 = RetailDialect(
    tools=(
        "calculate",
        "cancel_pending_order",
        "exchange_delivered_order_items",
        "find_user_id_by_name_zip",
        "find_user_id_by_email",
        "get_order_details",
        "get_product_details",
        "get_item_details",
        "get_user_details",
        "list_all_product_types",
        "modify_pending_order_address",
        "modify_pending_order_items",
        "modify_pending_order_payment",
        "modify_user_address",
        "return_delivered_order_items",
        "transfer_to_human_agents",
    ),
    argument_types={"cancel_pending_order": {"reason": str}},
    **TAU2_RULES,
    accepts_no_items=True,
    replaces_in_turn=True,
    last_item_wins=True,
    rounds_charges=False,
    refunds_net=False,
    no_such_user="User not found",
    no_such_email="User not found",
    no_such_name_zip="User not found",
    no_such_order="Order not found",
    no_such_product="Product not found",
    no_such_item="Item not found",
    no_such_payment_method="Payment method not found",
    not_cancellable="Non-pending order cannot be cancelled",
    bad_reason="Invalid reason",
    not_modifiable="Non-pending order cannot be modified",
    items_not_modifiable="Non-pending order cannot be modified",
    not_exchangeable="Non-delivered order cannot be exchanged",
    not_returnable="Non-delivered order cannot be returned",
    not_in_order_to_modify="{item_id} not found",
    not_in_order_to_exchange="Number of {item_id} not found.",
    not_in_order_to_return="Some item not found",
    unequal_to_modify="The number of items to be exchanged should match",
    unequal_to_exchange="The number of items to be exchanged should match.",
    same_item="The new item id should be different from the old item id",
    no_such_variant="Variant not found",
    variant_unavailable="New item {item_id} not found or available",
    not_one_payment="There should be exactly one payment for a pending order",
    same_payment_method="The new payment method should be different from the current one",
    refund_elsewhere="Payment method should be the original payment method",
    too_little_to_modify="Insufficient gift card balance to pay for the new item",
    too_little_to_exchange="Insufficient gift card balance to pay for the price difference",
    too_little_to_pay="Insufficient gift card balance to pay for the order",
)

TAU1 = RetailDialect(
    tools=(
        "calculate",
        "cancel_pending_order",
        "exchange_delivered_order_items",
        "find_user_id_by_email",
        "find_user_id_by_name_zip",
        "get_order_details",
        "get_product_details",
        "get_user_details",
        "list_all_product_types",
        "modify_pending_order_address",
        "modify_pending_order_items",
        "modify_pending_order_payment",
        "modify_user_address",
        "return_delivered_order_items",
        "think",
        "transfer_to_human_agents",
    ),
    **TAU1_RULES,
    shows_user_id=False,
    address_order=("address1", "address2", "city", "state", "country", "zip"),
    addresses_are_text=False,
    modifiable=(PENDING,),
    accepts_no_items=True,
    accepts_same_item=True,
    replaces_in_turn=True,
    rounds_charges=False,
    refunds_net=False,
    no_such_user="user not found",
    no_such_email="user not found",
    no_such_name_zip="user not found",
    no_such_order="order not found",
    no_such_product="product not found",
    no_such_item="item not found",
    no_such_payment_method="payment method not found",
    not_cancellable="non-pending order cannot be cancelled",
    bad_reason="invalid reason",
    not_modifiable="non-pending order cannot be modified",
    items_not_modifiable="non-pending order cannot be modified",
    not_exchangeable="non-delivered order cannot be exchanged",
    not_returnable="non-delivered order cannot be returned",
    not_in_order_to_modify="{item_id} not found",
    not_in_order_to_exchange="{item_id} not found",
    not_in_order_to_return="some item not found",
    unequal_to_modify="the number of items to be exchanged should match",
    unequal_to_exchange="the number of items to be exchanged should match",
    no_such_variant="new item {item_id} not found or available",
    variant_unavailable="new item {item_id} not found or available",
    not_one_payment="there should be exactly one payment for a pending order",
    same_payment_method="the new payment method should be different from the current one",
    refund_elsewhere="payment method should be either the original payment method or a gift card",
    too_little_to_modify="insufficient gift card balance to pay for the new item",
    too_little_to_exchange="insufficient gift card balance to pay for the price difference",
    too_little_to_pay="insufficient gift card balance to pay for the order",
)

DIALECTS = {"builtin": BUILTIN, "tau1": TAU1, "tau2": TAU2}
