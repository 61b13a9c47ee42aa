"""What is otherwise than in the base before a call: the caller's own phone, and what is wrong with it."""

from collections.abc import Callable
from typing import Any

from env_server.domains.kit import Db, Row
from env_server.domains.telecom.checks import TelecomDb
from env_server.domains.telecom.dialects import BUILTIN
from env_server.domains.telecom.scenarios.base import Carrier
from env_server.domains.telecom.setups import set_user_info, simulate_network_search
from env_server.domains.telecom.sync import sync
from env_server.state import State, thaw

Step = Callable[[TelecomDb], object]
Patch = dict[str, dict[str, dict[str, Any] | None]]


def scene(carrier: Carrier, customer: Row, *steps: Step) -> Patch:
    """The rows that differ from the base when `customer` calls from their own phone, after `steps`.

    Phone and company agree with each other, and the phone has looked for a network since, so that neither a further
    look nor a restart changes anything by itself.
    """
    state = State.at(carrier.base)
    db = Db(state, BUILTIN)
    set_user_info(db, customer["full_name"], customer["phone_number"])
    for step in steps:
        step(db)
    sync(db)
    simulate_network_search(db)
    patch: Patch = {}
    for table, key, row in state.take_changes():
        patch.setdefault(table, {})[key] = thaw(row)
    return patch
