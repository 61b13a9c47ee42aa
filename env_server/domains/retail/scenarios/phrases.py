"""The callers' words for money, orders, items, options, payment methods and addresses."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from env_server.domains.kit import Known, capital, listed, prose, texts, turned
from env_server.domains.retail.scenarios import words
from env_server.domains.retail.scenarios.base import Case, Row

_UNNUMBERED = 0.35


def names(items: Iterable[Row]) -> str:
    """Return the items' names as a list: `the Desk Lamp and the Tea Kettle`."""
    return listed(f"the {item['name']}" for item in items)


def options(variant: Row) -> str:
    """Return all options in words, so that exactly one variant fits: `color black, mount clamp and light warm`."""
    return listed(f"{axis} {value}" for axis, value in variant["options"].items())


def method(row: Row) -> str:
    """Return the owner's words for a payment method."""
    if row["source"] == "credit_card":
        return f"the {row['brand']} card ending in {row['last_four']}"
    return "the PayPal account" if row["source"] == "paypal" else "the gift card"


def method_forms(row: Row) -> tuple[str, ...]:
    """Return the phrases by which an agent may name a payment method to its owner."""
    if row["source"] == "credit_card":
        return (row["last_four"], row["id"])
    return ("paypal", row["id"]) if row["source"] == "paypal" else ("gift card", row["id"])


def payment(case: Case, key: str, *wordings: str) -> Known:
    """Return the payment method that the caller wants, in one of `wordings`. Their other methods count as wrong."""
    chosen = case.methods[key]
    return paying(case, chosen, [row for k, row in case.methods.items() if k != key], *wordings)


def paying(case: Case, chosen: Row, rest: Sequence[Row], *wordings: str) -> Known:
    """Return the payment method that the caller wants. `rest` holds their other methods."""
    others = [form for row in rest for form in method_forms(row)]
    brands = {row.get("brand") for row in rest}
    forms = method_forms(chosen)
    if chosen["source"] == "credit_card" and chosen["brand"] not in brands:
        forms = (*forms, chosen["brand"])
    return Known(capital(case.voice.pick(*wordings).format(method(chosen))), says=forms, others=tuple(others))


def address(row: dict[str, Any]) -> str:
    """Return an address with all its fields, in the order in which the tools ask for them."""
    return ", ".join(row[k] for k in ("address1", "address2", "city", "state", "country", "zip"))


def home(case: Case) -> Known:
    """Return the caller's own address. A proposal may use the caller's words for it."""
    row = case.user["address"]
    return Known(
        case.voice.pick(*words.HOME), says=("default address", "profile", "home", (row["address1"], row["zip"]))
    )


def new_address(case: Case, row: dict[str, str]) -> Known:
    """Return the address that the caller wants. A proposal names its street, unit and zip code."""
    return Known(case.voice.pick(*words.ADDRESS).format(address(row)), says=((row["address1"], row["address2"]),))


def things(case: Case, order: Row, items: Iterable[Row], *wordings: str) -> Known:
    """Return items of an order. A proposal names each. The order's other items count as wrong."""
    meant = list(items)
    named = {item["name"] for item in meant}
    others = {item["name"] for item in order["items"]} - named
    text = case.voice.pick(*(wordings or words.ABOUT)).format(names(meant))
    return Known(text, says=(tuple(sorted(named)),), others=tuple(sorted(others)))


def variants(case: Case, items: Sequence[Row], new: Sequence[Row]) -> Known:
    """Return the versions that replace `items`. A proposal names the options that differ."""
    pairs = list(zip(items, new, strict=True))
    text = case.voice.pick(*words.WANTED).format(versions(items, new))
    now = {value for item in items for value in item["options"].values()}
    told = {value for variant in new for value in variant["options"].values()}
    axes = {axis for item, variant in pairs for axis in variant["options"] if _differs(item, variant, axis)}
    others = {
        value
        for item in items
        for other in case.shop.products[item["product_id"]]["variants"].values()
        for axis, value in other["options"].items()
        if axis in axes & _TELLING
    }
    says = tuple(value for item, variant in pairs for value in differing(item, variant))
    return Known(text, says=(says,), others=tuple(sorted(others - now - told)))


def versions(items: Sequence[Row], new: Sequence[Row]) -> str:
    """Return the replacements of `items` in words: `the Desk Lamp with color black and mount clamp`."""
    return listed(f"the {i['name']} with {options(v)}" for i, v in zip(items, new, strict=True))


_TELLING = {"color", "wood", "size", "capacity", "shape", "length"}
"""Axes whose values have no other meaning in a sentence, so that a wrong value is detected."""


def _differs(item: Row, variant: Row, axis: str) -> bool:
    return bool(item["options"].get(axis) != variant["options"][axis])


def differing(item: Row, variant: Row) -> tuple[str, ...]:
    """Return the options in which a variant differs from an item. For a yes/no option, return its axis."""
    return tuple(
        axis if value in {"yes", "no", "none"} else value
        for axis, value in variant["options"].items()
        if _differs(item, variant, axis)
    )


def reason(case: Case, which: str) -> Known:
    """Return the reason for a cancellation."""
    return Known(case.voice.pick(*words.REASONS[which]), says=words.REASON_FORMS[which])


def order(case: Case, row: Row) -> Known:
    """Return the order by its number. If the caller does not know the number, return it by an item that only it
    contains.
    """
    elsewhere = {i["name"] for o in case.shop.orders_of(case.user) if o is not row for i in o["items"]}
    telling = [item["name"] for item in row["items"] if item["name"] not in elsewhere]
    numbered = not telling or case.rng.random() >= _UNNUMBERED
    thing = case.rng.choice(telling) if telling else ""
    return by_number(case, row) if numbered else by_item(case, row, thing)


def by_number(case: Case, row: Row) -> Known:
    """Return the order, named by its number."""
    return Known(case.voice.pick(*words.ORDER).format(row["order_id"]), (row["order_id"],), _other_orders(case, row))


def by_item(case: Case, row: Row, thing: str) -> Known:
    """Return the order, named by an item."""
    text = case.voice.pick(*words.ORDER_WITH).format(thing)
    return Known(text, (thing, row["order_id"]), _other_orders(case, row))


def _other_orders(case: Case, row: Row) -> tuple[str, ...]:
    return tuple(order_id for order_id in case.user["orders"] if order_id != row["order_id"])


def meant(known: Known) -> str:
    """Return the words for the order in the plan of a change."""
    form = known.says[0]
    return f"order {form}" if str(form).startswith("#") else f"the order with the {form}"


def goal(case: Case, bank: Sequence[str], details: Mapping[str, Known], *more: str) -> str:
    """Return the caller's wish and details in the second person. `more` follows."""
    return " ".join([prose.wanted(case.voice, _second(case.voice.pick(*bank))), *lines(case, details), *more])


_TURNED = {
    "I am": "you are",
    "you have": "the shop has",
    "you keep": "the shop keeps",
    "I": "you",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "you": "the shop",
    "your": "the shop's",
}


def _second(phrase: str) -> str:
    """Return a caller's text in the second person: `my card` becomes `your card`."""
    return turned(phrase, _TURNED)


def only_then(case: Case, bank: Sequence[str], details: Mapping[str, Known | str]) -> str:
    """Return the caller's alternative after a refusal."""
    told = lines(case, {topic: detail for topic, detail in details.items() if topic != "order"})
    return " ".join([prose.instead(case.voice, _second(case.voice.pick(*bank))), *told])


def lines(case: Case, details: Mapping[str, Known | str]) -> list[str]:
    """Return the caller's answers on the topics."""
    return prose.answered(case.voice, [text for topic, text in texts(details).items() if topic in words.TOPICS])
