"""What articles say of each kind of event: many sentences with places for facts.

A script's titles and leads carry the facts by which an article agrees with its event; the other sentences add colour.
"""

from mcp_servers.world.news.scripts import coins, corporate, deals, others, products, results
from mcp_servers.world.news.scripts.script import Script

SCRIPTS: dict[str, Script] = {
    **results.SCRIPTS,
    **corporate.SCRIPTS,
    **products.SCRIPTS,
    **deals.SCRIPTS,
    **coins.SCRIPTS,
    **others.SCRIPTS,
}
"""By kind; events that come in stages have one for each, such as `lawsuit:settled`."""

__all__ = ["SCRIPTS", "Script"]
