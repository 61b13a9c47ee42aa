"""Scenario templates of the telecom tasks: which wishes one caller brings, in order."""

from env_server.domains.kit import Template, WishKind
from env_server.domains.telecom.scenarios.bills import (
    PAY_ALL_OVERDUE,
    PAY_CURRENT,
    PAY_CURRENT_ON_PHONE,
    PAY_ON_PHONE,
    PAY_WHAT_WAS_ASKED,
)
from env_server.domains.telecom.scenarios.changes import (
    CHANGE_PLAN,
    CHANGE_PLAN_OTHER,
    PLAN_FOR_NEED,
    REFUEL,
    REFUEL_OTHER,
    REFUEL_TOLD,
    RESUME,
    ROAM,
    ROAM_OTHER,
    SUSPEND,
)
from env_server.domains.telecom.scenarios.questions import (
    AMOUNT_DUE,
    BILL_ITEM,
    COMPARE_PLANS,
    CONTRACT_END,
    DATA_LEFT,
    MONTHLY_COST,
    REFUEL_QUOTE,
)
from env_server.domains.telecom.scenarios.refused import (
    PLAN_IN_DEBT,
    PLAN_TOO_SMALL,
    REFUEL_FULL,
    REFUEL_IN_DEBT,
    REFUEL_TOO_MUCH,
    RESUME_ENDED,
    RESUME_IN_DEBT,
    ROAM_SUSPENDED,
    SUSPEND_IN_DEBT,
    SUSPEND_TWICE,
)
from env_server.domains.telecom.scenarios.refused_bills import EXPIRED_METHOD, NEWER_FIRST, PAY_DRAFT, PAY_PAID
from env_server.domains.telecom.scenarios.refused_lines import STRANGERS_LINE, WRONG_DEVICE
from env_server.domains.telecom.scenarios.revised import LESS_DATA, OTHER_LINE, OTHER_METHOD, OTHER_PLAN
from env_server.domains.telecom.scenarios.transferred import DISPUTED, NOT_YET, SIM_LOCKED
from env_server.domains.telecom.scenarios.troubles import (
    CUT_OFF,
    DATA,
    MMS_1,
    MMS_3,
    OUT_OF_DATA,
    ROAMING,
    SERVICE_1,
    SERVICE_3,
    SLOW_1,
    SLOW_3,
)

__all__ = ["TEMPLATES"]

_SETTLED: tuple[tuple[str, tuple[WishKind, ...]], ...] = (
    # A wish that a rule forbids, most with another beside it.
    ("resume-ended", (RESUME_ENDED, ROAM, PAY_CURRENT_ON_PHONE)),
    ("resume-in-debt", (RESUME_IN_DEBT, ROAM)),
    ("suspend-in-debt", (SUSPEND_IN_DEBT, BILL_ITEM)),
    ("suspend-twice", (SUSPEND_TWICE, REFUEL, PAY_CURRENT)),
    ("refuel-too-much", (REFUEL_TOO_MUCH, ROAM, PAY_CURRENT)),
    ("refuel-full", (REFUEL_FULL, CONTRACT_END)),
    ("refuel-in-debt", (REFUEL_IN_DEBT, ROAM)),
    ("plan-too-small", (PLAN_TOO_SMALL, ROAM, PAY_CURRENT_ON_PHONE)),
    ("plan-in-debt", (PLAN_IN_DEBT, CONTRACT_END)),
    ("wrong-device", (WRONG_DEVICE, DATA_LEFT)),
    ("roam-suspended", (REFUEL, ROAM_SUSPENDED, PAY_CURRENT)),
    ("strangers-line", (STRANGERS_LINE, BILL_ITEM)),
    ("pay-draft", (PAY_DRAFT, ROAM)),
    ("pay-paid", (CONTRACT_END, PAY_PAID)),
    ("expired-method", (EXPIRED_METHOD,)),
    ("newer-first", (NEWER_FIRST,)),
    # A wish that only people can settle, after another.
    ("sim-locked", (BILL_ITEM, SIM_LOCKED)),
    ("disputed", (ROAM, REFUEL, DISPUTED)),
    ("not-yet", (CONTRACT_END, NOT_YET)),
)
"""Wishes that the rows grant or refuse. Each has a twin in which the rows grant the wish."""

TEMPLATES = (
    # Changes.
    Template("less-data", (LESS_DATA,)),
    Template("pay-on-phone-and-plan", (PAY_ON_PHONE, PLAN_FOR_NEED)),
    Template("other-plan-and-bill", (OTHER_PLAN, PAY_CURRENT)),
    Template("other-line-and-item", (OTHER_LINE, BILL_ITEM)),
    Template("waiting-request", (PAY_WHAT_WAS_ASKED, ROAM)),
    Template("three-errands", (REFUEL, SUSPEND, PAY_CURRENT)),
    Template("plan-roaming-and-bill", (CHANGE_PLAN, ROAM_OTHER, OTHER_METHOD)),
    Template("overdue-and-roaming", (PAY_ALL_OVERDUE, ROAM)),
    Template("changed-minds", (LESS_DATA, OTHER_LINE, PAY_CURRENT_ON_PHONE)),
    Template("resume-and-more", (RESUME, PAY_CURRENT_ON_PHONE, REFUEL_TOLD)),
    # Questions.
    Template("amount-due-and-item", (AMOUNT_DUE, BILL_ITEM)),
    Template("monthly-cost", (MONTHLY_COST, CONTRACT_END)),
    Template("data-left-and-quote", (DATA_LEFT, REFUEL_QUOTE)),
    Template("bill-item-and-plans", (BILL_ITEM, COMPARE_PLANS)),
    Template("contract-and-data", (CONTRACT_END, DATA_LEFT)),
    Template("amount-due-and-contract", (CONTRACT_END, AMOUNT_DUE)),
    # Trouble with the phone, with another wish.
    Template("no-service", (SERVICE_1, CONTRACT_END)),
    Template("no-service-twice-over", (SERVICE_3, ROAM_OTHER)),
    Template("service-and-data", (REFUEL_TOLD, SERVICE_3)),
    Template("cut-off", (BILL_ITEM, CUT_OFF)),
    Template("cut-off-and-roaming", (CUT_OFF, ROAM_OTHER)),
    Template("no-data", (DATA, BILL_ITEM)),
    Template("no-data-and-bill", (DATA, PAY_CURRENT)),
    Template("out-of-data", (OUT_OF_DATA, SUSPEND, PAY_CURRENT_ON_PHONE)),
    Template("no-data-abroad", (ROAMING, SUSPEND)),
    Template("abroad-and-bill", (OTHER_METHOD, ROAMING)),
    Template("slow-data", (SLOW_1, DATA_LEFT)),
    Template("very-slow-data", (SLOW_3, PAY_CURRENT)),
    Template("slow-data-and-errands", (SLOW_3, REFUEL_OTHER, OTHER_METHOD)),
    Template("no-pictures", (MMS_1, AMOUNT_DUE)),
    Template("pictures-and-resume", (MMS_3, RESUME)),
    Template("pictures-and-plan", (MMS_3, PLAN_FOR_NEED)),
    Template("pictures-and-two-lines", (CHANGE_PLAN_OTHER, MMS_3, PAY_CURRENT)),
    # What the rows decide, both ways.
    *(Template(name, kinds) for name, kinds in _SETTLED),
    *(Template(name, kinds).twin() for name, kinds in _SETTLED),
)
"""All templates, in the order in which the indices of a split use them."""
