"""Scenario templates of the telecom tasks: which wishes one caller brings, in order."""

from env_server.domains.kit import Template
from env_server.domains.telecom.scenarios.bills import (
    PAY_ALL_OVERDUE,
    PAY_BY_CHARGE,
    PAY_CURRENT,
    PAY_ON_PHONE,
    PAY_WHAT_WAS_ASKED,
)
from env_server.domains.telecom.scenarios.changes import (
    CHANGE_PLAN,
    PLAN_FOR_NEED,
    REFUEL,
    REFUEL_TOLD,
    RESUME,
    ROAM,
    SUSPEND,
)
from env_server.domains.telecom.scenarios.questions import (
    AMOUNT_DUE,
    BILL_ITEM,
    COMPARE_PLANS,
    DATA_LEFT,
    MONTHLY_COST,
    REFUEL_QUOTE,
)
from env_server.domains.telecom.scenarios.refused import (
    FRIENDS_LINE,
    PLAN_TOO_SMALL,
    REFUEL_FULL,
    REFUEL_TOO_MUCH,
    RESUME_ENDED,
    RESUME_IN_DEBT,
    ROAM_SUSPENDED,
    SUSPEND_IN_DEBT,
    SUSPEND_TWICE,
)
from env_server.domains.telecom.scenarios.refused_bills import EXPIRED_METHOD, NEWER_FIRST, PAY_DRAFT
from env_server.domains.telecom.scenarios.revised import LESS_DATA, OTHER_PLAN, ROAM_INSTEAD
from env_server.domains.telecom.scenarios.transferred import DISPUTED, END_CONTRACT, SIM_LOCKED
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

TEMPLATES = (
    # One wish.
    Template("pay-on-phone", 2, (PAY_ON_PHONE,)),
    Template("suspend", 1, (SUSPEND,)),
    Template("resume", 1, (RESUME,)),
    Template("roaming", 1, (ROAM,)),
    Template("refuel", 1, (REFUEL,)),
    Template("change-plan", 2, (CHANGE_PLAN,)),
    # One wish and a value told back.
    Template("pay-by-charge", 2, (PAY_BY_CHARGE,)),
    Template("pay-all-overdue", 4, (PAY_ALL_OVERDUE,)),
    Template("refuel-told", 2, (REFUEL_TOLD,)),
    Template("plan-for-need", 3, (PLAN_FOR_NEED,)),
    # Questions.
    Template("amount-due", 2, (AMOUNT_DUE,)),
    Template("monthly-cost", 3, (MONTHLY_COST,)),
    Template("data-left-and-quote", 3, (DATA_LEFT, REFUEL_QUOTE)),
    Template("bill-item-and-plans", 3, (BILL_ITEM, COMPARE_PLANS)),
    # Trouble with the phone.
    Template("no-service", 2, (SERVICE_1,)),
    Template("no-service-twice-over", 3, (SERVICE_3,)),
    Template("cut-off", 5, (CUT_OFF,)),
    Template("no-data", 3, (DATA,)),
    Template("no-data-abroad", 3, (ROAMING,)),
    Template("out-of-data", 3, (OUT_OF_DATA,)),
    Template("slow-data", 2, (SLOW_1,)),
    Template("very-slow-data", 3, (SLOW_3,)),
    Template("no-pictures", 2, (MMS_1,)),
    Template("no-pictures-thrice-over", 4, (MMS_3,)),
    # A change of mind.
    Template("less-data", 2, (LESS_DATA,)),
    Template("other-plan", 3, (OTHER_PLAN,)),
    Template("roam-instead", 3, (ROAM_INSTEAD,)),
    # Two and three wishes.
    Template("suspend-and-pay", 3, (SUSPEND, PAY_CURRENT)),
    Template("slow-data-and-pay", 4, (SLOW_3, PAY_CURRENT)),
    Template("pictures-and-resume", 4, (MMS_3, RESUME)),
    Template("roaming-and-data-left", 3, (ROAM, DATA_LEFT)),
    Template("three-errands", 4, (REFUEL, ROAM, BILL_ITEM)),
    Template("service-and-roaming", 4, (SERVICE_3, ROAM)),
    # A wish that a rule forbids.
    Template("resume-ended", 3, (RESUME_ENDED,)),
    Template("resume-in-debt", 5, (RESUME_IN_DEBT,)),
    Template("suspend-in-debt", 3, (SUSPEND_IN_DEBT,)),
    Template("suspend-twice", 2, (SUSPEND_TWICE,)),
    Template("refuel-too-much", 3, (REFUEL_TOO_MUCH,)),
    Template("refuel-full", 3, (REFUEL_FULL,)),
    Template("plan-too-small", 3, (PLAN_TOO_SMALL,)),
    Template("roam-suspended", 2, (ROAM_SUSPENDED,)),
    Template("friends-line-and-bill", 3, (FRIENDS_LINE, BILL_ITEM)),
    Template("pay-draft", 2, (PAY_DRAFT,)),
    Template("expired-method", 3, (EXPIRED_METHOD,)),
    Template("newer-first", 4, (NEWER_FIRST,)),
    Template("pay-what-was-asked", 3, (PAY_WHAT_WAS_ASKED,)),
    # A wish that only people can settle.
    Template("sim-locked", 3, (SIM_LOCKED,)),
    Template("disputed", 2, (DISPUTED,)),
    Template("end-contract", 2, (END_CONTRACT,)),
)
"""In the order in which a split's indices go through them."""
