"""The builtin carrier's state for tests: calls of both sides, and phones in every condition."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from env_server.domains.kit import GoldCall, Task, tools_of
from env_server.domains.kit.shared import TOOLS
from env_server.domains.telecom import tools, user_tools
from env_server.domains.telecom.dialects import BUILTIN
from env_server.domains.telecom.scenarios.base import Carrier
from env_server.domains.telecom.scenarios.scene import scene
from env_server.domains.telecom.sync import sync
from env_server.state import Change, Db, Snapshot, State
from env_server.tools import CallOutcome, Toolset
from tests.domains.made import pack

AGENT_TOOLS = {tool.name: tool for tool in (*tools_of(tools), *TOOLS)}
USER_TOOLS = {tool.name: tool for tool in tools_of(user_tools)}
WRITES = frozenset(name for name, tool in {**AGENT_TOOLS, **USER_TOOLS}.items() if tool.kind == "write")
SIDES = {"agent": Toolset(AGENT_TOOLS, BUILTIN), "user": Toolset(USER_TOOLS, BUILTIN)}


def base() -> Snapshot:
    """Return the builtin base."""
    return pack("telecom").snapshot


@cache
def carrier() -> Carrier:
    """The base as scenarios see it."""
    return Carrier(base())


@cache
def somebody_asked() -> list[Change]:
    """The changes of a call by a customer who has a payment request waiting."""
    one = carrier()
    customer = next(c for c in one.customers.values() if one.bills_of(c, "Awaiting Payment"))
    return [Change(table, key, row) for table, rows in scene(one, customer).items() for key, row in rows.items()]


class Stage:
    """A state with both sides' tools. It begins with a caller's phone after some steps, or with a task."""

    def __init__(self, steps: Sequence[GoldCall] = (), *, task: Task | None = None) -> None:
        """Begin, and make `steps`."""
        changes: Iterable[Change] = somebody_asked() if task is None else task.changes()
        self.state = State.at(base(), changes)
        self.db = Db(self.state, BUILTIN)
        self.used: list[str] = []
        for step in steps:
            self.call(step)

    def call(self, call: GoldCall) -> CallOutcome:
        """Make a call as an episode does: afterwards phone and company are synchronised."""
        outcome = SIDES[call.requestor].call(self.db, call.name, call.arguments)
        if outcome.fault is None:
            sync(self.db)
        return outcome

    def use(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Use an own tool as the scripted user's hands do."""
        self.used.append(name)
        return self.call(GoldCall(name=name, arguments=dict(arguments), requestor="user")).text


def _own(name: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[GoldCall]:
    return st.fixed_dictionaries(arguments).map(lambda a: GoldCall(name=name, arguments=a, requestor="user"))


_SETTINGS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "apn_name": st.sampled_from(["internet", "broken"]),
        "reset_at_reboot": st.booleans(),
        "mmsc_url": st.sampled_from(["http://mms.example.com/a_b", None]),
        "mms_port": st.sampled_from([8080, None]),
    },
)


def own_calls() -> st.SearchStrategy[GoldCall]:
    """Any write of the user's own side, with any arguments it takes."""
    special: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "set_network_mode_preference": {"mode": st.sampled_from(["4g_5g_preferred", "4g_only", "3g_only", "2g_only"])},
        "grant_app_permission": {
            "app_name": st.sampled_from(["messaging", "browser"]),
            "permission": st.sampled_from(["sms", "storage", "phone", "network"]),
        },
        "set_apn_settings": {"apn_settings": _SETTINGS},
    }
    names = [name for name, tool in USER_TOOLS.items() if tool.kind == "write"]
    return st.one_of([_own(name, **special.get(name, {})) for name in names])


def phones() -> st.SearchStrategy[list[GoldCall]]:
    """The steps that led to a phone's condition."""
    return st.lists(own_calls(), max_size=5)
