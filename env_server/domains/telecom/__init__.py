"""Telecom: a carrier whose customers pay bills, suspend lines, roam, refuel data, and get their phones to work."""

from env_server.domains.kit import Domain
from env_server.domains.telecom import hands, tools, user_tools
from env_server.domains.telecom.assertions import ASSERTIONS
from env_server.domains.telecom.checks import owner
from env_server.domains.telecom.dialects import DIALECTS
from env_server.domains.telecom.invariants import invariants
from env_server.domains.telecom.setups import SETUPS
from env_server.domains.telecom.sync import sync
from env_server.domains.telecom.tables import TABLES
from env_server.domains.telecom.tasks import TASKS, TOPICS
from env_server.domains.telecom.world import world

domain = Domain(
    name="telecom",
    description="A telephone carrier: pay bills, suspend lines, roam, add data, and get a phone to work again.",
    tables=TABLES,
    tools_module=tools,
    user_tools_module=user_tools,
    hands=hands,
    world=world,
    tasks=TASKS,
    topics=TOPICS,
    dialects=DIALECTS,
    invariants=invariants,
    owner=owner,
    after_call=sync,
    setups=SETUPS,
    assertions=ASSERTIONS,
)
