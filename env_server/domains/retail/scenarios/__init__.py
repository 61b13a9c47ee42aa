"""Scenario templates of the retail tasks: which wishes one caller brings, in order."""

from env_server.domains.kit import Template
from env_server.domains.retail.scenarios.base import Shop
from env_server.domains.retail.scenarios.changes import (
    CANCEL,
    EXCHANGE,
    MODIFY,
    MOVE_HOUSE,
    REDIRECT,
    REDIRECT_HOME,
    REPAY,
    RETURN,
)
from env_server.domains.retail.scenarios.questions import (
    ALL_ORDERS_TOTAL,
    BALANCE,
    REFUND_QUOTE,
    STOCK,
    SWAP_QUOTE,
    TRACKING,
)
from env_server.domains.retail.scenarios.refused import (
    BAD_REASON,
    CANCEL_DELIVERED,
    FRIENDS_ORDER,
    OTHER_PRODUCT,
    PART_OF_ORDER,
    SECOND_CHANGE,
    SHORT_CARD,
    SOLD_OUT,
    TOO_LATE,
    WRONG_REFUND,
)
from env_server.domains.retail.scenarios.revised import (
    CORRECTED_ADDRESS,
    FEWER_ITEMS,
    OTHER_VERSION,
    REDIRECT_INSTEAD,
)
from env_server.domains.retail.scenarios.told import CANCEL_TO_CARD, CARD_LEFT, EXTREME, RETURN_TOTAL
from env_server.domains.retail.scenarios.transferred import DAMAGES, LOST_PARCEL, REINSTATE

__all__ = ["TEMPLATES", "Shop", "Template"]

TEMPLATES = (
    # One wish.
    Template("cancel", 1, (CANCEL,)),
    Template("modify-items", 2, (MODIFY,)),
    Template("return", 2, (RETURN,)),
    Template("exchange", 2, (EXCHANGE,)),
    Template("repay", 1, (REPAY,)),
    Template("redirect-home", 2, (REDIRECT_HOME,)),
    # One wish and a value told back.
    Template("return-total", 2, (RETURN_TOTAL,)),
    Template("cancel-to-card", 3, (CANCEL_TO_CARD,)),
    Template("extreme-version", 3, (EXTREME,)),
    Template("card-left-and-house", 3, (CARD_LEFT, MOVE_HOUSE)),
    # Questions.
    Template("refund-quote", 2, (REFUND_QUOTE,)),
    Template("swap-quote-and-stock", 3, (SWAP_QUOTE, STOCK)),
    Template("all-orders-total", 3, (ALL_ORDERS_TOTAL,)),
    # A change of mind.
    Template("other-version", 3, (OTHER_VERSION,)),
    Template("fewer-items", 3, (FEWER_ITEMS,)),
    Template("redirect-instead", 3, (REDIRECT_INSTEAD,)),
    # Two and three wishes.
    Template("house-and-redirect", 2, (MOVE_HOUSE, REDIRECT)),
    Template("cancel-and-tracking", 2, (CANCEL, TRACKING)),
    Template("return-and-correct", 3, (RETURN, CORRECTED_ADDRESS)),
    Template("exchange-and-cancel", 3, (EXCHANGE, CANCEL)),
    Template("balance-and-exchange", 3, (BALANCE, EXTREME)),
    Template("overhaul", 4, (REDIRECT, REPAY, MODIFY), chain=True),
    Template("three-errands", 4, (RETURN, MOVE_HOUSE, STOCK)),
    Template("three-changes", 4, (MODIFY, MOVE_HOUSE, REFUND_QUOTE)),
    # A wish that a rule forbids.
    Template("cancel-delivered", 3, (CANCEL_DELIVERED,)),
    Template("too-late", 3, (TOO_LATE,)),
    Template("second-change", 4, (SECOND_CHANGE,)),
    Template("wrong-refund", 3, (WRONG_REFUND,)),
    Template("sold-out", 4, (SOLD_OUT,)),
    Template("other-product", 3, (OTHER_PRODUCT,)),
    Template("part-of-order", 3, (PART_OF_ORDER,)),
    Template("bad-reason", 2, (BAD_REASON,)),
    Template("short-card-and-house", 3, (SHORT_CARD, MOVE_HOUSE)),
    Template("friends-order-and-cancel", 3, (FRIENDS_ORDER, CANCEL)),
    # A wish that only people can settle.
    Template("lost-parcel", 2, (LOST_PARCEL,)),
    Template("house-and-reinstate", 3, (MOVE_HOUSE, REINSTATE)),
    Template("damages", 2, (DAMAGES,)),
)
"""In the order in which a split's indices go through them."""
