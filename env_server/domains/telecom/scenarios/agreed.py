"""The changes that callers agree to. Each needs its own confirmation. Callers recognise them in a proposal."""

from env_server.domains.kit import WantedChange, change, shape
from env_server.domains.telecom.scenarios.details import Named

SUSPENDS = ("suspend", "on hold", "put it on hold", "paus", "freeze", "freezing")
RESUMES = (
    "resum",
    "reactivat",
    "unsuspend",
    "restore",
    "restoring",
    "lift",
    "active again",
    "back into use",
    "back to life",
    "up and running",
    "back on",
)
ROAMS = (
    "enabl",
    "allow",
    *(f"{verb} {way}" for verb in ("turn", "turning", "switch", "switching") for way in ("on", "roaming on")),
    "activate roaming",
    "activating roaming",
)
STAYS = (
    "disable",
    "disabling",
    "turn off",
    "turn roaming off",
    "switch off",
    "switch roaming off",
    "deactivat",
    "stop roaming",
)
ADDS = ("add", "refuel", "top up", "top it up", "buy", "book", "load")
MOVES = ("chang", "switch", "mov", "upgrad", "downgrad", "put")
PAYS = ("charg", "pay", "debit", "settl", "process")
ASKS = ("send", "sent", "request", "issue")


def suspend(line: Named, why: Named) -> WantedChange:
    """Return the change that suspends a line."""
    return change(
        f"suspend {line.noun} because of {why.noun}, for a fee of $5.00 a month",
        f"{line.noun} has been suspended",
        verbs=SUSPENDS,
        names=("line", "reason"),
        calls=(shape("suspend_line", **line.arguments, **why.arguments),),
    )


def resume(line: Named | None) -> WantedChange:
    """Return the change that resumes a line. None stands for the only line that the caller can mean."""
    noun, named = (line.noun, ("line",)) if line is not None else ("your line", ())
    return change(
        f"resume {noun}",
        f"{noun} has been resumed",
        verbs=RESUMES,
        names=named,
        calls=(shape("resume_line", **(line.arguments if line is not None else {})),),
    )


def roam(line: Named | None, *, on: bool = True) -> WantedChange:
    """Return the change that enables or disables roaming. None stands for the only line that the caller can mean."""
    noun, named = (line.noun, ("line",)) if line is not None else ("your line", ())
    verb, tool = ("enable", "enable_roaming") if on else ("disable", "disable_roaming")
    return change(
        f"{verb} roaming for {noun}",
        f"roaming has been {verb}d for {noun}",
        verbs=ROAMS if on else STAYS,
        names=named,
        calls=(shape(tool, **(line.arguments if line is not None else {})),),
    )


def refuel(line: Named | None, much: Named | None) -> WantedChange:
    """Return the change that adds data. An argument is None if the caller leaves it open or has
    only one possible line.
    """
    noun = line.noun if line is not None else "your line"
    data = much.noun if much is not None else "as much data as is still possible"
    named = (*(("line",) if line is not None else ()), *(("add",) if much is not None else ()))
    known = {**(line.arguments if line is not None else {}), **(much.arguments if much is not None else {})}
    return change(
        f"add {data} to {noun} at the price of its plan",
        f"{data} {'has' if much is not None else 'have'} been added to {noun}",
        verbs=ADDS,
        names=named,
        calls=(shape("refuel_data", **known),),
    )


def move(line: Named, plan: Named | None) -> WantedChange:
    """Return the change that puts a line on another plan. None means that the agent chooses the plan."""
    noun = plan.noun if plan is not None else "the cheapest plan that fits"
    return change(
        f"change the plan of {line.noun} to {noun}",
        f"the plan of {line.noun} has been changed to {noun}",
        verbs=MOVES,
        names=("line", "plan") if plan is not None and plan.says else ("line",),
        calls=(shape("change_plan", **line.arguments),),
    )


def pay(bill: Named | None, how: Named, *, by_request: bool, noun: str = "the bill") -> WantedChange:
    """Return the change that pays a bill. None means that the agent chooses the bill, which `noun` then names."""
    named = ("bill", "payment") if bill is not None else ("payment",)
    known = bill.arguments if bill is not None else {}
    what = bill.noun if bill is not None else noun
    if by_request:
        return change(
            f"send {how.noun} for {what}",
            f"the payment request for {what} has been sent",
            verbs=ASKS,
            names=named,
            calls=(shape("send_payment_request", **known),),
        )
    return change(
        f"charge {what} to {how.noun}",
        f"{what} has been paid with {how.noun}",
        verbs=PAYS,
        names=named,
        calls=(shape("process_payment", **known),),
    )
