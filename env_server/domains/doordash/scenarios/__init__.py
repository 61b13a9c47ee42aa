"""Scenario templates of the doordash tasks: which wishes one caller brings, in order."""

from env_server.domains.doordash.scenarios.base import Case, Kitchens
from env_server.domains.doordash.scenarios.book import MOVE_IN, MOVE_OUT, REDIRECT_TO_NEW
from env_server.domains.doordash.scenarios.carts import DROP_CODE, OTHER_PLACE, TIDY
from env_server.domains.doordash.scenarios.changes import (
    CANCEL,
    CANCEL_AT_A_COST,
    CANCEL_OVERDUE,
    INSTRUCT,
    LOWER_TIP,
    RAISE_TIP,
    REDIRECT,
)
from env_server.domains.doordash.scenarios.ordering import CHEAPEST, DISH, DRINKS, FINISH, MEAL, WITH_CODE, WITH_CREDITS
from env_server.domains.doordash.scenarios.questions import (
    CANCELLING_COST,
    CART_BILL,
    CODE_VALUE,
    GOT_BACK,
    MENU_PRICE,
    REFUND_VALUE,
    SPENT,
    WAY,
)
from env_server.domains.doordash.scenarios.refunds import CAME_COLD, CAME_LATE, REPORT
from env_server.domains.doordash.scenarios.refused import (
    CANCEL_ON_THE_WAY,
    KEEP_DEFAULT,
    NO_WAIVER,
    REDIRECT_ON_THE_WAY,
    REDIRECT_TOO_FAR,
    STRANGE_ORDER,
    STRONG_AT_DOOR,
    TIP_BACK,
)
from env_server.domains.doordash.scenarios.refused_food import (
    BELOW_MINIMUM,
    CLOSED,
    NOT_FOR_YOU,
    RUN_OUT,
    SECOND_CODE,
    TOO_FAR,
    TWO_PLACES,
    UNDER_AGE,
)
from env_server.domains.doordash.scenarios.refused_refunds import (
    ASKS_FOR_MORE,
    CREDITS_ONLY,
    NOT_LATE,
    REPORTED_TOO_LATE,
    TOO_MANY,
)
from env_server.domains.doordash.scenarios.revised import (
    CORRECTED_ADDRESS,
    OTHER_ADDRESS,
    OTHER_COUNT,
    OTHER_MONEY,
    OTHER_TIP,
)
from env_server.domains.doordash.scenarios.transferred import LARGE_ORDER, LOST_ORDER, NOT_MINE, RUDE, TOO_LARGE
from env_server.domains.kit import Template, WishKind

__all__ = ["TEMPLATES", "Case", "Kitchens"]

PLAIN = (
    # Food, and a value told back.
    Template("meal-and-cancel", (CANCEL, MEAL)),
    Template("cheapest-and-instructions", (INSTRUCT, CHEAPEST)),
    Template("order-on-credits", (WITH_CREDITS,)),
    Template("finish-cart-and-tip", (LOWER_TIP, FINISH)),
    Template("order-with-code", (WITH_CODE,)),
    # Carts, orders and addresses.
    Template("three-changes", (TIDY, RAISE_TIP, MOVE_IN)),
    Template("drop-code-and-redirect-to-new", (DROP_CODE, REDIRECT_TO_NEW)),
    Template("cancel-at-a-cost-and-move-out", (CANCEL_AT_A_COST, MOVE_OUT)),
    Template("overdue-and-address", (CANCEL_OVERDUE, MOVE_IN)),
    Template("overhaul", (REDIRECT, INSTRUCT, RAISE_TIP), chain=True),
    Template("late-cold-and-incomplete", (CAME_LATE, CAME_COLD, REPORT), chain=True),
    # A change of mind.
    Template("other-count-and-tip", (OTHER_TIP, OTHER_COUNT)),
    Template("other-money-and-address", (OTHER_MONEY, CORRECTED_ADDRESS)),
    Template("drinks-and-other-address", (OTHER_ADDRESS, DRINKS)),
)
QUESTIONS = (
    Template("cart-bill", (CART_BILL,)),
    Template("code-value", (CODE_VALUE,)),
    Template("cancelling-cost", (CANCELLING_COST,)),
    Template("refund-value", (REFUND_VALUE,)),
    Template("spent-and-got-back", (SPENT, GOT_BACK)),
    Template("way-and-price", (WAY, MENU_PRICE)),
)
DECIDED: dict[str, tuple[WishKind, ...]] = {
    # Orders.
    "cancel-on-the-way": (CANCEL_ON_THE_WAY,),
    "no-waiver": (NO_WAIVER,),
    "redirect-on-the-way": (REDIRECT_ON_THE_WAY,),
    "redirect-too-far": (REDIRECT_TOO_FAR,),
    "tip-back-and-address": (TIP_BACK, MOVE_IN),
    "strong-at-door": (STRONG_AT_DOOR,),
    "strange-order-and-other-place": (STRANGE_ORDER, OTHER_PLACE),
    "keep-default": (KEEP_DEFAULT,),
    # Money back.
    "reported-too-late-and-tip": (REPORTED_TOO_LATE, RAISE_TIP),
    "too-many-refunds-and-meal": (TOO_MANY, MEAL),
    "credits-only": (CREDITS_ONLY,),
    "not-late-and-dish": (NOT_LATE, DISH),
    "asks-for-more": (ASKS_FOR_MORE,),
    # Food.
    "under-age": (UNDER_AGE,),
    "below-minimum": (BELOW_MINIMUM,),
    "too-far": (TOO_FAR,),
    "not-for-you": (NOT_FOR_YOU,),
    "run-out": (RUN_OUT,),
    "second-code": (SECOND_CODE,),
    "two-places": (TWO_PLACES,),
    "closed": (CLOSED,),
    # What people may have to settle.
    "not-mine-and-address": (MOVE_IN, NOT_MINE),
    "too-large": (TOO_LARGE,),
    "rude-courier": (RUDE,),
    "lost-order": (LOST_ORDER,),
    "large-order": (LARGE_ORDER,),
}
"""Wishes that the rows grant, refuse or leave to human agents."""

TEMPLATES = (
    *PLAIN,
    *QUESTIONS,
    *(Template(name, kinds) for name, kinds in DECIDED.items()),
    *(Template(name, kinds).twin() for name, kinds in DECIDED.items()),
)
"""All templates, in the order in which the indices of a split use them."""
