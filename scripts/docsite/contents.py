"""The order of the site's pages. Paths are those of the repository; a test checks that no page is missing."""

from collections.abc import Mapping

HOME = "docs/README.md"
"""The first page."""

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Tutorial": (
        "docs/tutorial/1_first_episode.md",
        "docs/tutorial/2_own_task.md",
        "docs/tutorial/3_own_domain.md",
        "docs/tutorial/4_training.md",
    ),
    "How to": (
        "examples/README.md",
        "docs/playing.md",
        "docs/page.md",
        "docs/mcp.md",
        "docs/tools.md",
        "docs/mcp_servers.md",
        "docs/clients.md",
        "docs/integrations.md",
        "docs/training.md",
        "docs/skyrl.md",
        "docs/ray.md",
        "docs/data.md",
        "docs/evaluating.md",
        "docs/domains.md",
        "docs/auditing.md",
        "docs/operating.md",
    ),
    "Explanation": (
        "docs/how_it_works.md",
        "docs/rewards.md",
        "docs/users.md",
        "docs/state.md",
        "docs/research.md",
        "docs/learning.md",
        "docs/learning_copying.md",
        "docs/learning_runs.md",
        "docs/benchmarks.md",
        "SECURITY.md",
        "docs/decisions/README.md",
    ),
    "Reference": (
        "reference/rest.md",
        "reference/commands.md",
        "reference/settings.md",
        "reference/metrics.md",
        "reference/tools.md",
        "reference/errors.md",
        "docs/glossary.md",
    ),
    "Project": (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "AGENTS.md",
        "env_server/README.md",
        "docs/testing.md",
    ),
}
"""Section -> its pages."""

BELOW: Mapping[str, str] = {
    "docs/decisions/README.md": "docs/decisions/",
    "docs/integrations.md": "packages/",
    "docs/mcp_servers.md": "mcp_servers/",
    "docs/users.md": "env_server/reading/",
    "reference/tools.md": "reference/tools/",
}
"""A page -> the folder whose pages are below it in the table of contents."""
