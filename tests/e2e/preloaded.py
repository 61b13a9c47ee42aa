"""What a server loads in the background: code, patterns and the world most tests use. Servers are forked with it."""

import gc
from importlib import import_module

from env_server.domains.kit.domain import Domain
from env_server.domains.packs import builtin
from env_server.domains.retail import domain as retail
from env_server.providers.kept_texts import KeptTexts
from env_server.reading.sentences.patterns import compile_all
from env_server.state import Snapshot

LATER = [
    "env_server.api.mcp.endpoints",
    "env_server.assembly",
    "env_server.episodes.expiry",
    "env_server.rewards.components",
    "env_server.tools.parse.formats",
    "env_server.users.strategies",
    "mcp_servers.stand_ins",
]
"""The modules that a server imports after it is ready."""

_make = builtin.snapshot
_retail = _make(retail)


def _snapshot(domain: Domain, scale: int = 1, kept: KeptTexts | None = None) -> Snapshot:
    """Return the world that was made before the fork, or else a new one."""
    return _retail if domain is retail and scale == 1 else _make(domain, scale, kept)


for name in LATER:
    import_module(name)
compile_all()
_ = _retail.hash
builtin.snapshot = _snapshot
gc.freeze()
