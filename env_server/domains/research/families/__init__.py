"""The families of research tasks."""

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
"""All templates."""
