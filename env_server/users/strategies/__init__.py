"""The user strategies, one module each. The rest of the server uses only the module's `STRATEGY`."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from agent_env_schemas import UserStrategy
from env_server.users.strategy import Strategy


@cache
def strategies() -> Mapping[str, Strategy]:
    """Return all strategies by name, in the order of the wire contract: one from each module of this folder."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found: list[Strategy] = [module.STRATEGY for module in modules]
    order = list(UserStrategy)
    return {one.name: one for one in sorted(found, key=lambda one: order.index(UserStrategy(one.name)))}
