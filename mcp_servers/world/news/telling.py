"""Converts the facts of events to words for the placeholders of a script."""

from collections.abc import Callable, Mapping

from mcp_servers.world.companies import words
from mcp_servers.world.companies.words import capital, changed, money, plural, price
from mcp_servers.world.events.base import Fact

Facts = Mapping[str, Fact]
Places = dict[str, str]
CHANGES = {"kept": ("keeps", "kept"), "raised": ("raises", "raised"), "cut": ("cuts", "cut")}
MOVES = {("sell", "hold"), ("sell", "buy"), ("hold", "buy")}
"""Rating changes that are upgrades."""


def _earnings(facts: Facts) -> Places:
    eps, expected = float(facts["eps"]), float(facts["eps_expected"])
    revenue, before = float(facts["revenue"]), float(facts["revenue_year_before"])
    better = eps > expected
    return {
        "eps": price(eps),
        "loss": price(-eps),
        "eps_expected": price(expected),
        "revenue": money(revenue),
        "revenue_expected": money(float(facts["revenue_expected"])),
        "revenue_year_before": money(before),
        "net_income": money(float(facts["net_income"])),
        "quarter": words.quarter(int(facts["quarter"])),
        "year": str(facts["year"]),
        "growth": changed(revenue / before - 1.0),
        "verdict": "meets forecasts" if eps == expected else "beats forecasts" if better else "misses forecasts",
        "eps_versus": "in line with" if eps == expected else "above" if better else "below",
        "revenue_versus": "above" if revenue > float(facts["revenue_expected"]) else "below",
    }


def _guidance(facts: Facts) -> Places:
    middle = (float(facts["low"]) + float(facts["high"])) / 2.0
    return {
        "low": money(float(facts["low"])),
        "high": money(float(facts["high"])),
        "for_quarter": words.quarter(int(facts["quarter"])),
        "for_year": str(facts["year"]),
        "year_before": money(float(facts["year_before"])),
        "direction": "higher" if middle > float(facts["year_before"]) else "lower",
    }


def _dividend(facts: Facts) -> Places:
    verb, word = CHANGES[str(facts["change"])]
    return {
        "cash": price(float(facts["cash"])),
        "pay": words.day(str(facts["pay"])),
        "ex": words.day(str(facts["ex"])),
        "record": words.day(str(facts["record"])),
        "change_verb": verb,
        "change_word": word,
    }


def _rating(facts: Facts) -> Places:
    before, after = str(facts["from"]), str(facts["to"])
    up = (before, after) in MOVES
    return {
        "analyst": str(facts["analyst"]),
        "analyst_last": str(facts["analyst"]).split()[-1],
        "house": str(facts["house"]),
        "from": before,
        "to": after,
        "target": price(float(facts["target"])),
        "moves": "raises" if up else "cuts",
        "moved": "raised" if up else "cut",
    }


def _chief(facts: Facts) -> Places:
    return {
        "arriving": str(facts["arriving"]),
        "leaving": str(facts["leaving"]),
        "leaving_last": str(facts["leaving"]).split()[-1],
        "effective": words.day(str(facts["effective"])),
        "reason": str(facts["reason"]),
        "from_where": "within" if facts["from"] == "inside" else "outside",
    }


def _split(facts: Facts) -> Places:
    return {"ratio": f"{facts['after']}-for-{facts['before']}", "date": words.day(str(facts["date"]))}


def _buyback(facts: Facts) -> Places:
    return {"amount": money(float(facts["amount"])), "months": str(facts["months"])}


def _works(facts: Facts) -> Places:
    return {
        "works_city": str(facts["city"]),
        "works_state": str(facts["state"]),
        "site": str(facts["site"]),
        "a_site": words.one(str(facts["site"])),
        "jobs": f"{facts['jobs']:,}",
        "cost": money(float(facts["cost"])),
        "when": words.day(str(facts["when"])),
    }


def _layoffs(facts: Facts) -> Places:
    return {"jobs": f"{facts['jobs']:,}", "share": str(facts["share"]), "cost": money(float(facts["cost"]))}


def _product(facts: Facts) -> Places:
    return {
        "launched": str(facts["product"]),
        "what": str(facts["what"]),
        "available": words.day(str(facts["available"])),
        "figure": str(facts["figure"]),
        "value": str(facts["value"]),
        "investment": money(float(facts["investment"])),
    }


def _version(facts: Facts) -> Places:
    return {
        "launched": str(facts["product"]),
        "version": str(facts["version"]),
        "available": words.day(str(facts["available"])),
        "gain": str(facts["gain"]),
    }


def _recall(facts: Facts) -> Places:
    return {
        "recalled": str(facts["product"]),
        "reason": str(facts["reason"]),
        "units": f"{facts['units']:,}",
        "made_at": str(facts["made_at"]),
        "cost": money(float(facts["cost"])),
    }


def _outage(facts: Facts) -> Places:
    return {
        "down": str(facts["product"]),
        "reason": str(facts["reason"]),
        "reason_capital": capital(str(facts["reason"])),
        "hours": plural(int(facts["hours"]), "hour"),
        "customers": f"{facts['customers']:,}",
    }


def _stoppage(facts: Facts) -> Places:
    return {
        "stopped_city": str(facts["city"]),
        "site": str(facts["site"]),
        "reason": str(facts["reason"]),
        "reason_capital": capital(str(facts["reason"])),
        "days": plural(int(facts["days"]), "day"),
        "capacity": str(facts["capacity"]),
    }


def _trial(facts: Facts) -> Places:
    return {
        "tested": str(facts["product"]),
        "phase": str(facts["phase"]),
        "patients": f"{facts['patients']:,}",
        "result": str(facts["result"]),
        "goal": str(facts["goal"]),
    }


def _strike(facts: Facts) -> Places:
    return {
        "struck_city": str(facts["city"]),
        "site": str(facts["site"]),
        "workers": f"{facts['workers']:,}",
        "speaker": str(facts["speaker"]),
        "demand": str(facts["demand"]),
        "agreed": str(facts.get("agreed", "")),
        "began": words.day(str(facts["began"])) if "began" in facts else "",
    }


def _contract(facts: Facts) -> Places:
    return {
        "supplier": str(facts["supplier"]),
        "customer": str(facts["customer"]),
        "goods": str(facts["product"]),
        "amount": money(float(facts["value"])),
        "years": plural(int(facts["years"]), "year"),
        "until": words.day(str(facts["until"])),
    }


def _acquisition(facts: Facts) -> Places:
    return {
        "buyer": str(facts["buyer"]),
        "seller": str(facts["seller"]),
        "unit": str(facts["unit"]),
        "price": money(float(facts["price"])),
        "unit_sales": money(float(facts["sales"])),
        "staff": f"{facts['staff']:,}",
        "agreed": words.day(str(facts["agreed"])) if "agreed" in facts else "",
    }


def _bid(facts: Facts) -> Places:
    return {
        "bidder": str(facts["bidder"]),
        "target": str(facts["target"]),
        "bid_price": price(float(facts["price"])),
        "premium": str(facts["premium"]),
        "because": str(facts.get("because", "")),
        "proposed": words.day(str(facts["proposed"])) if "proposed" in facts else "",
    }


def _lawsuit(facts: Facts) -> Places:
    return {
        "plaintiff": str(facts["plaintiff"]),
        "defendant": str(facts["defendant"]),
        "claim": str(facts["claim"]),
        "claim_short": str(facts["claim"]).split(" of ")[-1].removeprefix("a "),
        "claimed": money(float(facts["amount"])),
        "court": str(facts["court"]),
        "court_capital": capital(str(facts["court"])),
        "paid": money(float(facts.get("paid", 0))),
        "filed": words.day(str(facts["filed"])) if "filed" in facts else "",
    }


def _coin(facts: Facts) -> Places:
    found = {name: str(value) for name, value in facts.items()}
    for name, fact in (("active", "active"), ("begins", "from")):
        if fact in facts:
            found[name] = words.day(str(facts[fact]))
            found[f"{name}_short"] = (
                words.day(str(facts[fact])) if len(str(facts[fact])) < 10 else words.short_day(str(facts[fact]))
            )
    if "hours" in facts:
        found["hours"] = plural(int(facts["hours"]), "hour")
    return found


TELLERS: dict[str, Callable[[Facts], Places]] = {
    "earnings": _earnings, "guidance": _guidance, "dividend": _dividend, "rating": _rating, "chief": _chief,
    "split": _split, "buyback": _buyback, "works": _works, "layoffs": _layoffs, "product": _product,
    "version": _version, "recall": _recall, "outage": _outage, "stoppage": _stoppage, "trial": _trial,
    "strike": _strike, "contract": _contract, "acquisition": _acquisition, "bid": _bid, "lawsuit": _lawsuit,
}  # fmt: skip


def script_of(ticker: str, kind: str, facts: Facts) -> str:
    """Return the name of the script that reports an event of this kind with these facts."""
    if ticker.startswith("X:"):
        return f"coin:{kind}"
    if kind == "earnings" and float(facts["eps"]) < 0:
        return "loss"
    stage = facts.get("stage") or (facts["change"] if kind == "works" else None)
    return f"{kind}:{stage}" if stage else kind


def places(ticker: str, kind: str, facts: Facts) -> Places:
    """Return the facts of an event in words, by placeholder."""
    return _coin(facts) if ticker.startswith("X:") else TELLERS[kind](facts)
