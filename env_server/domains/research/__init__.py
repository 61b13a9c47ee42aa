"""Research: questions about markets, companies, the web and a Slack workspace, answered from an offline world."""

from env_server.domains.kit import Domain
from env_server.domains.research import tools
from env_server.domains.research.dialects import DIALECTS
from env_server.domains.research.projection import projection
from env_server.domains.research.tables import TABLES
from env_server.domains.research.tasks import TASKS
from env_server.domains.research.world import world

domain = Domain(
    name="research",
    description="Research in market data, news, web pages and Slack: find, compute, reconcile and report figures.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    dialects=DIALECTS,
    servers=("polygon", "fmp", "tavily", "slack", "python"),
    projection=projection,
)
