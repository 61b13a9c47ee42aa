"""The scripts of articles for each kind of event: sentences with placeholders for facts.

A script's titles and leads contain the facts that must agree with the event. The other sentences add colour.
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
"""Scripts by kind. An event with stages has one script for each stage, such as `lawsuit:settled`."""

__all__ = ["SCRIPTS", "Script"]
