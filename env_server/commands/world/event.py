"""Describes an event in words."""

from collections.abc import Mapping
from string import Formatter

from mcp_servers.world.companies import words
from mcp_servers.world.rows import Event

Fact = str | float | int

PHRASES: Mapping[str, tuple[str, ...]] = {
    "acquisition": (
        "{buyer} buys the {unit} of {seller} for {price}", "sales of {sales}", "{staff} employees", "{stage}",
        "agreed on {agreed}",
    ),
    "bid": (
        "{bidder} bids {price} a share in {pays} for {target}", "{premium}% above its price", "{stage}",
        "proposed on {proposed}", "because of {because}",
    ),
    "buyback": ("{amount} within {months} months",),
    "chief": ("{arriving} from {from} the company follows {leaving}", "from {effective}", "because of {reason}"),
    "contract": ("{supplier} supplies {customer} with {product} for {value}", "{years} years", "until {until}"),
    "dividend": ("{cash} a share ({change})", "ex {ex}", "recorded on {record}", "paid on {pay}"),
    "earnings": (
        "quarter {quarter} of {year}", "EPS {eps} ({eps_expected} expected)",
        "revenue {revenue} ({revenue_expected} expected, {revenue_year_before} a year before)",
        "net income {net_income}",
    ),
    "guidance": ("quarter {quarter} of {year}", "revenue of {low} to {high} ({year_before} a year before)"),
    "lawsuit": (
        "{plaintiff} against {defendant}", "{claim}", "{amount}", "{court}", "{stage}", "filed on {filed}",
        "{paid} paid",
    ),
    "layoffs": ("{jobs} jobs ({share}% of all)", "cost {cost}"),
    "listing": ("{platform} lists {coin}", "from {from}"),
    "outage": ("{platform} stops {coin}", "{product} fails", "{hours} hours", "{reason}", "{customers} customers"),
    "product": ("{product} ({what})", "available from {available}", "{figure} {value}", "investment {investment}"),
    "rating": ("{analyst} of {house}", "from {from} to {to}", "target {target}"),
    "recall": ("{product}", "{reason}", "{units} units, made at {made_at}", "cost {cost}"),
    "rule": ("{region} regulators want {reserve}% of {coin} in reserve", "from {from}"),
    "split": ("{after} for {before}", "on {date}"),
    "stoppage": ("{site} in {city}", "{reason}", "{days} days", "{capacity}% of capacity"),
    "strike": (
        "{site} in {city}", "{workers} workers", "{speaker} speaks for them", "demand {demand}%", "{stage}",
        "began on {began}", "agreed on {agreed}%",
    ),
    "trial": ("{product}", "phase {phase}", "{patients} patients", "{result} {goal}"),
    "upgrade": ("{client} {version} of {coin}", "active from {active}", "fees {fees}% lower"),
    "version": ("{product} {version}", "available from {available}", "gain {gain}%"),
    "works": ("{change}: {site} in {city}, {state}", "{jobs} jobs", "cost {cost}", "in {when}"),
}  # fmt: skip
"""The parts of the description by kind of event. A part is omitted if the event lacks one of its facts."""

DOLLARS = frozenset({
    "amount", "cash", "cost", "eps", "eps_expected", "high", "investment", "low", "net_income", "paid", "price",
    "revenue", "revenue_expected", "revenue_year_before", "sales", "target", "value", "year_before",
})  # fmt: skip
"""Facts that are amounts: whole numbers of dollars, or prices per share."""

PLAIN = frozenset({"year", "version"})
"""Numbers that are printed without thousands separators."""


def told(event: Event) -> str:
    """Return the facts of an event as phrases. For a kind without phrases, list the names and values of its facts."""
    facts = {name: _fact(name, value) for name, value in event["facts"].items()}
    named = tuple(f"{name.replace('_', ' ')} {{{name}}}" for name in facts)
    parts = [part.format_map(facts) for part in PHRASES.get(event["kind"], named) if fields(part) <= facts.keys()]
    return ", ".join(parts)


def fields(part: str) -> set[str]:
    """Return the names of the facts in a part."""
    return {name for _, name, _, _ in Formatter().parse(part) if name}


def _fact(name: str, value: Fact) -> str:
    if isinstance(value, str):
        return value
    if name in DOLLARS:
        return words.money(value) if isinstance(value, int) else words.price(value)
    return f"{value:,}" if isinstance(value, int) and name not in PLAIN else f"{value}"
