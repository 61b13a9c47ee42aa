"""Plain wishes about the cart that do not order it yet."""

from env_server.domains.doordash.scenarios import asks, baskets, goals
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import Case, Row, Spot, Wish, about_caller, look, open_cart, write
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.ordering import cart_lines, elsewhere, orderable
from env_server.domains.kit import Known, change, money, shape, told, wish

TAKING_OUT = ("remove", "take", "delete", "drop", "pull")
CHANGING = ("update", "change", "set", "make", "increase", "raise", "adjust", "bring", "add")


def tidy(case: Case) -> Wish:
    """Take one thing out of the cart, have more of another, and hear the subtotal; nothing is ordered yet."""
    out, kept = case.rng.sample(cart_lines(case), 2)
    count = kept["quantity"] + case.rng.choice((1, 2, 3))
    rest = [line for line in cart_lines(case) if line not in (out, kept)]
    more = baskets.line(case, case.world.items[kept["item_id"]], count, kept["options"])
    after = money(baskets.subtotal([*rest, more]))
    answers = {
        "remove": Detail(Known(case.voice.pick(*asks.TAKE_OUT).format(out["name"]), (out["name"],)), out["name"]),
        "items": Detail(
            Known(case.voice.pick(*asks.MAKE_IT).format(count, kept["name"]), ((kept["name"], str(count)),)),
            f"{kept['name']} in your cart to {count}",
        ),
    }
    want, tell = told(after, f"The subtotal of your cart is now ${after}.", "subtotal", "cart", "comes to")
    changes = (
        change(
            f"take the {out['name']} out of your cart",
            f"the {out['name']} has been taken out of your cart",
            verbs=TAKING_OUT,
            names=("remove",),
            calls=(shape("remove_item_from_cart"),),
        ),
        change(
            f"change the {answers['items'].words}",
            f"the quantity of {kept['name']} in your cart has been changed to {count}",
            verbs=CHANGING,
            names=("items",),
            calls=(shape("update_cart_item", quantity=count),),
        ),
    )
    return Wish(
        requests=(wish(case, *asks.TIDY, details=said.known(answers), changes=changes, wants=(want,)),),
        goal=goals.goal(case, asks.TIDY, answers),
        proof=(open_cart(case),),
        writes=(
            write("remove_item_from_cart", user_id=case.user_id, line_id=out["line_id"]),
            write("update_cart_item", user_id=case.user_id, line_id=kept["line_id"], quantity=count),
        ),
        tells=(tell,),
        slots={"out": out["line_id"], "kept": kept["line_id"], "count": count},
    )


def other_place(case: Case) -> Wish:
    """Fill the cart from another restaurant. The caller agrees that its old content goes. Nothing is ordered yet."""
    place = case.rng.choice(elsewhere(case.at))
    lines = baskets.draw(case, 2, place=place)
    may_go = Detail(Known(case.voice.pick(*asks.MAY_GO)), "what is in it now going")
    answers = baskets.food(case, lines, place=place) | {"cart": may_go}
    filling = change(
        f"empty your cart and put {answers['items'].words} from {place['name']} into it",
        "your cart has been filled",
        verbs=baskets.FILLING,
        names=("restaurant", "items"),
        calls=baskets.shapes(lines),
    )
    return Wish(
        requests=(wish(case, *asks.FILL_CART, details=said.known(answers), changes=(filling,)),),
        goal=goals.goal(case, asks.FILL_CART, answers),
        reads=(open_cart(case),),
        writes=baskets.adds(case, lines, replace=True),
        slots={"lines": baskets.slots(lines)},
    )


def drop_code(case: Case) -> Wish:
    """Take the promo code off the cart to keep it, and hear the price of the order without it."""
    lines = cart_lines(case)
    promo = case.rng.choice(baskets.codes(case.at, baskets.subtotal(lines)))
    address = case.rng.choice(case.at.in_range)
    total = money(baskets.bill(case, lines, address)["total"])
    where = said.spot(case, address, *asks.WOULD_GO)
    want, tell = told(total, f"Without the code the order would cost ${total}.", *baskets.TOTAL_OF)
    dropping = change(
        "take the promo code off your cart",
        "the promo code has been taken off your cart",
        verbs=("remove", "take", "drop", "delete", "clear"),
        calls=(shape("remove_promo"),),
    )
    return Wish(
        requests=(
            wish(case, *asks.DROP_CODE, details=said.known({"address": where}), changes=(dropping,), wants=(want,)),
        ),
        goal=goals.goal(case, asks.DROP_CODE, {"address": where}),
        proof=(look("get_cart", "user_id", "address_id", user_id=case.user_id, address_id=address["address_id"]),),
        writes=(write("remove_promo", user_id=case.user_id),),
        tells=(tell,),
        slots={"code": promo["code"], "address": address["address_id"]},
        initial={"carts": {case.user_id: {"promo_code": promo["code"]}}},
    )


def _tidy(at: Spot) -> bool:
    names = [] if at.cart is None else [line["name"] for line in at.cart["lines"].values()]
    return len(set(names)) == len(names) > 1


def _has_code(at: Spot) -> bool:
    lines: list[Row] = [] if at.cart is None else list(at.cart["lines"].values())
    return orderable(at) and bool(baskets.codes(at, baskets.subtotal(lines)))


TIDY = about_caller(tidy, _tidy)
OTHER_PLACE = about_caller(other_place, lambda at: at.cart is not None and bool(elsewhere(at)))
DROP_CODE = about_caller(drop_code, _has_code)
