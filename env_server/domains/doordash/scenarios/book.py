"""Plain wishes about the caller's saved addresses."""

from collections.abc import Mapping

from env_server.domains.doordash import people, words
from env_server.domains.doordash.ids import address_id
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios import goals, order_asks, wording
from env_server.domains.doordash.scenarios.base import (
    Case,
    Row,
    Wish,
    about_caller,
    about_order,
    open_order,
    open_user,
    write,
)
from env_server.domains.doordash.scenarios.changes import before_pick_up, redirecting
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.kit import GoldCall, Known, WantedChange, change, shape, wish

ADDING = ("add", "save", "store", "put", "create", "enter", "register")
DEFAULTING = ("default", "make", "set")
REMOVING = ("remov", "delete", "deleting", "take", "erase", "drop")
LABELS = ("home", "work", "studio", "other")


def fresh_address(case: Case) -> dict[str, str]:
    """Return an address that the caller does not have, in the city of their default one."""
    home = case.at.addresses[0]["city"]
    return people.address(case.rng, [name for name, _, _ in words.CITIES].index(home))


def label(case: Case, name: str) -> Detail:
    """Return the caller's label of an address."""
    return Detail(Known(case.voice.pick(*wording.LABEL).format(name), (name,)), f'with the label "{name}"')


def becomes_default(case: Case, *, default: bool) -> Detail:
    """Return whether a new address becomes the default one."""
    bank = wording.MAKE_DEFAULT if default else wording.KEEP_DEFAULT
    return Detail(Known(case.voice.pick(*bank), ("default",) if default else ()), "your default address")


def address_call(case: Case, label: str, parts: dict[str, str]) -> GoldCall:
    """Return the write that adds an address."""
    return write("add_address", user_id=case.user_id, label=label, **parts)


def default_call(case: Case, address_id: str) -> GoldCall:
    """Return the write that makes an address the default one."""
    return write("set_default_address", user_id=case.user_id, address_id=address_id)


def remove_call(case: Case, address: Row) -> GoldCall:
    """Return the write that removes an address."""
    return write("remove_address", user_id=case.user_id, address_id=address["address_id"])


def new_id(case: Case, parts: dict[str, str]) -> str:
    """Return the id that a new address of the caller will have."""
    return address_id(case.user_id, parts, lambda found: found in case.user["addresses"])


def adding(answers: Mapping[str, Detail], name: str, parts: dict[str, str]) -> WantedChange:
    """Return the change that adds an address."""
    known = {"label": name, "address1": parts["address1"], "zip": parts["zip"]}
    return change(
        f"add the address {said.parts(parts)} to your account {answers['label'].words}",
        "the address has been added to your account",
        verbs=ADDING,
        names=("address", "label"),
        calls=(shape("add_address", **known),),
    )


def move_in(case: Case) -> Wish:
    """Add an address, as the default one or not."""
    new, default = fresh_address(case), case.rng.choice((True, False))
    name = case.rng.choice(LABELS)
    answers = {
        "address": said.new_address(case, new),
        "label": label(case, name),
        "default": becomes_default(case, default=default),
    }
    changes = [adding(answers, name, new)]
    if default:
        changes.append(
            change(
                f"make {said.parts(new)} your default address",
                "it has been made your default address",
                verbs=DEFAULTING,
                names=("address", "default"),
                calls=(shape("set_default_address"),),
            )
        )
    return Wish(
        requests=(wish(case, *order_asks.ADD_ADDRESS, details=said.known(answers), changes=changes),),
        goal=goals.goal(case, order_asks.ADD_ADDRESS, answers),
        writes=(address_call(case, name, new), *((default_call(case, new_id(case, new)),) if default else ())),
        slots={"address": new, "label": name, "default": default},
    )


def removing(address: Detail, topic: str) -> WantedChange:
    """Return the change that removes an address."""
    return change(
        f"remove {address.words} from your account",
        f"{address.words} has been removed",
        verbs=REMOVING,
        names=(topic,),
        calls=(shape("remove_address"),),
    )


def move_out(case: Case) -> Wish:
    """Make another address the default one and remove the former default."""
    old, new = case.at.addresses[0], case.rng.choice(case.at.addresses[1:])
    answers = {
        "address": said.spot(case, old, *order_asks.MOVED, but=(new,)),
        "default": said.spot(case, new, *order_asks.NEW_DEFAULT, but=(old,)),
    }
    changes = (
        change(
            f"make {answers['default'].words} your default address",
            f"{answers['default'].words} has been made your default address",
            verbs=DEFAULTING,
            names=("default",),
            calls=(shape("set_default_address"),),
        ),
        removing(answers["address"], "address"),
    )
    return Wish(
        requests=(wish(case, *order_asks.MOVE_OUT, details=said.known(answers), changes=changes),),
        goal=goals.goal(case, order_asks.MOVE_OUT, answers),
        reads=(open_user(case),),
        writes=(default_call(case, new["address_id"]), remove_call(case, old)),
        slots={"old": old["address_id"], "new": new["address_id"]},
    )


def redirect_to_new(case: Case) -> Wish:
    """Add an address in the restaurant's range and send an order there."""
    new = fresh_address(case)
    while case.place["miles"][new["zip"]] > case.place["delivery_radius"]:
        new = fresh_address(case)
    name = case.rng.choice(LABELS)
    answers = {
        "order": said.order(case),
        "address": said.new_address(case, new),
        "label": label(case, name),
        "default": becomes_default(case, default=False),
    }
    changes = (adding(answers, name, new), redirecting(case, answers))
    return Wish(
        requests=(wish(case, *order_asks.REDIRECT_NEW, details=said.known(answers), changes=changes),),
        goal=goals.goal(case, order_asks.REDIRECT_NEW, answers),
        reads=(open_order(case), open_user(case)),
        writes=(
            address_call(case, name, new),
            write("update_order", order_id=case.order_id, address_id=new_id(case, new)),
        ),
        slots={"order": case.order_id, "address": new},
    )


MOVE_IN = about_caller(move_in)
MOVE_OUT = about_caller(move_out, lambda at: len(at.addresses) > 1)
REDIRECT_TO_NEW = about_order(redirect_to_new, before_pick_up)
