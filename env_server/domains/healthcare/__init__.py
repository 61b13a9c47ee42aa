"""Healthcare: the front desk of a group of clinics, for its patients and those who speak for them."""

from env_server.domains.healthcare import tools
from env_server.domains.healthcare.dialects import DIALECTS
from env_server.domains.healthcare.invariants import invariants
from env_server.domains.healthcare.owners import owner
from env_server.domains.healthcare.tables import TABLES
from env_server.domains.healthcare.tasks import TASKS, TOPICS
from env_server.domains.healthcare.world import world
from env_server.domains.kit import Domain

domain = Domain(
    name="healthcare",
    description="A group of clinics: appointments, waitlists, prescriptions, referrals, lab results, insurance.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    topics=TOPICS,
    dialects=DIALECTS,
    invariants=invariants,
    owner=owner,
)
