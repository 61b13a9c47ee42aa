"""The families of research tasks, one module each. A module's `TEMPLATES` are the kinds of tasks of its family."""

from env_server.domains.research.draft import Template
from env_server.domains.research.families import (
    compute,
    conditions,
    prices,
    reconcile,
    reports,
    requests,
    studies,
    unknown,
    web,
)

TEMPLATES: tuple[Template, ...] = (
    *prices.TEMPLATES,
    *reports.TEMPLATES,
    *compute.TEMPLATES,
    *studies.TEMPLATES,
    *reconcile.TEMPLATES,
    *web.TEMPLATES,
    *requests.TEMPLATES,
    *conditions.TEMPLATES,
    *unknown.TEMPLATES,
)
"""The templates of all families. Their order decides the template of each index."""
