"""Scenario templates of the doordash tasks: which wishes one caller brings, in order."""

from env_server.domains.doordash.scenarios.base import Case, Kitchens
from env_server.domains.doordash.scenarios.changes import (
    CANCEL,
    CANCEL_AT_A_COST,
    CANCEL_OVERDUE,
    INSTRUCT,
    LOWER_TIP,
    MOVE_IN,
    MOVE_OUT,
    RAISE_TIP,
    REDIRECT,
    REDIRECT_TO_NEW,
)
from env_server.domains.doordash.scenarios.ordering import (
    CHEAPEST,
    DISH,
    DRINKS,
    DROP_CODE,
    FINISH,
    MEAL,
    OTHER_PLACE,
    TIDY,
    WITH_CODE,
    WITH_CREDITS,
)
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
from env_server.domains.doordash.scenarios.refunds import CAME_COLD, CAME_LATE, REPORT, RUDE
from env_server.domains.doordash.scenarios.refused import (
    CANCEL_ON_THE_WAY,
    FRIENDS_ORDER,
    KEEP_DEFAULT,
    NO_WAIVER,
    REDIRECT_ON_THE_WAY,
    REDIRECT_TOO_FAR,
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
from env_server.domains.doordash.scenarios.transferred import ACCIDENT, MADE_ILL, NOT_MINE, PROFILE, TOO_LARGE
from env_server.domains.kit import Template

__all__ = ["TEMPLATES", "Case", "Kitchens"]

TEMPLATES = (
    # One wish.
    Template("cancel", 1, (CANCEL,)),
    Template("order-dish", 2, (DISH,)),
    Template("order-with-drinks", 3, (DRINKS,)),
    Template("redirect", 2, (REDIRECT,)),
    Template("instruct", 1, (INSTRUCT,)),
    Template("lower-tip", 1, (LOWER_TIP,)),
    Template("move-out", 2, (MOVE_OUT,)),
    Template("other-place", 3, (OTHER_PLACE,)),
    Template("redirect-to-new", 3, (REDIRECT_TO_NEW,)),
    # One wish and a value told back.
    Template("order-meal", 3, (MEAL,)),
    Template("order-with-code", 3, (WITH_CODE,)),
    Template("order-cheapest", 3, (CHEAPEST,)),
    Template("order-on-credits", 3, (WITH_CREDITS,)),
    Template("finish-cart", 2, (FINISH,)),
    Template("tidy-cart", 3, (TIDY,)),
    Template("drop-code", 2, (DROP_CODE,)),
    Template("cancel-at-a-cost", 2, (CANCEL_AT_A_COST,)),
    Template("cancel-overdue", 3, (CANCEL_OVERDUE,)),
    Template("raise-tip", 2, (RAISE_TIP,)),
    Template("report", 2, (REPORT,)),
    Template("came-late", 3, (CAME_LATE,)),
    Template("came-cold", 3, (CAME_COLD,)),
    Template("rude-courier", 3, (RUDE,)),
    # Questions.
    Template("cart-bill", 2, (CART_BILL,)),
    Template("code-value", 3, (CODE_VALUE,)),
    Template("cancelling-cost", 2, (CANCELLING_COST,)),
    Template("refund-value", 2, (REFUND_VALUE,)),
    Template("spent-and-got-back", 3, (SPENT, GOT_BACK)),
    Template("way-and-price", 3, (WAY, MENU_PRICE)),
    # A change of mind.
    Template("other-count", 3, (OTHER_COUNT,)),
    Template("other-address", 3, (OTHER_ADDRESS,)),
    Template("other-money", 2, (OTHER_MONEY,)),
    Template("other-tip", 2, (OTHER_TIP,)),
    # Two and three wishes.
    Template("cancel-and-order", 3, (CANCEL, MEAL)),
    Template("late-and-incomplete", 4, (CAME_LATE, REPORT), chain=True),
    Template("address-and-tip", 3, (CORRECTED_ADDRESS, RAISE_TIP)),
    Template("cancel-overdue-and-address", 3, (CANCEL_OVERDUE, MOVE_IN)),
    Template("overhaul", 4, (REDIRECT, INSTRUCT, RAISE_TIP), chain=True),
    Template("three-errands", 4, (REPORT, MOVE_IN, MENU_PRICE)),
    Template("three-changes", 4, (TIDY, RAISE_TIP, MOVE_IN)),
    # A wish about an order that a rule forbids.
    Template("cancel-on-the-way", 3, (CANCEL_ON_THE_WAY,)),
    Template("no-waiver", 3, (NO_WAIVER,)),
    Template("redirect-on-the-way", 3, (REDIRECT_ON_THE_WAY,)),
    Template("redirect-too-far", 4, (REDIRECT_TOO_FAR,)),
    Template("tip-back", 2, (TIP_BACK,)),
    Template("strong-at-door", 4, (STRONG_AT_DOOR,)),
    Template("reported-too-late", 3, (REPORTED_TOO_LATE,)),
    Template("too-many-refunds", 3, (TOO_MANY,)),
    Template("credits-only", 3, (CREDITS_ONLY,)),
    Template("not-late-and-tip", 3, (NOT_LATE, RAISE_TIP)),
    Template("asks-for-more", 4, (ASKS_FOR_MORE,)),
    Template("friends-order-and-address", 3, (FRIENDS_ORDER, MOVE_IN)),
    Template("keep-default", 3, (KEEP_DEFAULT,)),
    # A wish for food that a rule forbids.
    Template("under-age", 4, (UNDER_AGE,)),
    Template("below-minimum", 4, (BELOW_MINIMUM,)),
    Template("too-far", 4, (TOO_FAR,)),
    Template("not-for-you", 4, (NOT_FOR_YOU,)),
    Template("run-out", 3, (RUN_OUT,)),
    Template("second-code", 4, (SECOND_CODE,)),
    Template("two-places", 4, (TWO_PLACES,)),
    Template("closed", 4, (CLOSED,)),
    # A wish that only people can settle.
    Template("made-ill", 2, (MADE_ILL,)),
    Template("accident-and-address", 3, (MOVE_IN, ACCIDENT)),
    Template("not-mine", 2, (NOT_MINE,)),
    Template("profile", 2, (PROFILE,)),
    Template("too-large", 4, (TOO_LARGE,)),
)
"""In the order in which a split's indices go through them."""
