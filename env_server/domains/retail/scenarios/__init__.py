"""Scenario templates of the retail tasks: which wishes one caller brings, in order."""

from env_server.domains.kit import Template, twins
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
    CANCEL_DELIVERED,
    MISTAKE,
    NOT_THEIRS,
    SECOND_PAYMENT,
    SHORT_CARD,
    TOO_LATE,
    WRONG_REFUND,
)
from env_server.domains.retail.scenarios.refused_items import (
    PART_OF_ORDER,
    SAME_VERSION,
    SECOND_CHANGE,
    SENT_BACK,
    SOLD_OUT,
)
from env_server.domains.retail.scenarios.revised import (
    CORRECTED_ADDRESS,
    FEWER_ITEMS,
    OTHER_VERSION,
    REDIRECT_INSTEAD,
)
from env_server.domains.retail.scenarios.told import CANCEL_TO_CARD, CARD_LEFT, EXTREME, RETURN_TOTAL
from env_server.domains.retail.scenarios.transferred import BROKEN, LOST_PARCEL, NEW_CARD, REINSTATE

__all__ = ["TEMPLATES", "Shop", "Template"]


PLAIN = (
    Template("cancel", (CANCEL,)),
    # A value told back.
    Template("return-total", (RETURN_TOTAL,)),
    Template("cancel-to-card", (CANCEL_TO_CARD,)),
    Template("card-left-and-house", (CARD_LEFT, MOVE_HOUSE)),
    Template("home-and-tracking", (REDIRECT_HOME, TRACKING)),
    # A change of mind.
    Template("other-version", (OTHER_VERSION,)),
    Template("fewer-items-and-address", (FEWER_ITEMS, CORRECTED_ADDRESS)),
    Template("redirect-instead", (REDIRECT_INSTEAD,)),
    # Three and four changes.
    Template("overhaul", (REDIRECT, REPAY, MODIFY), chain=True),
    Template("new-home", (MOVE_HOUSE, REDIRECT, REPAY, MODIFY), chain=True),
    Template("three-errands", (RETURN, MOVE_HOUSE, CANCEL)),
    Template("extreme-errands", (CORRECTED_ADDRESS, EXTREME, CANCEL)),
)
QUESTIONS = (
    Template("refund-quote", (REFUND_QUOTE,)),
    Template("swap-quote-and-stock", (SWAP_QUOTE, STOCK)),
    Template("all-orders-total", (ALL_ORDERS_TOTAL,)),
    Template("tracking-and-balance", (TRACKING, BALANCE)),
)
REFUSED = (
    *twins("cancel-delivered", CANCEL_DELIVERED),
    *twins("too-late", TOO_LATE),
    *twins("second-change", SECOND_CHANGE, REDIRECT, MOVE_HOUSE, chain=True),
    *twins("wrong-refund", WRONG_REFUND),
    *twins("sold-out", SOLD_OUT),
    *twins("same-version", SAME_VERSION),
    *twins("part-of-order", PART_OF_ORDER),
    *twins("mistake", MISTAKE),
    *twins("short-card", SHORT_CARD, REDIRECT, MOVE_HOUSE, chain=True),
    *twins("not-theirs", NOT_THEIRS, EXCHANGE, MOVE_HOUSE),
    *twins("sent-back", SENT_BACK, MOVE_HOUSE),
    *twins("second-payment", SECOND_PAYMENT, MODIFY, MOVE_HOUSE, chain=True),
)
TRANSFERRED = (
    *twins("lost-parcel", MOVE_HOUSE, REPAY, LOST_PARCEL),
    *twins("reinstate", BALANCE, REINSTATE),
    *twins("new-card", MOVE_HOUSE, REDIRECT, NEW_CARD, chain=True),
    *twins("broken", CORRECTED_ADDRESS, BROKEN),
)
TEMPLATES = (*PLAIN, *QUESTIONS, *REFUSED, *TRANSFERRED)
"""All templates, in the order in which the indices of a split use them."""
