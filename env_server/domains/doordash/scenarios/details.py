"""The callers' knowledge of their wishes, in their own words, and the agents' words in which they recognise it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from env_server.domains.doordash.scenarios import wording
from env_server.domains.doordash.scenarios.base import Case, Row
from env_server.domains.kit import Form, Known, Words, capital, listed, money

_UNNUMBERED = 0.4
"""The probability that a caller who ordered only once at a restaurant names the order by the restaurant."""


@dataclass(frozen=True)
class Detail:
    """One detail of a wish: how the caller says and recognises it, and how an agent says it in a proposal."""

    known: Known
    words: str
    """The detail within the proposal, after a verb: `order D1`, `the visa card ending in 4242`."""


def order(case: Case, *, numbered: bool = False) -> Detail:
    """Return the order by its number. If the caller does not know it and ordered once at the restaurant, return it by
    restaurant.
    """
    row, orders = case.order, case.world.orders_of(case.user)
    alone = [o["restaurant_id"] for o in orders].count(row["restaurant_id"]) == 1
    others = tuple(o["order_id"] for o in orders if o is not row)
    if alone and not numbered and case.rng.random() < _UNNUMBERED:
        text = case.voice.pick(*wording.UNNUMBERED).format(row["restaurant"])
        return Detail(Known(text, (row["restaurant"],), others), f"your order from {row['restaurant']}")
    text = case.voice.pick(*wording.NUMBERED).format(row["order_id"])
    says = (row["order_id"], row["restaurant"]) if alone else (row["order_id"],)
    return Detail(Known(text, says, others), f"order {row['order_id']}")


def given(detail: Detail, case: Case) -> dict[str, str]:
    """Return the order's id as an argument if the caller has said it."""
    return {"order_id": case.order_id} if case.order_id in detail.known.says else {}


def method_words(row: Row) -> str:
    """Return a payment method in words."""
    if row["source"] == "credit_card":
        return f"the {row['brand']} card ending in {row['last_four']}"
    return "the PayPal account" if row["source"] == "paypal" else "the credits"


CREDITS: tuple[Form, ...] = ("credits", "credit balance", "account credit", "store credit", "app credit")
ORIGINAL: tuple[Form, ...] = (
    "original payment",
    "original method",
    "original form",
    "original way",
    "originally used",
    "way you paid",
    "way it was paid",
    "method you paid with",
    "same way",
    "same method",
    "payment method you used",
)


def method_forms(methods: Mapping[str, Row], row: Row) -> tuple[Form, ...]:
    """Return the phrases that distinguish one of the caller's payment methods from the others."""
    if row["source"] == "credits":
        return CREDITS
    if row["source"] == "paypal":
        return ("PayPal",)
    cards = [m["brand"] for m in methods.values() if m["source"] == "credit_card"]
    return (row["last_four"], row["brand"]) if cards.count(row["brand"]) == 1 else (row["last_four"],)


def _other_methods(methods: Mapping[str, Row], row: Row) -> tuple[str, ...]:
    """Return the names of the caller's other payment methods. Credits are excluded, since agents mention them for other
    reasons.
    """
    own = method_forms(methods, row)
    rest = (f for m in methods.values() if m["source"] != "credits" for f in method_forms(methods, m))
    return tuple(f for f in rest if isinstance(f, str) and f not in own)


def method(case: Case, row: Row) -> Detail:
    """Return the payment method of an order."""
    words = method_words(row)
    text = capital(case.voice.pick(*wording.PAY).format(words))
    return Detail(Known(text, method_forms(case.methods, row), _other_methods(case.methods, row)), words)


def back_to(case: Case, to: str) -> Detail:
    """Return the destination of a refund: `original`, the order's payment method, or `credits`."""
    if to == "credits":
        return Detail(Known(case.voice.pick(*wording.TO_CREDITS), CREDITS, ("original payment",)), "to your credits")
    paid = case.methods[case.order["payment_method_id"]]
    words = method_words(paid)
    text = capital(case.voice.pick(*wording.TO_ORIGINAL).format(words))
    says = (*ORIGINAL, *method_forms(case.methods, paid))
    return Detail(Known(text, says, _other_methods(case.methods, paid)), f"to the original payment method, {words}")


def reason(case: Case, name: str) -> Detail:
    """Return the reason for a cancellation."""
    says: dict[str, tuple[Form, ...]] = {
        "changed_mind": (
            *("changed mind", "changed my mind", "changed your mind", "change of mind", "no longer want"),
            *("do not want it", "don't want it", "changed_mind", "changed our minds", "changed your minds"),
            *("decided otherwise", "decided differently", "thought better"),
        ),
        "ordered_by_mistake": (
            *("mistake", "mistakenly", "accident", "accidentally", "in error", "ordered_by_mistake"),
            *("did not mean", "didn't mean", "never meant", "oversight", "unintended", "unintentionally"),
        ),
        "wrong_address": ("wrong address", "incorrect address", "address is wrong", "wrong place", "wrong_address"),
        "too_late": ("late", "delay", "delayed", "overdue", "too_late"),
    }
    words = {
        "changed_mind": "because of a change of mind",
        "ordered_by_mistake": "because it was ordered by mistake",
        "wrong_address": "because it goes to the wrong address",
        "too_late": "because it is too late",
    }
    return Detail(Known(case.voice.pick(*wording.REASONS[name]), says[name]), words[name])


def spot_words(address: Row) -> str:
    """Return one of the caller's own addresses, by label and street."""
    return f"the {address['label']} address at {address['address1']}"


def spot(case: Case, address: Row, *bank: str, but: Sequence[Row] = ()) -> Detail:
    """Return one of the caller's own addresses in a wording of `bank`. A proposal may also name those of `but`."""
    words = spot_words(address)
    bank = bank or wording.TO_ADDRESS
    left = [a for a in case.at.addresses if a["address_id"] not in {address["address_id"], *_ids(but)}]
    others = tuple(a["address1"] for a in left)
    says = (address["address1"], f"{address['label']} address", f"{address['label']} one")
    return Detail(Known(capital(case.voice.pick(*bank).format(words)), says, others), words)


def _ids(rows: Sequence[Row]) -> set[str]:
    return {row["address_id"] for row in rows}


def parts(address: Row) -> str:
    """Return a new address with all its parts."""
    lines = [address["address1"], address["address2"], address["city"], f"{address['state']} {address['zip']}"]
    return ", ".join(line for line in lines if line)


def new_address(case: Case, address: Row, *bank: str) -> Detail:
    """Return an address that the caller does not have yet; a proposal names street and zip code."""
    words = parts(address)
    says = ((address["address1"], address["zip"]),)
    return Detail(Known(case.voice.pick(*(bank or wording.NEW_ADDRESS)).format(words), says), words)


_HANDED: dict[str, tuple[Form, ...]] = {
    "hand_to_me": (
        *("hand to me", "hand to you", "handed to you", "hand it to you", "hand it to me", "hand them to you"),
        *("hand over", "hand it over", "handed over", "in person", "hands it", "handing", "hand_to_me", "hand you"),
        *("handed", "hands", "directly to you", "personally"),
    ),
    "leave_at_door": ("door", "doorstep", "leave_at_door"),
    "meet_outside": ("outside", "meet_outside"),
    "leave_with_reception": ("reception", "front desk", "receptionist", "leave_with_reception"),
}
_HANDING = {
    "hand_to_me": "with the courier handing it to you",
    "leave_at_door": "with the courier leaving it at your door",
    "meet_outside": "with you meeting the courier outside",
    "leave_with_reception": "with the courier leaving it at the reception",
}


def handing(case: Case, instructions: str) -> Detail:
    """Return the instructions for handing an order over."""
    text = case.voice.pick(*wording.HANDING[instructions])
    return Detail(Known(text, _HANDED[instructions]), _HANDING[instructions])


def tip(case: Case, amount: float) -> Detail:
    """Return the total tip of the courier."""
    if amount:
        text = case.voice.pick(*wording.TIP).format(money(amount))
        return Detail(Known(text, (money(amount),)), f"a tip of ${money(amount)}")
    says: tuple[Form, ...] = ("no tip", "without tip", "without a tip", "tip free", "not tip", "not tipping", "0")
    return Detail(Known(case.voice.pick(*wording.NO_TIP), says), "no tip")


def dish_words(line: Row) -> str:
    """Return a line with all its options, so that exactly one item fits: `2 x Pad Thai (size large, heat mild)`."""
    options = ", ".join(f"{option} {choice}" for option, choice in line["options"].items())
    return f"{line['quantity']} x {line['name']}" + (f" ({options})" if options else "")


def dishes_words(lines: Iterable[Row]) -> str:
    """Return several lines in words."""
    return listed(map(dish_words, lines))


_OFTEN_IMPLIED = frozenset({"no ice", "to share", "single"})
"""Choices that agents often put in other words."""


def _dish_forms(case: Case, line: Row) -> list[str]:
    """Return the phrases for a line: the dish, the quantity if above one, and the choices that are not the menu's
    first.
    """
    options = case.world.items[line["item_id"]]["options"]
    chosen = [c for o, c in line["options"].items() if c != next(iter(options[o])) and c not in _OFTEN_IMPLIED]
    count = [str(line["quantity"])] if line["quantity"] > 1 else []
    return [line["name"], *count, *chosen]


def dishes(case: Case, lines: Sequence[Row], *bank: str, place: Row | None = None, but: Sequence[str] = ()) -> Detail:
    """Return the dishes that the caller wants. Other dishes of that menu count as wrong, except the names in `but`."""
    words = dishes_words(lines)
    text = case.voice.pick(*(bank or wording.DISHES)).format(words)
    place = case.place if place is None else place
    said = Words(f"{words}. {place['name']}. {', '.join(but)}")
    others = tuple(i["name"] for i in case.world.menu(place) if not said.name(i["name"]))
    forms = tuple(dict.fromkeys(form for line in lines for form in _dish_forms(case, line)))
    return Detail(Known(text, (forms,), others), words)


def restaurant(case: Case, place: Row, *bank: str) -> Detail:
    """Return the restaurant of the food."""
    text = case.voice.pick(*(bank or wording.RESTAURANT)).format(f"{place['name']} in {place['city']}")
    return Detail(Known(text, (place["name"],)), place["name"])


def code(case: Case, promo: Row, *bank: str) -> Detail:
    """Return a promo code."""
    text = case.voice.pick(*(bank or wording.CODE)).format(promo["code"])
    return Detail(Known(text, (promo["code"],)), f"the promo code {promo['code']}")


def affected(case: Case, lines: Sequence[Row], issue: str) -> Detail:
    """Return the items of the order that were missing, wrong or damaged, all of each."""
    names = listed(dict.fromkeys(line["name"] for line in lines))
    text = case.voice.pick(*wording.AFFECTED[issue]).format(names)
    named = Words(f"{names}. {case.order['restaurant']}")
    rest = (line["name"] for line in case.order["lines"].values())
    others = tuple(dict.fromkeys(name for name in rest if not named.name(name)))
    return Detail(Known(text, (tuple(dict.fromkeys(line["name"] for line in lines)),), others), f"the {names}")


def known(details: Mapping[str, Detail]) -> dict[str, Known | str]:
    """Return the details as the caller knows them, by topic."""
    return {topic: detail.known for topic, detail in details.items()}
